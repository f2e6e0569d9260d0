//! Terminations of games: Robison's open question of a canonical list, in a code of six bits.

use plyzip_codec::pgn::Outcome;
use plyzip_codec::unstable::chess::is_insufficient_material;
use plyzip_codec::{Error, Result};
use shakmaty::{Chess, Position};

use crate::bits::{BitReader, BitString};

/// Bits of a termination.
const BITS: u32 = 6;

macro_rules! terminations {
    ($($(#[$doc:meta])* $name:ident = $code:literal => $winner:ident,)+) => {
        /// The termination of a game. The number of each is its code for ever; 29 of the 64 codes are taken.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Termination {
            $($(#[$doc])* $name = $code,)+
        }

        impl Termination {
            /// All of them, by code.
            pub const ALL: &'static [Termination] = &[$(Termination::$name),+];

            /// The result that it means.
            pub const fn outcome(self) -> Outcome {
                match self {
                    $(Termination::$name => Outcome::$winner,)+
                }
            }
        }
    };
}

terminations! {
    /// Nothing is known of it.
    Unknown = 0 => Unknown,
    /// White checkmates.
    WhiteMates = 1 => White,
    /// Black checkmates.
    BlackMates = 2 => Black,
    /// Black resigns.
    BlackResigns = 3 => White,
    /// White resigns.
    WhiteResigns = 4 => Black,
    /// Black oversteps the time.
    BlackOutOfTime = 5 => White,
    /// White oversteps the time.
    WhiteOutOfTime = 6 => Black,
    /// Black does not appear.
    BlackAbsent = 7 => White,
    /// White does not appear.
    WhiteAbsent = 8 => Black,
    /// Black loses by the arbiter's decision: illegal moves, outside help, conduct.
    BlackForfeits = 9 => White,
    /// White loses by the arbiter's decision.
    WhiteForfeits = 10 => Black,
    /// Black gives up an adjourned game without playing on.
    BlackDoesNotResume = 11 => White,
    /// White gives up an adjourned game without playing on.
    WhiteDoesNotResume = 12 => Black,
    /// The players agree on a draw.
    Agreement = 13 => Draw,
    /// Stalemate.
    Stalemate = 14 => Draw,
    /// The third occurrence of a position is claimed.
    ThirdRepetition = 15 => Draw,
    /// The fifth occurrence of a position ends the game.
    FifthRepetition = 16 => Draw,
    /// Fifty moves without capture or pawn move are claimed.
    FiftyMoves = 17 => Draw,
    /// Seventy-five moves without capture or pawn move end the game.
    SeventyFiveMoves = 18 => Draw,
    /// Neither side can mate with what is left.
    InsufficientMaterial = 19 => Draw,
    /// Neither side can mate for other reasons.
    DeadPosition = 20 => Draw,
    /// One side oversteps the time, the other cannot mate.
    TimeWithoutMaterial = 21 => Draw,
    /// Both sides have overstepped the time.
    BothOutOfTime = 22 => Draw,
    /// White is declared the winner of an unfinished game.
    AdjudicatedWhite = 23 => White,
    /// Black is declared the winner of an unfinished game.
    AdjudicatedBlack = 24 => Black,
    /// An unfinished game is declared a draw.
    AdjudicatedDraw = 25 => Draw,
    /// The game is still going on, or only its beginning is recorded.
    Unfinished = 26 => Unknown,
    /// The game was broken off and does not count.
    Abandoned = 27 => Unknown,
    /// Both sides lose.
    BothForfeit = 28 => Unknown,
}

impl Termination {
    /// The termination with this code, below 64.
    pub fn from_code(code: u8) -> Option<Termination> {
        Termination::ALL.get(usize::from(code)).copied()
    }

    /// Its code, below 64.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The termination by the last position and the announced result: checkmate, stalemate, too little
    /// material, or nothing certain.
    ///
    /// ```
    /// use plyzip_history::ordinal::Termination;
    /// use plyzip_codec::pgn::Outcome;
    /// let start = shakmaty::Chess::default();
    /// assert_eq!(Termination::of(&start, Outcome::White), Termination::Unknown);
    /// ```
    pub fn of(last: &Chess, outcome: Outcome) -> Termination {
        if last.is_checkmate() {
            let white = last.turn().is_black();
            if white { Termination::WhiteMates } else { Termination::BlackMates }
        } else if last.is_stalemate() {
            Termination::Stalemate
        } else if is_insufficient_material(last.board()) && outcome == Outcome::Draw {
            Termination::InsufficientMaterial
        } else {
            Termination::Unknown
        }
    }

    /// Appends the code.
    pub fn write(self, bits: &mut BitString) {
        bits.push_bits(u64::from(self.code()), BITS);
    }

    /// Reads a code.
    ///
    /// # Errors
    /// [`Error::Damaged`] if the bits end or the code is not taken.
    pub fn read(reader: &mut BitReader) -> Result<Termination> {
        Termination::from_code(reader.bits(BITS)? as u8)
            .ok_or_else(|| Error::damaged("an unknown way for a game to end"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_come_back() {
        for (code, &termination) in Termination::ALL.iter().enumerate() {
            assert_eq!(usize::from(termination.code()), code);
            let mut bits = BitString::new();
            termination.write(&mut bits);
            assert_eq!(bits.len(), 6);
            assert_eq!(Termination::read(&mut bits.reader()).unwrap(), termination);
        }
        assert_eq!(Termination::ALL.len(), 29);
        assert!(Termination::from_code(29).is_none());
    }
}
