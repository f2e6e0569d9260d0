//! Games that meet conditions: their tags, and their text.

use std::ops::Range;

use plyzip::Error;
use plyzip::filters::Filters;
use plyzip::pgn::tag_text;
use wasm_bindgen::prelude::*;

use super::Archive;

/// A game of an archive as it stands in the original.
#[wasm_bindgen]
#[derive(Debug)]
pub struct GameText {
    number: f64,
    bytes: Vec<u8>,
}

#[wasm_bindgen]
impl GameText {
    /// Its number, from 0 on.
    #[wasm_bindgen(getter)]
    pub fn number(&self) -> f64 {
        self.number
    }

    /// Its bytes.
    pub fn bytes(self) -> Vec<u8> {
        self.bytes
    }
}

#[wasm_bindgen]
impl Archive {
    /// The games of block `number` that meet conditions, as [`filters`] reads them: a JSON list of their numbers and
    /// tags. Tags that the moves foretell are missing.
    ///
    /// # Errors
    /// If a condition makes no sense; those of [`tags`](plyzip::archive::Select::tags).
    #[wasm_bindgen(js_name = listedInBlock)]
    pub fn listed_in_block(
        &mut self,
        number: usize,
        conditions: &str,
        negated: bool,
    ) -> Result<String, JsError> {
        let filters = filters(conditions, negated)?;
        let Some(block) = self.reader.blocks().get(number) else { return Ok("[]".into()) };
        let filters = filters.within(block.first_game..block.first_game + block.games);
        let mut listed: Vec<(u64, Vec<(String, String)>)> = vec![];
        self.reader.select(&filters).tags(|number, tags| {
            let tags = tags
                .iter()
                .map(|tag| (tag_text(&tag.name).into_owned(), tag_text(&tag.value).into_owned()));
            listed.push((number, tags.collect()));
            Ok(())
        })?;
        crate::json(&listed)
    }

    /// The numbers of the games that are decoded along with game `number`: the first, and the one behind the last.
    ///
    /// # Errors
    /// Those of [`page_of_game`](plyzip::archive::IndexedReader::page_of_game).
    #[wasm_bindgen(js_name = pageOfGame)]
    pub fn page_of_game(&mut self, number: u32) -> Result<Vec<f64>, JsError> {
        let Range { start, end } = self.reader.page_of_game(number.into())?;
        Ok(vec![start as f64, end as f64])
    }

    /// The games from `begin` on to before `end` that meet conditions, as [`filters`] reads them.
    ///
    /// # Errors
    /// If a condition makes no sense; those of [`select`](plyzip::archive::IndexedReader::select).
    #[wasm_bindgen(js_name = gamesWithin)]
    pub fn games_within(
        &mut self,
        begin: u32,
        end: u32,
        conditions: &str,
        negated: bool,
    ) -> Result<Vec<GameText>, JsError> {
        let filters = filters(conditions, negated)?.within(begin.into()..end.into());
        let mut games = vec![];
        self.reader.select(&filters).bytes(|number, bytes| {
            games.push(GameText { number: number as f64, bytes: bytes.to_vec() });
            Ok::<(), Error>(())
        })?;
        Ok(games)
    }
}

/// Conditions from a JSON list of names and values as [`Filters::add`] takes them; `negated`, for the other games.
pub fn filters(conditions: &str, negated: bool) -> Result<Filters, JsError> {
    let conditions: Vec<(String, String)> = serde_json::from_str(conditions)?;
    let mut filters = Filters::default();
    for (name, value) in conditions {
        filters.add(&name, &value)?;
    }
    Ok(if negated { filters.negated() } else { filters })
}
