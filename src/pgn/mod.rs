//! PGN: bytes to games and back.

mod game;

pub use game::{Branch, Game, Item, Line, Outcome, Tag, Token};
