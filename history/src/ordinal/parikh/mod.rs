//! Parikh's Games1 to Games4 (2011 to 2017).
//!
//! - P2, Games1: the ordinal in whole bits; a forced move takes none.
//! - P3, Games2: which of the pieces that can move, then which of its moves.
//! - P4, Games3: Games1 with the "lucky" channel. Of n moves in k bits, the first 2<sup>k</sup> - n have two
//!   codes; which one is taken tells one bit of something else.
//! - P5, Games4: the lucky bit is the first bit of the game's next code, which is not
//!   written again.
//!
//! The first bit says whether the game starts from the initial position; if not, the text's own
//! position code (P1) follows. So a game can be read with nothing but its bits
//! ([`Parikh::read`]); but starts that P1 does not cover, with castling rights of chess960 or
//! more than 32 pieces, are refused, and counters start from zero.
//!
//! The text lets its move generator tell the end: it gives no moves when the rules end the game,
//! and leaves open how a game that ends otherwise ("partial", most are) is marked, with a count in
//! a header as its example. So: a bit says which it is, and the number of moves follows if it is
//! not the rules.

mod arbiter;
mod choice;
mod codes;

use std::ops::Range;

use plyzip_codec::{Error, Result};
use shakmaty::{Chess, Move, MoveList};

use self::arbiter::Arbiter;
pub use self::choice::spare_codes;
use self::choice::{Choice, write_stack};
use self::codes::{Codes, pieces};
use super::code::{GameCode, Player, check_length};
use super::count;
use super::order::{Order, Walk, ordinal};
use crate::bits::BitString;
use crate::position::{self, Coverage, PositionCode};

/// One of Parikh's systems.
#[derive(Debug)]
pub struct Parikh {
    id: &'static str,
    name: &'static str,
    form: Form,
    order: Order,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Ordinal,
    PieceThenMove,
    Lucky,
    Stack,
}

/// All that the bits of a game tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// The position before the first move, its counters at zero.
    pub start: Chess,
    /// The moves.
    pub moves: Vec<Move>,
    /// The bits hidden in them, with the zeros that [`Parikh::encode_with`] filled up with; none
    /// but in P4.
    pub payload: BitString,
}

impl Parikh {
    fn new(id: &'static str, name: &'static str, form: Form) -> Parikh {
        Parikh { id, name, form, order: Order::Ascending }
    }

    /// P2: Games1.
    pub fn games1() -> Parikh {
        Parikh::new("P2", "Parikh Games1: ordinal in whole bits", Form::Ordinal)
    }

    /// P3: Games2.
    pub fn games2() -> Parikh {
        Parikh::new("P3", "Parikh Games2: piece, then its move", Form::PieceThenMove)
    }

    /// P4: Games3.
    pub fn games3() -> Parikh {
        Parikh::new("P4", "Parikh Games3: a payload in spare codes", Form::Lucky)
    }

    /// P5: Games4.
    pub fn games4() -> Parikh {
        Parikh::new("P5", "Parikh Games4: the game in its own spare codes", Form::Stack)
    }

    /// Writes a game and hides `payload` in it: what there is room for, and zeros if there
    /// is more room. Only P4 has any ([`GameCode::payload_bits`]).
    ///
    /// ```
    /// use plyzip_history::ordinal::{GameCode, Parikh};
    /// use shakmaty::{Chess, Position};
    /// let start = Chess::default();
    /// let moves = [plyzip_codec::unstable::chess::legal_moves(&start)[0]];
    /// let payload = [true].into_iter().collect();
    /// let bits = Parikh::games3().encode_with(&start, &moves, &payload)?;
    /// let stored = Parikh::games3().read(&bits)?;
    /// assert_eq!((stored.moves, stored.payload), (moves.to_vec(), payload));
    /// assert_eq!(bits.len(), Parikh::games1().encode(&start, &moves)?.len());
    /// # Ok::<(), plyzip_codec::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`GameCode::encode`]; [`Error::Unsupported`] for a start that
    /// [`position::Parikh`] does not cover.
    pub fn encode_with(
        &self,
        start: &Chess,
        moves: &[Move],
        payload: &BitString,
    ) -> Result<BitString> {
        let mut payload = payload.reader();
        self.write(start, moves, || payload.bit().unwrap_or(false))
    }

    /// All that the bits of a game tell.
    ///
    /// ```
    /// use plyzip_history::ordinal::{GameCode, Parikh};
    /// use shakmaty::{CastlingMode, Chess, fen::Fen};
    /// let start: Chess = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"
    ///     .parse::<Fen>()?
    ///     .into_position(CastlingMode::Standard)?;
    /// let bits = Parikh::games1().encode(&start, &[])?;
    /// assert_eq!(Parikh::games1().read(&bits)?.start, start);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Damaged`] if the bits are not of a game.
    pub fn read(&self, bits: &BitString) -> Result<Stored> {
        let mut reader = bits.reader();
        let mut start = Chess::default();
        if !reader.bit()? {
            start = position::Parikh::read(&mut reader)?;
            if start == Chess::default() {
                return Err(Error::damaged("the initial position where another is announced"));
            }
        }
        let end = if reader.bit()? { Some(count::read(&mut reader)?) } else { None };
        let mut arbiter = Arbiter::new(&start);
        let mut player = Player::new(&start, &self.order);
        let mut codes = Codes { form: self.form, first: None, hidden: BitString::new() };
        loop {
            let legal = player.legal()?;
            let over = match end {
                Some(plies) => player.plies() >= plies as usize,
                None => legal.is_empty() || arbiter.is_drawn(player.position()),
            };
            if over {
                break;
            }
            let which = codes.take(&legal, &mut reader)?;
            player.play(&legal, which)?;
            if end.is_none() {
                arbiter.note(legal[which], player.position());
            }
        }
        reader.finish()?;
        if codes.first == Some(true) {
            return Err(Error::damaged("a lucky bit for no move"));
        }
        Ok(Stored { start, moves: player.into_moves(), payload: codes.hidden })
    }

    /// Writes a game with bits from `lucky` where there is room for one.
    fn write(
        &self,
        start: &Chess,
        moves: &[Move],
        mut lucky: impl FnMut() -> bool,
    ) -> Result<BitString> {
        check_length(moves)?;
        let mut body = BitString::new();
        let mut stack = vec![];
        let mut walk = Walk::new(start, &self.order);
        let mut arbiter = Arbiter::new(start);
        // Whether the rules would have ended the game before the players did.
        let mut overdue = false;
        for &played in moves {
            let legal = walk.legal()?;
            overdue |= arbiter.is_drawn(walk.position());
            for choice in self.choices(&legal, played)? {
                match self.form {
                    Form::Ordinal | Form::PieceThenMove => choice.write(false, &mut body),
                    Form::Lucky => choice.write(choice.is_lucky() && lucky(), &mut body),
                    Form::Stack => {
                        stack.push(choice);
                        if !choice.is_lucky() {
                            write_stack(&mut stack, &mut body);
                        }
                    }
                }
            }
            walk.play(played);
            arbiter.note(played, walk.position());
        }
        write_stack(&mut stack, &mut body);

        let over = arbiter.is_drawn(walk.position()) || walk.legal()?.is_empty();
        let partial = overdue || !over;
        let initial = *start == Chess::default();
        let mut bits: BitString = [initial].into_iter().collect();
        if !initial {
            bits.extend(&position::Parikh.encode(start)?);
        }
        bits.push(partial);
        if partial {
            count::write(moves.len() as u32, &mut bits);
        }
        bits.extend(&body);
        Ok(bits)
    }

    /// The choices that make up a move, without those that are forced.
    fn choices(&self, legal: &MoveList, played: Move) -> Result<Vec<Choice>> {
        let which = ordinal(legal, played)? as u32;
        let mut choices = vec![Choice { which, of: legal.len() as u32 }];
        if self.form == Form::PieceThenMove {
            let pieces = pieces(legal);
            let piece = pieces.partition_point(|group| group.end <= which);
            let Range { start, end } = pieces[piece];
            choices = vec![
                Choice { which: piece as u32, of: pieces.len() as u32 },
                Choice { which: which - start, of: end - start },
            ];
        }
        choices.retain(|choice| choice.of > 1);
        Ok(choices)
    }
}

impl GameCode for Parikh {
    fn id(&self) -> &str {
        self.id
    }

    fn name(&self) -> &str {
        self.name
    }

    fn estimate(&self) -> Option<&str> {
        None
    }

    fn encode(&self, start: &Chess, moves: &[Move]) -> Result<BitString> {
        self.write(start, moves, || false)
    }

    fn decode(&self, start: &Chess, bits: &BitString) -> Result<Vec<Move>> {
        let stored = self.read(bits)?;
        if Coverage::RULES.same(start, &stored.start) {
            Ok(stored.moves)
        } else {
            Err(Error::damaged("a game from another position"))
        }
    }

    fn hide(&self, start: &Chess, moves: &[Move], payload: &BitString) -> Result<BitString> {
        self.encode_with(start, moves, payload)
    }

    fn reveal(&self, bits: &BitString) -> Result<BitString> {
        Ok(self.read(bits)?.payload)
    }

    fn payload_bits(&self, start: &Chess, moves: &[Move]) -> Result<usize> {
        let mut asked = 0;
        self.write(start, moves, || {
            asked += 1;
            false
        })?;
        Ok(asked)
    }
}
