//! The trait of all game codecs.

use plyzip_codec::{Error, MAX_MOVES, Result};
use shakmaty::{Chess, Move, MoveList};

use super::likelihood::Ranked;
use super::order::{Order, Walk};
use crate::bits::BitString;

/// A way to write the moves of one game as bits.
///
/// The bits hold the moves and where they end; the decoder is given the start position. Every
/// start that [`shakmaty::Chess`] holds is supported, chess960 included, and every
/// game of at most [`MAX_MOVES`] legal moves, unless a codec says otherwise.
/// A code tells its own end, so that a code with bits missing or added is refused.
pub trait GameCode: Send + Sync {
    /// The system's id in `docs/history.md`, such as `R1`.
    fn id(&self) -> &str;

    /// A short name of the codec.
    fn name(&self) -> &str;

    /// The bits per move that the codec's own text expects.
    fn estimate(&self) -> Option<&str>;

    /// The bits of a game.
    ///
    /// # Errors
    /// [`Error::Usage`] if a move is not legal or there are too many, [`Error::Unsupported`] for
    /// what the system cannot express, [`Error::Model`] if a network fails.
    fn encode(&self, start: &Chess, moves: &[Move]) -> Result<BitString>;

    /// The moves of a game that [`GameCode::encode`] wrote with the same start. Other bits give
    /// other moves or an error.
    ///
    /// # Errors
    /// [`Error::Damaged`] if the bits are not of a game, [`Error::Model`] if a network fails.
    fn decode(&self, start: &Chess, bits: &BitString) -> Result<Vec<Move>>;

    /// How many bits of something else `encode` could have hidden in the game without making
    /// it longer.
    ///
    /// # Errors
    /// Those of [`GameCode::encode`].
    fn payload_bits(&self, start: &Chess, moves: &[Move]) -> Result<usize> {
        let _ = (start, moves);
        Ok(0)
    }

    /// The bits of a game with `payload` hidden in it, of [`GameCode::payload_bits`] bits. They are as many as
    /// those of [`GameCode::encode`], and decode to the same moves.
    ///
    /// # Errors
    /// Those of [`GameCode::encode`].
    fn hide(&self, start: &Chess, moves: &[Move], payload: &BitString) -> Result<BitString> {
        let _ = payload;
        self.encode(start, moves)
    }

    /// The payload that [`GameCode::hide`] hid.
    ///
    /// # Errors
    /// [`Error::Damaged`] if the bits are not of a game.
    fn reveal(&self, bits: &BitString) -> Result<BitString> {
        let _ = bits;
        Ok(BitString::new())
    }
}

/// Refuses games that are too long for the decoders.
pub fn check_length(moves: &[Move]) -> Result<()> {
    if moves.len() > MAX_MOVES {
        return Err(Error::Usage(format!("a game of more than {MAX_MOVES} moves")));
    }
    Ok(())
}

/// A game being decoded, of at most [`MAX_MOVES`] moves.
#[derive(Debug)]
pub struct Player<'a> {
    walk: Walk<'a>,
    moves: Vec<Move>,
}

impl<'a> Player<'a> {
    /// A game from `start` with its moves numbered in `order`.
    pub fn new(start: &Chess, order: &'a Order) -> Player<'a> {
        Player { walk: Walk::new(start, order), moves: vec![] }
    }

    /// The position on the board.
    pub fn position(&self) -> &Chess {
        self.walk.position()
    }

    /// The legal moves in order.
    ///
    /// # Errors
    /// Those of [`Walk::legal`].
    pub fn legal(&self) -> Result<MoveList> {
        self.walk.legal()
    }

    /// The same with what is reasonable among them.
    ///
    /// # Errors
    /// Those of [`Walk::ranked`].
    pub fn ranked(&self) -> Result<Ranked> {
        self.walk.ranked()
    }

    /// Number of moves so far.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// Plays the move with this ordinal among `legal`.
    ///
    /// # Errors
    /// [`Error::Damaged`] if there is none, or if the game is too long.
    pub fn play(&mut self, legal: &MoveList, ordinal: usize) -> Result<()> {
        let played =
            *legal.get(ordinal).ok_or_else(|| Error::damaged("a code that stands for no move"))?;
        if self.moves.len() >= MAX_MOVES {
            return Err(Error::damaged("a game that never ends"));
        }
        self.walk.play(played);
        self.moves.push(played);
        Ok(())
    }

    /// All moves.
    pub fn into_moves(self) -> Vec<Move> {
        self.moves
    }
}
