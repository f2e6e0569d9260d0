//! The end of a game, as far as its moves and clocks tell.

use shakmaty::fen::Fen;
use shakmaty::{Chess, EnPassantMode, Position};

use crate::chess::is_insufficient_material;
use crate::entropy::hash;
use crate::pgn::{Game, Token};

/// The end of a game.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Ending {
    /// A context of the last position and the result.
    pub board: u32,
    /// The last clocks: of the side to move, and of the other.
    clocks: [u32; 2],
}

impl Ending {
    /// The end of a game; nothing is looked for unless that is `wanted`.
    pub fn of(game: &Game, wanted: bool) -> Ending {
        if !wanted {
            return Ending::default();
        }
        let result = game.tag("Result").map_or(0, |result| {
            result.iter().take(3).fold(0, |sum, &byte| sum << 8 | u32::from(byte))
        });
        let board = last_position(game).map_or(9, |position| {
            if position.is_checkmate() {
                1
            } else if position.is_stalemate() {
                2
            } else if is_insufficient_material(position.board()) {
                3
            } else {
                // Whether the side to move has lost.
                4 + u32::from(position.turn().is_white())
            }
        });
        let mut clocks = game.tokens.iter().rev().filter_map(|token| match token {
            Token::Comment(text) => clock(text),
            _ => None,
        });
        let other = clocks.next().map_or(9, class);
        let own = clocks.next().map_or(9, class);
        Ending { board: hash(board, result), clocks: [own, other] }
    }

    /// Everything that is known.
    pub fn all(self) -> u32 {
        hash(self.board, self.clocks[0] << 4 | self.clocks[1])
    }

    /// The last position as servers write it: without counters.
    pub fn position(game: &Game) -> String {
        last_position(game).map_or_else(String::new, |position| {
            let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
            fen.rsplitn(3, ' ').last().unwrap_or_default().to_owned()
        })
    }
}

fn last_position(game: &Game) -> Option<Chess> {
    let mut position = game.start()?;
    for &played in &game.lines.first()?.moves {
        if !position.is_legal(played) {
            return None;
        }
        position.play_unchecked(played);
    }
    Some(position)
}

/// The seconds that a comment's clock shows.
fn clock(text: &[u8]) -> Option<u32> {
    let text = std::str::from_utf8(text).ok()?;
    let (_, rest) = text.split_once("[%clk ")?;
    let time = rest.split([']', '.']).next()?;
    time.split(':').try_fold(0u32, |sum, part| {
        let part: u32 = part.trim().parse().ok().filter(|&part: &u32| part < 100)?;
        sum.checked_mul(60)?.checked_add(part)
    })
}

/// A class of seconds.
fn class(seconds: u32) -> u32 {
    match seconds {
        0..=1 => 0,
        2..=4 => 1,
        5..=9 => 2,
        10..=19 => 3,
        20..=59 => 4,
        _ => 5,
    }
}
