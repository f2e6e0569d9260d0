//! Model of the results of games.

use shakmaty::{ByColor, Color};

use super::known::Known;
use super::values::{RESULT, Values};
use crate::Result;
use crate::entropy::{Coder, hash};
use crate::streams::values::Id;

/// The usual results; their order is part of the format.
const RESULTS: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];

/// The index in [`RESULTS`] of the value of a tag `Result`: 0 for White, 1 for Black, 2 for a draw, 3 for an unknown one.
pub(super) fn index(value: &[u8]) -> Option<usize> {
    RESULTS.iter().position(|&result| result == value)
}

/// Codes the value of the tag `Result`, by the ratings, the players and the event.
///
/// # Errors
/// Those of [`Coder::bit`], and [`Error::Limit`](crate::Error::Limit) if what is read is too long.
pub(super) fn code<C: Coder>(
    coder: &mut C,
    values: &mut Values,
    column: u32,
    known: &mut Known,
    value: &[u8],
) -> Result<Id> {
    let ahead = match known.elos {
        ByColor { white: Some(white), black: Some(black) } => (white - black).clamp(-600, 600),
        _ => 1000,
    };
    let level = known.elos.white.unwrap_or(0) / 200;
    let result = index(value);
    let bases = [
        hash((ahead / 25) as u32, 0),
        hash((ahead / 80) as u32, level as u32),
        known.player(Color::White),
        hash(known.player(Color::Black), 1),
        known.pairing.event,
        hash((ahead / 200) as u32, 2),
    ];
    let mut id = None;
    for (rank, name) in RESULTS.into_iter().enumerate() {
        let contexts = bases.map(|base| hash(base, rank as u32));
        if values.numbers.code(coder, &contexts, RESULT, rank, result == Some(rank))? {
            id = Some(values.interner.intern(name));
            break;
        }
    }
    let id = match id {
        Some(id) => id,
        None => values.spell(coder, column, 0, value)?,
    };
    known.result = Some(id);
    Ok(id)
}
