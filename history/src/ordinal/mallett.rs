//! PGC and Mallett's MGC (1994): the ordinal in a byte, or in groups of few bits that
//! can be extended.
//!
//! The end of the game is PGC's: its item `mvseq-2` has the number of moves in
//! front, in two bytes, the lower one first. MGC fills up its last byte. Where more than 256 moves are
//! legal, PGC's byte has no room for the last of them, and a game that plays one is refused.
//!
//! The text has the code of a reader and a writer in C, "untested". Two things are wrong with it.
//! The reader goes on while a group is *not* the extension and stops at one that is, so it stops at
//! the wrong places; and it takes the lower half of each byte first, where the writer begins with
//! the upper one. Ours reads what it writes, upper half first.

use plyzip_codec::{Error, Result};
use shakmaty::{Chess, Move};

use super::code::{GameCode, Player, check_length};
use super::order::{Order, Walk, ordinal};
use super::symbols::byte;
use crate::bits::BitString;

/// PGC or a kind of MGC.
#[derive(Debug)]
pub struct Mallett {
    id: &'static str,
    name: &'static str,
    estimate: Option<&'static str>,
    order: Order,
    form: Form,
}

/// How an ordinal is written.
#[derive(Debug, Clone, Copy)]
enum Form {
    /// In a byte.
    Byte,
    /// In groups of this number of bits.
    Groups(u32),
}

impl Mallett {
    /// M0: PGC.
    pub fn pgc() -> Mallett {
        Mallett {
            id: "M0",
            name: "PGC: ordinal in a byte, by name",
            estimate: Some("8"),
            order: Order::San,
            form: Form::Byte,
        }
    }

    /// M1: MGC with groups of four bits.
    pub fn mgc() -> Mallett {
        Mallett {
            id: "M1",
            name: "MGC: groups of 4 bits, by name",
            estimate: Some("6 of 30 moves"),
            form: Form::Groups(4),
            ..Mallett::pgc()
        }
    }

    /// M2: MGC with groups of five bits.
    pub fn mgc5() -> Mallett {
        Mallett {
            id: "M2",
            name: "MGC: groups of 5 bits, by name",
            estimate: Some("better than M1"),
            form: Form::Groups(5),
            ..Mallett::pgc()
        }
    }

    /// M3: MGC under an order that knows some chess; with groups of five bits instead of four and
    /// with checks before all other moves, or not.
    pub fn knowledge(five: bool, checks: bool) -> Mallett {
        let (id, name) = match (five, checks) {
            (false, false) => ("M3", "MGC: groups of 4 bits, eight classes"),
            (true, false) => ("M3-5", "MGC: groups of 5 bits, eight classes"),
            (false, true) => ("M3-checks", "MGC: groups of 4 bits, checks, eight classes"),
            (true, true) => ("M3-5-checks", "MGC: groups of 5 bits, checks, eight classes"),
        };
        Mallett {
            id,
            name,
            estimate: Some("below M1"),
            order: Order::Knowledge { checks },
            form: Form::Groups(if five { 5 } else { 4 }),
        }
    }
}

/// Bits that `ordinal` takes in groups of `width` bits.
///
/// ```
/// use plyzip_history::ordinal::group_bits;
/// assert_eq!([0, 14, 15, 29, 30, 44, 45].map(|ordinal| group_bits(ordinal, 4)),
///            [4, 4, 8, 8, 12, 12, 16]);
/// ```
pub const fn group_bits(ordinal: u32, width: u32) -> u32 {
    (ordinal / ((1 << width) - 1) + 1) * width
}

impl GameCode for Mallett {
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
        let plies = u16::try_from(moves.len())
            .map_err(|_| Error::Unsupported("a game longer than PGC counts".into()))?;
        let mut bits = BitString::from_bytes(plies.to_le_bytes().to_vec());
        let mut walk = Walk::new(start, &self.order);
        for &played in moves {
            let mut which = ordinal(&walk.legal()?, played)? as u32;
            match self.form {
                Form::Byte => bits.push_bits(u64::from(byte(which)?), u8::BITS),
                Form::Groups(width) => {
                    let extension = (1 << width) - 1;
                    while which >= extension {
                        bits.push_bits(u64::from(extension), width);
                        which -= extension;
                    }
                    bits.push_bits(u64::from(which), width);
                }
            }
            walk.play(played);
        }
        bits.pad();
        Ok(bits)
    }

    fn decode(&self, start: &Chess, bits: &BitString) -> Result<Vec<Move>> {
        let mut reader = bits.reader();
        let plies = usize::from((reader.bits(16)? as u16).swap_bytes());
        let mut player = Player::new(start, &self.order);
        for _ in 0..plies {
            let legal = player.legal()?;
            let which = match self.form {
                Form::Byte => reader.bits(u8::BITS)? as usize,
                Form::Groups(width) => {
                    let extension = (1 << width) - 1;
                    let mut which = 0;
                    loop {
                        let group = reader.bits(width)? as usize;
                        which += group;
                        if group != extension {
                            break which;
                        }
                        if which >= legal.len() {
                            return Err(Error::damaged("a code that stands for no move"));
                        }
                    }
                }
            };
            player.play(&legal, which)?;
        }
        reader.align()?;
        reader.finish()?;
        Ok(player.into_moves())
    }
}
