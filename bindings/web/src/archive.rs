//! Looking into an archive.

mod selected;

use std::io::Cursor;
use std::sync::Arc;

use plyzip::archive::{IndexedReader, ReaderOptions};
use plyzip::filters::Filters;
use plyzip::{Error, GameCosts, GameHeader, Model};
use wasm_bindgen::prelude::*;

use crate::annotated::Annotated;
use crate::figures::Figures;
use crate::models::Models;
use crate::page::Page;
use crate::rows::Rows;

pub use self::selected::GameText;

/// Reads an archive in memory.
type Reader = IndexedReader<Cursor<Arc<[u8]>>>;

/// An archive in memory: its figures, its list of games, and single games. Games count from 0 on.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Archive {
    bytes: Arc<[u8]>,
    reader: Reader,
    /// What predicts games that the archive keeps as text.
    model: Model,
    filters: Filters,
    rows: Rows,
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
        let bytes: Arc<[u8]> = bytes.into();
        let (reader, model) = open(&bytes, models)?;
        let (filters, rows) = (Filters::default(), Rows::default());
        Ok(Archive { bytes, reader, model, filters, rows, page: None })
    }

    /// Takes the models that have come since.
    ///
    /// # Errors
    /// None: the archive has been opened before.
    #[wasm_bindgen(js_name = useModels)]
    pub fn use_models(&mut self, models: &Models) -> Result<(), JsError> {
        (self.reader, self.model) = open(&self.bytes, models)?;
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
    pub fn bytes(&self) -> Vec<u8> {
        self.bytes.to_vec()
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
        self.rows = Rows::default();
        Ok(())
    }

    /// Adds the games of block `number` to the list, and returns how many it has.
    ///
    /// # Errors
    /// Those of [`IndexedReader::select_tags`].
    #[wasm_bindgen(js_name = listBlock)]
    pub fn list_block(&mut self, number: usize) -> Result<usize, JsError> {
        let Some(block) = self.reader.blocks().get(number) else { return Ok(self.rows.len()) };
        let filters = self.filters.clone().within(block.first_game..block.first_game + block.games);
        let rows = &mut self.rows;
        self.reader.select_tags(&filters, u64::MAX, |number, tags| {
            rows.push(number, tags).map_err(|error| Error::Internal(error.to_string()))
        })?;
        Ok(self.rows.len())
    }

    /// Lines of the list, from place `begin` on to before `end`, as JSON: the number of the game, then the values of
    /// the tags White, WhiteElo, Black, BlackElo, Result, Date, Event and Site.
    pub fn rows(&self, begin: usize, end: usize) -> String {
        self.rows.json(begin, end)
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
    /// Those of [`IndexedReader::explain`].
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

/// A reader that has the model which the archive names, if it is at hand, and that model or `none`.
fn open(bytes: &Arc<[u8]>, models: &Models) -> plyzip::Result<(Reader, Model)> {
    let reader = IndexedReader::open(Cursor::new(bytes.clone()))?;
    let model = models.of(reader.summary());
    let options =
        ReaderOptions { model: model.clone(), progress: crate::progress(), ..Default::default() };
    let reader = IndexedReader::with_options(Cursor::new(bytes.clone()), options)?;
    Ok((reader, model.unwrap_or_else(Model::none)))
}
