//! PGN: bytes to games and back.

pub(crate) mod atom;
mod game;
mod movetext;
mod one_game;
mod parse;
pub(crate) mod san;
mod split;
mod tag;
mod tag_text;
pub(crate) mod weight;

pub(crate) use atom::{Atom, AtomKind, Spelling};
pub use game::{Branch, Game, Item, Line, Outcome, Tag, Token};
pub(crate) use movetext::SUFFIXES;
pub use movetext::{MAX_DEPTH, MAX_LINES};
pub use one_game::tags_of_one_game;
pub(crate) use parse::parse_while;
pub use parse::{Document, parse};
pub(crate) use san::{San, SanForm};
pub use split::game_starts;
pub use tag_text::tag_text;
