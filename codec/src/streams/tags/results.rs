//! Who has won.

use super::column::Side;
use super::tagger::{Known, RESULT, Tagger};
use crate::Result;
use crate::entropy::{Coder, hash};
use crate::streams::values::Id;

/// The usual results; their order is part of the format.
const RESULTS: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];

impl Tagger {
    /// The place in [`RESULTS`] of a coded value.
    pub(super) fn values_result(&self, id: Id) -> Option<usize> {
        let value = self.values.value(id);
        RESULTS.iter().position(|&result| result == value)
    }

    pub(super) fn result<C: Coder>(
        &mut self,
        coder: &mut C,
        column: u32,
        known: &mut Known,
        value: &[u8],
    ) -> Result<Id> {
        let ahead = match known.elos {
            [Some(white), Some(black)] => (white - black).clamp(-600, 600),
            _ => 1000,
        };
        let level = known.elos[0].unwrap_or(0) / 200;
        let result = RESULTS.iter().position(|&result| result == value);
        let bases = [
            hash((ahead / 25) as u32, 0),
            hash((ahead / 80) as u32, level as u32),
            known.player(Side::White),
            hash(known.player(Side::Black), 1),
            known.pairing.event,
            hash((ahead / 200) as u32, 2),
        ];
        let mut id = None;
        for (rank, name) in RESULTS.into_iter().enumerate() {
            let contexts = bases.map(|base| hash(base, rank as u32));
            if self.numbers.code(coder, &contexts, RESULT, rank, result == Some(rank))? {
                id = Some(self.values.intern(name));
                break;
            }
        }
        let id = match id {
            Some(id) => id,
            None => self.spell(coder, column, 0, value)?,
        };
        known.result = Some(id);
        Ok(id)
    }
}
