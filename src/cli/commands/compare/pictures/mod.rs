//! The pictures that `plyzip compare` draws.

pub mod bars;
mod labels;
pub mod plot;

use super::row::Row;

/// The class of what belongs to a system: ours or theirs.
fn class(row: &Row) -> &'static str {
    if row.id.starts_with("plyzip") { "ours" } else { "theirs" }
}
