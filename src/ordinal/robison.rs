//! Robison's systems (1993): the ordinal in a byte, in whole bits, in a share of one
//! number, and with the likeliest moves first.
//!
//! The end of the game (his "game-end notation"): a bit tells which of two ways is taken, the
//! shorter one for each game.
//!
//! 1. The number of bits stands in front. Forced moves cost nothing inside the game, but then a
//!    run of them has to be told from the end: 0 is one forced move, 1 a forced move of each
//!    player, so that three of them before the end are `1 0`.
//! 2. The end is one more possibility in every position.
//!
//! One number in mixed radix knows only the first way, for its length has to be recorded in
//! any case. The text lets its decoder stop when the quotient is zero; but a game whose last moves
//! are all the first in order then loses them. So our number ends in a 1 above the
//! last digit.

use shakmaty::{Chess, Move};

use super::code::{GameCode, Player, check_length};
use super::order::{Order, Walk, ordinal};
use super::symbols::{Sink, Source, Symbols, read_counted, write_counted};
use crate::bits::BitString;
use crate::{Error, Result};

/// One of Robison's systems.
#[derive(Debug)]
pub struct Robison {
    id: &'static str,
    name: &'static str,
    estimate: Option<&'static str>,
    order: Order,
    symbols: Symbols,
    likely: Likely,
}

/// How many moves are told apart by the short code, and how that is found.
#[derive(Debug, Clone, Copy)]
enum Likely {
    /// No short code: all moves are alike.
    No,
    /// A code of so many bits; its last word announces one of the other moves.
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

    /// Whether a forced move takes no room, so that runs of them have to be told from the end.
    fn forced_is_free(&self) -> bool {
        self.symbols != Symbols::Bytes
    }

    /// How many moves the short code tells apart, if there is one for `legal` possibilities:
    /// with as many words as moves or more, it is just the ordinal.
    fn short(&self, legal: u32, reasonable: usize) -> Option<u32> {
        let bits = match self.likely {
            Likely::No => return None,
            Likely::Bits(bits) => bits,
            Likely::ByComplexity => match reasonable {
                0..=3 => 2,
                4..=8 => 3,
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

    /// The game without and with its end as a possibility.
    fn write(&self, start: &Chess, moves: &[Move]) -> Result<(Sink, Result<Sink>)> {
        let mut walk = Walk::new(start, &self.order);
        let mut counted = Sink::new(self.symbols);
        let mut ended = Ok(Sink::new(self.symbols));
        // Forced moves since the last choice.
        let mut forced = 0;
        for &played in moves {
            let ranked = walk.ranked()?;
            let (which, legal) =
                (ordinal(&ranked.moves, played)? as u32, ranked.moves.len() as u32);
            if legal == 1 && self.forced_is_free() {
                forced += 1;
            } else {
                put_forced(&mut counted, &mut forced)?;
                self.put(&mut counted, which, legal, ranked.reasonable)?;
            }
            ended = ended.and_then(|mut sink| {
                self.put(&mut sink, which, legal + 1, ranked.reasonable).map(|()| sink)
            });
            walk.play(played);
        }
        put_forced(&mut counted, &mut forced)?;
        let ranked = walk.ranked()?;
        let legal = ranked.moves.len() as u32;
        if legal > 0 {
            ended = ended.and_then(|mut sink| {
                self.put(&mut sink, legal, legal + 1, ranked.reasonable).map(|()| sink)
            });
        }
        Ok((counted, ended))
    }

    /// Reads a game with its length in front.
    fn read_counted(&self, start: &Chess, source: &mut Source) -> Result<Vec<Move>> {
        let mut player = Player::new(start, &self.order);
        while !source.is_empty() {
            let ranked = player.ranked()?;
            let legal = ranked.moves.len() as u32;
            if legal == 1 && self.forced_is_free() {
                let both = source.take(2)? == 1;
                player.play(&ranked.moves, 0)?;
                if both {
                    let reply = player.ranked()?.moves;
                    if reply.len() != 1 {
                        return Err(Error::damaged("a forced move where there is a choice"));
                    }
                    player.play(&reply, 0)?;
                }
            } else {
                let which = self.take(source, legal, ranked.reasonable)?;
                player.play(&ranked.moves, which as usize)?;
            }
        }
        Ok(player.into_moves())
    }

    /// Reads a game that tells its end.
    fn read_ended(&self, start: &Chess, source: &mut Source) -> Result<Vec<Move>> {
        let mut player = Player::new(start, &self.order);
        loop {
            let ranked = player.ranked()?;
            let legal = ranked.moves.len() as u32;
            if legal == 0 {
                break;
            }
            let which = self.take(source, legal + 1, ranked.reasonable)?;
            if which == legal {
                break;
            }
            player.play(&ranked.moves, which as usize)?;
        }
        Ok(player.into_moves())
    }
}

/// Writes a run of forced moves: 1 for a forced move of each player, 0 for a last one.
fn put_forced(sink: &mut Sink, forced: &mut u32) -> Result<()> {
    for _ in 0..*forced / 2 {
        sink.put(1, 2)?;
    }
    if *forced % 2 == 1 {
        sink.put(0, 2)?;
    }
    *forced = 0;
    Ok(())
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
        let mut bits = BitString::new();
        if self.symbols == Symbols::Integer {
            write_counted(&counted.into_bits(), &mut bits)?;
            return Ok(bits);
        }
        bits.push(false);
        write_counted(&counted.into_bits(), &mut bits)?;
        if let Ok(ended) = ended {
            let ended = ended.into_bits();
            if 1 + ended.len() < bits.len() {
                bits = [true].into_iter().collect();
                bits.extend(&ended);
            }
        }
        Ok(bits)
    }

    fn decode(&self, start: &Chess, bits: &BitString) -> Result<Vec<Move>> {
        let mut reader = bits.reader();
        if self.symbols == Symbols::Integer || !reader.bit()? {
            let counted = read_counted(&mut reader)?;
            reader.finish()?;
            return self.read_counted(start, &mut Source::new(self.symbols, counted));
        }
        let mut source = Source::new(self.symbols, reader);
        let moves = self.read_ended(start, &mut source)?;
        source.finish()?;
        Ok(moves)
    }
}
