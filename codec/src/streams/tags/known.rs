//! The coded values of a game, as contexts of the next ones.

use shakmaty::{ByColor, Color};

use super::players::Pairing;
use crate::streams::values::Id;

/// The values of a game that were coded already, as far as models of others depend on them.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub pairing: Pairing,
    pub players: ByColor<Option<Id>>,
    pub elos: ByColor<Option<i64>>,
    pub rating_diffs: ByColor<Option<i64>>,
    pub result: Option<Id>,
    /// The last date, and the last time.
    pub date: Option<Id>,
    pub time: Option<Id>,
    /// The random identifier at the end of the site.
    pub identifier: Option<Id>,
    /// The value coded before this one, of whatever column.
    pub before: Id,
}

impl Known {
    /// The player of a side as a context: [`Id::MAX`] if there is none yet.
    pub fn player(&self, side: Color) -> Id {
        self.players[side].unwrap_or(Id::MAX)
    }
}
