//! PGN: bytes to games and back.

mod game;
mod parse;
mod san;
mod split;
mod tag;

pub use game::{Branch, Game, Item, Line, Outcome, Tag, Token};
pub(crate) use parse::SUFFIXES;
pub use parse::{Atom, AtomKind, Document, MAX_DEPTH, MAX_LINES, Spelling, parse};
pub use san::{San, SanForm};
pub use split::game_starts;
