//! Looking into an archive.

mod selected;

use plyzip::archive::{IndexedReader, MovesIndex, ReaderOptions};
use plyzip::filters::Filters;
use plyzip::openings::OpeningTree;
use plyzip::{Error, GameCosts, GameHeader, Model};
use wasm_bindgen::prelude::*;

use crate::annotated::Annotated;
use crate::figures::Figures;
use crate::models::Models;
use crate::page::Page;
use crate::rows::Rows;
use crate::source::Source;
use crate::tree;

pub use self::selected::GameText;

/// An archive in memory or at an address: its figures, its list of games, its tree of moves, and single games. Games
/// count from 0 on.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Archive {
    source: Source,
    reader: IndexedReader<Source>,
    /// What predicts games that the archive keeps as text.
    model: Model,
    /// Answers without a model.
    index: Option<MovesIndex>,
    /// Why it is not used.
    index_fault: Option<String>,
    filters: Filters,
    rows: Rows,
    tree: OpeningTree,
    page: Option<Page>,
}

#[wasm_bindgen]
impl Archive {
    /// Reads the index of an archive. Its model need not be at hand.
    ///
    /// # Errors
    /// Those of [`IndexedReader::open`].
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: Vec<u8>, models: &Models) -> Result<Archive, JsError> {
        Archive::of(bytes.into(), models)
    }

    /// Reads the index of an archive that the worker knows by the number `file`: it has `length` bytes, of which the
    /// first are `head`. The worker fetches others when they are needed.
    ///
    /// # Errors
    /// Those of [`IndexedReader::open`].
    #[wasm_bindgen(js_name = atAddress)]
    pub fn at_address(
        file: u32,
        length: f64,
        head: &[u8],
        models: &Models,
    ) -> Result<Archive, JsError> {
        Archive::of(Source::at_address(file, length, head), models)
    }

    /// Takes an index of moves. It is passed over if it is none, or one of another archive: [`index_fault`] says so.
    ///
    /// [`index_fault`]: Archive::index_fault
    #[wasm_bindgen(js_name = useIndex)]
    pub fn use_index(&mut self, bytes: Vec<u8>, models: &Models) -> Result<(), JsError> {
        self.take_index(bytes.into(), models)
    }

    /// Takes an index of moves at an address, as [`Archive::at_address`] has an archive there.
    #[wasm_bindgen(js_name = useIndexAt)]
    pub fn use_index_at(
        &mut self,
        file: u32,
        length: f64,
        head: &[u8],
        models: &Models,
    ) -> Result<(), JsError> {
        self.take_index(Source::at_address(file, length, head), models)
    }

    /// How many games, from the first on, have their moves in an index: they need no model.
    #[wasm_bindgen(js_name = indexedGames)]
    pub fn indexed_games(&self) -> f64 {
        self.reader.indexed_games() as f64
    }

    /// Why an index is not used.
    #[wasm_bindgen(js_name = indexFault)]
    pub fn index_fault(&self) -> Option<String> {
        self.reader.index_fault().map(str::to_owned).or_else(|| self.index_fault.clone())
    }

    /// Takes the models that have come since.
    ///
    /// # Errors
    /// None, but for what happens on a network: the archive has been opened before.
    #[wasm_bindgen(js_name = useModels)]
    pub fn use_models(&mut self, models: &Models) -> Result<(), JsError> {
        if let Some(fault) = self.reader.index_fault() {
            (self.index, self.index_fault) = (None, Some(fault.to_owned()));
        }
        (self.reader, self.model) = open(&self.source, models, self.index.clone())?;
        Ok(())
    }

    /// Its [`Figures`] as JSON.
    ///
    /// # Errors
    /// None.
    pub fn figures(&self) -> Result<String, JsError> {
        crate::json(&Figures::of(self.reader.summary()))
    }

    /// Its bytes.
    ///
    /// # Errors
    /// Those of the network.
    pub fn bytes(&self) -> Result<Vec<u8>, JsError> {
        Ok(self.source.bytes()?)
    }

    /// Blocks that the list of games is made of.
    pub fn blocks(&self) -> usize {
        self.reader.blocks().len()
    }

    /// Begins a list of the games that meet `conditions`, a JSON list of names and values as [`Filters::add`] takes
    /// them; or of those that do not.
    ///
    /// # Errors
    /// If a condition makes no sense; the list of before stays.
    #[wasm_bindgen(js_name = beginList)]
    pub fn begin_list(&mut self, conditions: &str, negated: bool) -> Result<(), JsError> {
        self.filters = selected::filters(conditions, negated)?;
        (self.rows, self.tree) = (Rows::default(), OpeningTree::default());
        Ok(())
    }

    /// Adds the games of block `number` to the list, and returns how many it has.
    ///
    /// # Errors
    /// Those of [`Select::tags`](plyzip::archive::Select::tags).
    #[wasm_bindgen(js_name = listBlock)]
    pub fn list_block(&mut self, number: usize) -> Result<usize, JsError> {
        let Some(block) = self.reader.blocks().get(number) else { return Ok(self.rows.len()) };
        let filters = self.filters.clone().within(block.first_game..block.first_game + block.games);
        let rows = &mut self.rows;
        self.reader.select(&filters).tags(|number, tags| {
            rows.push(number, tags).map_err(|error| Error::Internal(error.to_string()))
        })?;
        Ok(self.rows.len())
    }

    /// Lines of the list, from place `begin` on to before `end`, as JSON: the number of the game, then the values of
    /// the tags White, WhiteElo, Black, BlackElo, Result, Date, Event and Site.
    pub fn rows(&self, begin: usize, end: usize) -> String {
        self.rows.json(begin, end)
    }

    /// Sorts the list by a cell, counted from the number of the game on; a list that grows has to be sorted again.
    pub fn sort(&mut self, cell: usize, descending: bool) {
        self.rows.sort(cell, descending);
    }

    /// Adds the games of block `number` that meet the conditions of the list to the tree of moves, and returns how
    /// many it has.
    ///
    /// # Errors
    /// Those of [`IndexedReader::select`].
    #[wasm_bindgen(js_name = treeBlock)]
    pub fn tree_block(&mut self, number: usize) -> Result<usize, JsError> {
        let Some(block) = self.reader.blocks().get(number) else { return Ok(self.tree.len()) };
        let filters = self.filters.clone().within(block.first_game..block.first_game + block.games);
        let tree = &mut self.tree;
        self.reader.select(&filters).moves(OpeningTree::PLIES, |_, game| {
            tree.push(game);
            Ok(())
        })?;
        Ok(self.tree.len())
    }

    /// Empties the tree of moves.
    #[wasm_bindgen(js_name = beginTree)]
    pub fn begin_tree(&mut self) {
        self.tree = OpeningTree::default();
    }

    /// The place of the tree behind these moves, as UCI writes them, as JSON; nothing if they lead nowhere.
    pub fn tree(&self, moves: &str) -> Option<String> {
        tree::json(&self.tree, moves)
    }

    /// Game `number` without what its moves cost, as the JSON of [`Annotated`]. With an index, no model is needed.
    ///
    /// # Errors
    /// Those of [`IndexedReader::game`].
    pub fn game(&mut self, number: u32) -> Result<String, JsError> {
        let number = u64::from(number);
        let bytes = self.reader.game(number)?;
        let filters = Filters::default().within(number..number + 1);
        let mut annotated = None;
        self.reader.select(&filters).first(1).games(|number, game| {
            annotated = Some(Annotated::plain(number, &bytes, game));
            Ok(())
        })?;
        crate::json(&annotated)
    }

    /// How many games are decoded to show game `number`; 0 if it has been decoded.
    ///
    /// # Errors
    /// Those of [`IndexedReader::page_of_game`].
    pub fn awaited(&mut self, number: u32) -> Result<f64, JsError> {
        if self.page.as_ref().is_some_and(|page| page.game(number.into()).is_some()) {
            return Ok(0.0);
        }
        let page = self.reader.page_of_game(number.into())?;
        Ok((page.end - page.start) as f64)
    }

    /// Game `number` with what its moves cost, as the JSON of [`Annotated`].
    ///
    /// # Errors
    /// Those of [`Select::explain`](plyzip::archive::Select::explain).
    pub fn explain(&mut self, number: u32) -> Result<String, JsError> {
        let number = u64::from(number);
        let known = self.page.take().filter(|page| page.game(number).is_some());
        let page = match known {
            Some(page) => page,
            None => {
                let numbers = self.reader.page_of_game(number)?;
                Page::decode(&mut self.reader, numbers)?
            }
        };
        let page = self.page.insert(page);
        let game = page
            .game(number)
            .ok_or_else(|| JsError::new("the page has other games than it had"))?;
        let annotated = match &game.costs {
            Some(costs) => Annotated::new(game, costs, &game.model, false),
            None => {
                let line = game.game.lines.first().map_or(&[][..], |line| &line.moves);
                let costs = match GameHeader::from_tags(&game.game) {
                    Some(header) => self.model.costs(&header, line)?,
                    None => GameCosts::default(),
                };
                Annotated::new(game, &costs, self.model.name(), true)
            }
        };
        crate::json(&annotated)
    }
}

impl Archive {
    fn of(source: Source, models: &Models) -> Result<Archive, JsError> {
        let (reader, model) = open(&source, models, None)?;
        let (filters, rows, tree) = (Filters::default(), Rows::default(), OpeningTree::default());
        let (index, index_fault) = (None, None);
        Ok(Archive { source, reader, model, index, index_fault, filters, rows, tree, page: None })
    }

    fn take_index(&mut self, source: Source, models: &Models) -> Result<(), JsError> {
        match MovesIndex::open(source) {
            Ok(index) => (self.index, self.index_fault) = (Some(index), None),
            Err(error) => (self.index, self.index_fault) = (None, Some(error.to_string())),
        }
        (self.reader, self.model) = open(&self.source, models, self.index.clone())?;
        Ok(())
    }
}

/// A reader that has the model which the archive names, if it is at hand, and that model or `none`.
fn open(
    source: &Source,
    models: &Models,
    index: Option<MovesIndex>,
) -> plyzip::Result<(IndexedReader<Source>, Model)> {
    let reader = IndexedReader::open(source.clone())?;
    let model = models.of(reader.summary());
    let options =
        ReaderOptions::new().model(model.clone()).progress(&crate::progress()).index(index);
    let reader = IndexedReader::with_options(source.clone(), options)?;
    Ok((reader, model.unwrap_or_else(Model::none)))
}
