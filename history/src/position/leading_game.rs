//! RP: a position as the game that leads to it.

use plyzip_codec::{GameCodec, GameHeader, Model};
use shakmaty::{Chess, Move, Position};

use super::{CodeError, Result};
use crate::bits::BitString;

/// A position as the game that leads to it from the initial one, in plyzip's own code.
///
/// Robison's question of 1993: "could it be that the tightest way to notate a position is to
/// notate the entire game leading up to it?" Stores everything: also the counters,
/// the number of the move and every repetition. The game has to be known.
/// Its code is made of whole bytes.
///
/// ```
/// use plyzip_codec::Model;
/// use plyzip_history::position::LeadingGame;
/// use shakmaty::{Chess, Position, uci::UciMove};
/// let mut position = Chess::default();
/// let mut moves = vec![];
/// for uci in ["e2e4", "c7c5", "g1f3"] {
///     moves.push(uci.parse::<UciMove>()?.to_move(&position)?);
///     position.play_unchecked(moves[moves.len() - 1]);
/// }
/// let code = LeadingGame::new(Model::none());
/// let bits = code.encode(&moves)?;
/// assert!(bits.len() <= 56);
/// assert_eq!(code.decode(&bits)?, position);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct LeadingGame {
    codec: GameCodec,
}

impl LeadingGame {
    /// Games are predicted with `model`.
    pub fn new(model: Model) -> LeadingGame {
        LeadingGame { codec: GameCodec::new(model) }
    }

    /// As in the table of systems.
    pub fn id(&self) -> &str {
        "RP"
    }

    /// In a few words.
    pub fn name(&self) -> &str {
        "the game that leads to it"
    }

    /// The text's estimate of its size.
    pub fn estimate(&self) -> &str {
        "137 bits after 25 moves, 300 for a made-up game of 30"
    }

    /// The position after `moves`, the initial one being before the first.
    ///
    /// # Errors
    /// [`CodeError::Game`] as [`GameCodec::encode`] has it.
    pub fn encode(&self, moves: &[Move]) -> Result<BitString> {
        let bytes = self.codec.encode(&GameHeader::default(), moves)?;
        Ok(BitString::from_bytes(bytes))
    }

    /// The position, counters included.
    ///
    /// # Errors
    /// [`CodeError::Damaged`] if the bits are not whole bytes,
    /// [`CodeError::Game`] as [`GameCodec::decode`] has it.
    pub fn decode(&self, bits: &BitString) -> Result<Chess> {
        if !bits.len().is_multiple_of(8) {
            return Err(CodeError::Damaged("it is not made of whole bytes"));
        }
        let mut position = Chess::default();
        for played in self.codec.decode(&GameHeader::default(), bits.as_bytes())? {
            position.play_unchecked(played);
        }
        Ok(position)
    }
}
