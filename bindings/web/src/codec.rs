//! Single games in a few bytes.

use plyzip::GameHeader;
use plyzip::pgn::{Game, Tag};
use shakmaty::uci::UciMove;
use shakmaty::{Move, Position};
use wasm_bindgen::prelude::*;

use crate::models::Models;

/// Encodes the moves of single games. Whoever decodes gives the same tags and the same model.
#[wasm_bindgen]
#[derive(Debug)]
pub struct GameCodec {
    codec: plyzip::GameCodec,
}

#[wasm_bindgen]
impl GameCodec {
    /// A codec with the model of this name.
    ///
    /// # Errors
    /// If there is no such model.
    #[wasm_bindgen(constructor)]
    pub fn new(models: &Models, model: &str) -> Result<GameCodec, JsError> {
        Ok(GameCodec { codec: plyzip::GameCodec::new(models.named(model)?) })
    }

    /// The bytes of a game: `moves` are those of UCI, a JSON list, and `tags` a JSON list of names and values.
    ///
    /// # Errors
    /// If a move is not legal, or the tags name no start that plyzip knows; those of [`plyzip::GameCodec::encode`].
    pub fn encode(&self, moves: &str, tags: &str) -> Result<Vec<u8>, JsError> {
        let header = header(tags)?;
        let moves: Vec<String> = serde_json::from_str(moves)?;
        Ok(self.codec.encode(&header, &played(&header, &moves)?)?)
    }

    /// The moves of a game, as [`encode`](GameCodec::encode) takes them.
    ///
    /// # Errors
    /// Those of [`plyzip::GameCodec::decode`].
    pub fn decode(&self, bytes: &[u8], tags: &str) -> Result<String, JsError> {
        let header = header(tags)?;
        let mode = header.start.castles().mode();
        let moves = self.codec.decode(&header, bytes)?;
        let moves = moves.into_iter().map(|played| played.to_uci(mode).to_string());
        crate::json(&moves.collect::<Vec<_>>())
    }
}

/// What a JSON list of tags says.
fn header(tags: &str) -> Result<GameHeader, JsError> {
    let tags: Vec<(String, String)> = serde_json::from_str(tags)?;
    let escaped = |text: String| text.replace('\\', "\\\\").replace('"', "\\\"").into_bytes();
    let tags =
        tags.into_iter().map(|(name, value)| Tag { name: name.into(), value: escaped(value) });
    let game = Game { tags: tags.collect(), ..Game::default() };
    GameHeader::from_tags(&game)
        .ok_or_else(|| JsError::new("the tags FEN and Variant name no start that plyzip knows"))
}

/// The moves that these names mean, one after the other.
fn played(header: &GameHeader, names: &[String]) -> Result<Vec<Move>, JsError> {
    let mut position = header.start.clone();
    let mut moves = Vec::with_capacity(names.len());
    for (ply, name) in names.iter().enumerate() {
        let uci = name.parse::<UciMove>().ok();
        let Some(played) = uci.and_then(|uci| uci.to_move(&position).ok()) else {
            return Err(JsError::new(&format!("ply {}: {name} is illegal", ply + 1)));
        };
        position.play_unchecked(played);
        moves.push(played);
    }
    Ok(moves)
}
