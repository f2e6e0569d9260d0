//! The first moves of a game.

use shakmaty::{Chess, Move};

use crate::archive::{Follower, Verdict};
use crate::pgn::{self, Item, Token};

/// Moves that a game begins with, from the initial position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstMoves(Vec<Move>);

/// A game that has begun so as far as was seen.
struct Beginning<'a> {
    wanted: &'a [Move],
}

impl FirstMoves {
    /// The moves.
    pub fn moves(&self) -> &[Move] {
        &self.0
    }

    /// What follows a game.
    pub(super) fn follower(&self) -> Box<dyn Follower + '_> {
        Box::new(Beginning { wanted: &self.0 })
    }
}

impl Follower for Beginning<'_> {
    fn see(&mut self, position: &Chess, played: Option<Move>) -> Verdict {
        match (played, self.wanted) {
            (None, _) if *position == Chess::default() => Verdict::Open,
            (Some(played), [next, rest @ ..]) if played == *next => {
                self.wanted = rest;
                if rest.is_empty() { Verdict::Wanted } else { Verdict::Open }
            }
            _ => Verdict::Unwanted,
        }
    }

    fn end(&mut self) -> Verdict {
        Verdict::Unwanted
    }
}

/// Reads moves as PGN has them, such as `e4 c5 Nf3` or `1. e4 c5 2. Nf3`.
pub(super) fn parse(text: &str) -> Result<FirstMoves, String> {
    let wanted = || "moves are wanted, such as 'e4 c5 Nf3' or '1. e4 c5 2. Nf3'".to_owned();
    let parsed = pgn::parse(format!("[Event \"?\"]\n\n{text}\n").as_bytes());
    let [Item::Game(game)] = &parsed.items[..] else { return Err(wanted()) };
    let ([_], [line]) = (&game.tags[..], &game.lines[..]) else { return Err(wanted()) };
    for token in &game.tokens {
        match token {
            Token::Move => {}
            Token::Text(text) => {
                let text = String::from_utf8_lossy(text);
                let word = text.split_whitespace().next().unwrap_or_default();
                let plies = line.moves.len();
                return Err(format!("'{word}', behind {plies} plies, is no legal move"));
            }
            _ => return Err(wanted()),
        }
    }
    match line.moves.is_empty() {
        true => Err(wanted()),
        false => Ok(FirstMoves(line.moves.clone())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_with_and_without_numbers() {
        let moves = parse("e4 c5 Nf3").unwrap();
        assert_eq!(moves.0.len(), 3);
        for same in ["1. e4 c5 2. Nf3", "1.e4 c5 2.Ng1f3", " e2e4\tc7-c5 Nf3+ "] {
            assert_eq!(parse(same).as_ref(), Ok(&moves), "{same}");
        }
        for wrong in
            ["", "1.", "e4 {x}", "e4 (d4)", "e4 *", "e4 $1", "e4\n\n[Event \"?\"]\n\nd4", "%"]
        {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        for wrong in ["e4 e4", "e4 c5 Nf4", "e4 x"] {
            assert!(parse(wrong).unwrap_err().contains("is no legal move"), "{wrong}");
        }
    }
}
