//! Models of values that streams have in common: values by number, those seen before, the usual ones, new ones by their
//! letters.

mod candidates;
mod interner;
mod map;
mod spelling;
mod top_symbols;

pub(super) use candidates::Candidates;
pub(super) use interner::{Id, Interner};
pub(super) use map::HashMap;
pub(super) use spelling::{Setting, Spelling};
pub(super) use top_symbols::TopSymbols;
