//! Models of values that streams have in common: values by number, those seen before, the usual ones, new ones by their
//! letters.

mod candidates;
mod interner;
mod spelling;
mod top_symbols;

use std::collections;

pub(super) use candidates::Candidates;
pub(super) use interner::{Id, Interner};
pub(super) use spelling::{Setting, Spelling};
pub(super) use top_symbols::TopSymbols;

/// A map with a hash that takes a fraction of the time of the standard library's. Its seed is drawn anew for each map, so
/// that nobody can write an archive whose keys collide.
pub(super) type HashMap<K, V> = collections::HashMap<K, V, foldhash::fast::RandomState>;
