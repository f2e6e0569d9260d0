//! plyzip itself beside the others: every game alone.

use plyzip_codec::{Error, GameCodec, GameHeader, Model, Result};
use shakmaty::{Chess, Move};

use super::code::GameCode;
use crate::bits::BitString;

/// Our own codec for single games, knowing nothing of the players and the result.
#[derive(Debug)]
pub struct Ours {
    id: String,
    name: String,
    codec: GameCodec,
}

impl Ours {
    /// Our codec with `model`.
    pub fn new(model: Model) -> Ours {
        Ours {
            id: format!("plyzip-{}-alone", model.name()),
            name: format!("plyzip, model {}, each game alone", model.name()),
            codec: GameCodec::new(model),
        }
    }
}

/// Nothing but the start.
fn header(start: &Chess) -> GameHeader {
    GameHeader::new().start(start.clone())
}

impl GameCode for Ours {
    fn id(&self) -> &str {
        &self.id
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn estimate(&self) -> Option<&str> {
        None
    }

    fn encode(&self, start: &Chess, moves: &[Move]) -> Result<BitString> {
        let bytes = self.codec.encode(&header(start), moves)?;
        Ok(BitString::from_bytes(bytes))
    }

    fn decode(&self, start: &Chess, bits: &BitString) -> Result<Vec<Move>> {
        if !bits.len().is_multiple_of(8) {
            return Err(Error::damaged("a game that is not made of whole bytes"));
        }
        self.codec.decode(&header(start), bits.as_bytes())
    }
}
