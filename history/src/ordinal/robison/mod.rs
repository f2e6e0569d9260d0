//! Robison's systems (1993): the ordinal in a byte, in whole bits, in a share of one
//! number, and with the likeliest moves first.
//!
//! The end of the game (his "game-end notation"): a bit tells which of two ways is taken, the
//! shorter one for each game.
//!
//! 1. The number of bits stands in front. A forced move has an ordinal of no bits, so the game could as
//!    well end before it: every run of forced moves, within the game too, is written as 1 for a
//!    forced move of each player and 0 for a last one, so that three of them are `1 0`.
//! 2. The end is one more possibility in every position.
//!
//! [`Robison::ending`] takes one of the two for all games instead, to measure what each costs.
//!
//! One number in mixed radix takes the first way, for its length has to be recorded in
//! any case: the second would only add to it. The text lets its decoder stop when the quotient is zero; but a game whose last moves
//! are all the first in order then loses them. So our number ends in a 1 above the
//! last digit.
//!
//! A short code (improvements 3 and 4) stands only where there are more moves than it has words.
//! Elsewhere the move is a digit among all moves, as in improvement 2: that is how we read "Some will
//! require even less, in forcing positions". How wide the short code of improvement 4 is, the text
//! leaves open but for "2, 3 or 4 bits": ours is the narrowest that has a word for each
//! reasonable move and one for the others, so 3, 7 or 15 of them.

mod games;

use plyzip_codec::Result;
use shakmaty::{Chess, Move};

use super::code::{GameCode, check_length};
use super::order::{Order, Walk, ordinal};
use super::symbols::{Sink, Source, Symbols, read_counted, whole_bits, write_counted};
use crate::bits::BitString;

/// One of Robison's systems.
#[derive(Debug)]
pub struct Robison {
    id: &'static str,
    name: &'static str,
    estimate: Option<&'static str>,
    order: Order,
    symbols: Symbols,
    likely: Likely,
    ending: Ending,
}

/// The notation of the end of a game: Robison's "game-end notation".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The number of bits stands in front.
    Count,
    /// "The game ends here" is one more possibility in every position that has moves.
    Possibility,
    /// A bit in front of each game tells which of the two it is, the shorter one.
    Shorter,
}

/// How many moves are told apart by the short code, and how that is found.
#[derive(Debug, Clone, Copy)]
enum Likely {
    /// No short code: all moves are alike.
    No,
    /// A code of this number of bits; its last word announces one of the other moves.
    Bits(u32),
    /// 2, 3 or 4 bits, as the number of reasonable moves suggests.
    ByComplexity,
}

impl Robison {
    /// R0: the ordinal in a byte.
    pub fn bytes() -> Robison {
        Robison {
            id: "R0",
            name: "Robison: ordinal in a byte",
            estimate: Some("8"),
            order: Order::Canonical,
            symbols: Symbols::Bytes,
            likely: Likely::No,
            ending: Ending::Shorter,
        }
    }

    /// R1: the ordinal in whole bits.
    pub fn bits() -> Robison {
        Robison {
            id: "R1",
            name: "Robison 1: ordinal in whole bits",
            estimate: Some("5.5, maybe a little less"),
            symbols: Symbols::Bits,
            ..Robison::bytes()
        }
    }

    /// R2: the game as one number.
    pub fn integer() -> Robison {
        Robison {
            id: "R2",
            name: "Robison 2: one number in mixed radix",
            estimate: Some("just below 5"),
            symbols: Symbols::Integer,
            ending: Ending::Count,
            ..Robison::bytes()
        }
    }

    /// R3a: 3 bits for one of the seven likeliest moves in `order`.
    pub fn seven_likeliest(id: &'static str, name: &'static str, order: Order) -> Robison {
        let (estimate, likely) = (Some("close to 3"), Likely::Bits(3));
        Robison { id, name, estimate, order, likely, ..Robison::integer() }
    }

    /// R3b: 2 bits for one of the three likeliest moves in `order`.
    pub fn three_likeliest(id: &'static str, name: &'static str, order: Order) -> Robison {
        let (estimate, likely) = (Some("almost 2 (not believed)"), Likely::Bits(2));
        Robison { id, name, estimate, order, likely, ..Robison::integer() }
    }

    /// R4: 2, 3 or 4 bits, by the position's "reasonability complexity".
    pub fn by_complexity(id: &'static str, name: &'static str, order: Order) -> Robison {
        let (estimate, likely) = (Some("a little below 3; 2.75"), Likely::ByComplexity);
        Robison { id, name, estimate, order, likely, ..Robison::integer() }
    }

    /// RE: the same system with another way to tell where a game ends.
    ///
    /// ```
    /// use plyzip_history::ordinal::{Ending, GameCode, Robison};
    /// let start = shakmaty::Chess::default();
    /// let bits = |ending| Robison::bits().ending("", "", ending).encode(&start, &[]).unwrap().len();
    /// // No bits to follow; the last of 21 possibilities; a bit that tells which of them it is.
    /// let endings = [Ending::Count, Ending::Possibility, Ending::Shorter];
    /// assert_eq!(endings.map(bits), [5, 5, 6]);
    /// ```
    pub fn ending(self, id: &'static str, name: &'static str, ending: Ending) -> Robison {
        Robison { id, name, estimate: None, ending, ..self }
    }

    /// Bits that the moves would take if nothing had to tell where they end: the rest of what
    /// [`GameCode::encode`] writes is the cost of the end. For one number in mixed radix, its logarithm.
    ///
    /// # Errors
    /// [`Error::Usage`](plyzip_codec::Error::Usage) if a move is not legal, [`Error::Model`](plyzip_codec::Error::Model) if a network
    /// fails.
    pub fn move_bits(&self, start: &Chess, moves: &[Move]) -> Result<f64> {
        let mut walk = Walk::new(start, &self.order);
        let mut bits = 0.0;
        for &played in moves {
            let ranked = walk.ranked()?;
            let which = ordinal(&ranked.moves, played)? as u32;
            let mut cost = |possibilities| {
                bits += match self.symbols {
                    Symbols::Bytes => f64::from(u8::BITS),
                    Symbols::Bits => f64::from(whole_bits(possibilities)),
                    Symbols::Integer => f64::from(possibilities).log2(),
                };
            };
            let legal = ranked.moves.len() as u32;
            match self.short(legal, ranked.reasonable) {
                None => cost(legal),
                Some(short) => {
                    cost(short + 1);
                    if which >= short {
                        cost(legal - short);
                    }
                }
            }
            walk.play(played);
        }
        Ok(bits)
    }

    /// Whether a forced move takes no room, so that runs of them have to be told from the end.
    fn forced_is_free(&self) -> bool {
        self.symbols != Symbols::Bytes
    }

    /// How many moves the short code tells apart, if there is one for `legal` possibilities:
    /// with as many words as moves or more, it is just the ordinal among all of them.
    fn short(&self, legal: u32, reasonable: usize) -> Option<u32> {
        let bits = match self.likely {
            Likely::No => return None,
            Likely::Bits(bits) => bits,
            Likely::ByComplexity => match reasonable {
                0..=3 => 2,
                4..=7 => 3,
                _ => 4,
            },
        };
        Some((1 << bits) - 1).filter(|short| legal > short + 1)
    }

    /// Writes the ordinal of a move among `legal` possibilities.
    fn put(&self, sink: &mut Sink, which: u32, legal: u32, reasonable: usize) -> Result<()> {
        match self.short(legal, reasonable) {
            None => sink.put(which, legal),
            Some(short) if which < short => sink.put(which, short + 1),
            Some(short) => {
                sink.put(short, short + 1)?;
                sink.put(which - short, legal - short)
            }
        }
    }

    /// Reads what [`Robison::put`] wrote.
    fn take(&self, source: &mut Source, legal: u32, reasonable: usize) -> Result<u32> {
        match self.short(legal, reasonable) {
            None => source.take(legal),
            Some(short) => match source.take(short + 1)? {
                which if which < short => Ok(which),
                _ => Ok(short + source.take(legal - short)?),
            },
        }
    }
}

impl GameCode for Robison {
    fn id(&self) -> &str {
        self.id
    }

    fn name(&self) -> &str {
        self.name
    }

    fn estimate(&self) -> Option<&str> {
        self.estimate
    }

    fn encode(&self, start: &Chess, moves: &[Move]) -> Result<BitString> {
        check_length(moves)?;
        let (counted, ended) = self.write(start, moves)?;
        let shorter = self.ending == Ending::Shorter;
        let mut with_count: BitString = shorter.then_some(false).into_iter().collect();
        write_counted(&counted.into_bits(), &mut with_count)?;
        if self.ending == Ending::Count {
            return Ok(with_count);
        }
        let ended = ended.map(Sink::into_bits);
        let mut with_end: BitString = shorter.then_some(true).into_iter().collect();
        match ended {
            Err(error) if !shorter => return Err(error),
            Err(_) => return Ok(with_count),
            // Without its length, a number cannot be divided.
            Ok(ended) if self.symbols == Symbols::Integer => write_counted(&ended, &mut with_end)?,
            Ok(ended) => with_end.extend(&ended),
        }
        Ok(if shorter && with_count.len() <= with_end.len() { with_count } else { with_end })
    }

    fn decode(&self, start: &Chess, bits: &BitString) -> Result<Vec<Move>> {
        let mut reader = bits.reader();
        let ended = match self.ending {
            Ending::Count => false,
            Ending::Possibility => true,
            Ending::Shorter => reader.bit()?,
        };
        if !ended || self.symbols == Symbols::Integer {
            let counted = read_counted(&mut reader)?;
            reader.finish()?;
            reader = counted;
        }
        let mut source = Source::new(self.symbols, reader);
        if !ended {
            return self.read_counted(start, &mut source);
        }
        let moves = self.read_ended(start, &mut source)?;
        source.finish()?;
        Ok(moves)
    }
}
