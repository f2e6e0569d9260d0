//! The numbering of the features, which is part of what a model is trained for.

use std::ops::Range;

/// Version of the features and of all else that a prediction with a network depends on (tactics,
/// evaluation, search, mix); models name the one that they were made for.
pub const FEATURES_VERSION: u32 = 8;

/// Most board features a position can have; unused places hold [`BOARD_PADDING`].
pub const BOARD_SLOTS: usize = 67;

/// Features of one move that need no search.
pub const PLAIN_SLOTS: usize = 14;

/// Features of one move.
pub const MOVE_SLOTS: usize = PLAIN_SLOTS + TACTICAL_SLOTS + RELATIONS;

/// Features of one move from its own tactics.
pub const TACTICAL_SLOTS: usize = 5;

/// Assigns consecutive ranges of indices to named groups of features.
macro_rules! index_ranges {
    ($total:ident: $($name:ident = $size:expr),+ $(,)?) => {
        index_ranges!(@ 0; $($name = $size,)+);
        const SIZES: &[usize] = &[$($size),+];
        /// Number of indices, padding included.
        pub const $total: usize = {
            let mut sum = 0;
            let mut index = 0;
            while index < SIZES.len() {
                sum += SIZES[index];
                index += 1;
            }
            sum
        };
        /// Name and first index of each range, in order.
        pub const RANGES: &[(&str, usize)] = &[$((stringify!($name), $name)),+];
    };
    (@ $start:expr; $name:ident = $size:expr, $($rest:tt)*) => {
        pub(crate) const $name: usize = $start;
        index_ranges!(@ $start + $size; $($rest)*);
    };
    (@ $start:expr;) => {};
}

/// Indices of board features.
pub mod board {
    use crate::features::buckets::VALUE_BUCKETS;

    index_ranges! { BOARD_FEATURES:
        // ((own pawns, enemy pawns) x 48 squares, (other own, other enemy) x 64 squares) x
        // (attacked + 2 defended), and the enemy king, who is not attacked, on 64 squares x
        // defended
        PIECE = (2 * 48 + 9 * 64) * 4 + 64 * 2,
        CASTLING = 4,
        EN_PASSANT = 8,
        // squares of departure and arrival of the last three plies
        LAST = 6 * 64,
        CAPTURED = 6,
        OWN_ELO = 18,
        ENEMY_ELO = 18,
        PLY = 40,
        RESULT = 4,
        HALFMOVES = 16,
        REPEATED = 3,
        CHECK = 1,
        WHITE = 1,
        // centipawns in buckets: what the best move wins, what the enemy would win if it were
        // its turn, and the balance of material
        WINS = VALUE_BUCKETS,
        FEARS = VALUE_BUCKETS,
        BALANCE = VALUE_BUCKETS,
        // legal moves
        CHOICE = 16,
        // squares of departure and arrival of the two plies before the last three
        EARLIER = 4 * 64,
        EVALUATION = VALUE_BUCKETS,
        // squares of passed pawns, own and enemy
        PASSED = 2 * 48,
        YEAR = 20,
        // pace x whether the game was played on a server
        PACE = 5 * 2,
        PADDING = 1,
    }
    /// Fills unused places.
    pub const BOARD_PADDING: u16 = PADDING as u16;
}

/// Indices of move features, one range for each slot.
pub mod moves {
    use crate::features::buckets::{DISPLACEMENTS, MAGNITUDES, VALUE_BUCKETS};

    index_ranges! { MOVE_FEATURES:
        FROM = 6 * 64,
        TO = 6 * 64,
        FROM_TO = 64 * 64,
        // role x captured (none, pawn .. king), then promotions to knight .. queen x captured
        CAPTURE = 6 * 7 + 4 * 7,
        // static exchange value x (quiet, capture)
        EXCHANGE = 2 * VALUE_BUCKETS,
        // role x what the enemy wins by taking on the square of departure
        HANGING = 6 * VALUE_BUCKETS,
        SAFETY = 256,
        ORIGIN = 256,
        THREAT = 256,
        KIND = 256,
        COURSE = 256,
        // role x displacement of the arrival from a king or from the last arrival
        ENEMY_KING = 6 * DISPLACEMENTS,
        OWN_KING = 6 * DISPLACEMENTS,
        LAST_ARRIVAL = 6 * DISPLACEMENTS + 1,
        // what the move wins after the best answer x how much less than the best move
        VALUE = VALUE_BUCKETS * MAGNITUDES,
        // what it threatens to win x what it lets the enemy win x whether it gives check
        INTENT = MAGNITUDES * MAGNITUDES * 2,
        // role x how much less than the best move x what it threatens x whether
        // something of its own hangs at present
        MOTIVE = 6 * MAGNITUDES * 4 * 2,
        // how much less than the best it changes the evaluation x phase x (quiet, capture, check)
        EVAL_DELTA = 12 * 4 * 3,
        // role x place among the changes of the evaluation x the change
        STANDING = 6 * 8 * 7,
        // flags: what the last moves have to do with it
        PAST = 256,
        // role x pawns on the file of departure x on that of arrival x whether enemy pawns can
        // attack it there, ever and soon
        PLACE = 6 * 4 * 4 * 4,
        // role x guards x attackers of the square of arrival x what is left unguarded x what is hit
        CONTEST = 6 * 4 * 4 * 3 * 4,
        // kind of piece x displacement of the arrival from the own last arrival, from the
        // foremost passed pawn, from the enemy's
        PLAN = 4 * DISPLACEMENTS + 1,
        OWN_RUNNER = 4 * DISPLACEMENTS + 1,
        ENEMY_RUNNER = 4 * DISPLACEMENTS + 1,
        // the greatest threat and how it is met x what is conceded x whether the move forces
        ANSWER = 31 * 4 * 2,
        // what changes of the evaluation: own mobility x the enemy's x kings x pawns
        PARTS = 7 * 5 * 5 * 5,
    }
}

/// Slots of a move's features that are asked for by name; the slots have the order of the ranges of [`moves`].
pub mod slots {
    use crate::features::index::moves::{self, RANGES};

    /// The slot of the range that begins with this index.
    const fn slot(start: usize) -> usize {
        let mut slot = 0;
        while RANGES[slot].1 != start {
            slot += 1;
        }
        slot
    }

    pub(crate) const FROM: usize = slot(moves::FROM);
    pub(crate) const TO: usize = slot(moves::TO);
    pub(crate) const EXCHANGE: usize = slot(moves::EXCHANGE);
    pub(crate) const HANGING: usize = slot(moves::HANGING);
    pub(crate) const SAFETY: usize = slot(moves::SAFETY);
    pub(crate) const ORIGIN: usize = slot(moves::ORIGIN);
    pub(crate) const THREAT: usize = slot(moves::THREAT);
    pub(crate) const KIND: usize = slot(moves::KIND);
    pub(crate) const COURSE: usize = slot(moves::COURSE);
    pub(crate) const VALUE: usize = slot(moves::VALUE);
    pub(crate) const INTENT: usize = slot(moves::INTENT);
    pub(crate) const EVAL_DELTA: usize = slot(moves::EVAL_DELTA);
    pub(crate) const PAST: usize = slot(moves::PAST);
}

/// The slots of the features whose weights are learned from an archive beside the linear policy: those of exchanges,
/// attacks and repetitions, in which archives differ most.
pub const ADAPTED_SLOTS: Range<usize> = slots::EXCHANGE..slots::COURSE + 1;

/// The features of one legal move in [`ADAPTED_SLOTS`], each as its place in the slot's range, since many are kept.
pub type AdaptedIndices = [u8; ADAPTED_SLOTS.end - ADAPTED_SLOTS.start];

/// The features in [`ADAPTED_SLOTS`] of a move with these features.
pub fn adapted(features: &MoveIndices) -> AdaptedIndices {
    std::array::from_fn(|slot| {
        let slot = ADAPTED_SLOTS.start + slot;
        (usize::from(features[slot]) - moves::RANGES[slot].1) as u8
    })
}

const _: () = {
    let mut slot = ADAPTED_SLOTS.start;
    while slot < ADAPTED_SLOTS.end {
        assert!(moves::RANGES[slot + 1].1 - moves::RANGES[slot].1 <= 1 << u8::BITS);
        slot += 1;
    }
};

pub use board::{BOARD_FEATURES, BOARD_PADDING};
pub use moves::MOVE_FEATURES;

/// Move features that need no search come first.
pub const PLAIN_FEATURES: usize = moves::VALUE;

/// Board features of a position, padded.
pub type BoardIndices = [u16; BOARD_SLOTS];

/// Features of one legal move, one for each slot.
pub type MoveIndices = [u16; MOVE_SLOTS];

/// Features that a move's relations have.
pub const RELATIONS: usize = 8;

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use super::super::{Tactics, move_features};
    use super::{moves, slots};
    use crate::chess::{History, legal_moves};

    #[test]
    fn slots_hold_features_of_their_ranges() {
        let history = History::new(Chess::default());
        let legal = legal_moves(history.position());
        let tactics = Tactics::new(&history, &legal);
        let mut features = vec![];
        move_features(&history, &legal, Some(&tactics), &mut features);
        for (slot, range) in [
            (slots::FROM, moves::FROM..moves::TO),
            (slots::TO, moves::TO..moves::FROM_TO),
            (slots::EXCHANGE, moves::EXCHANGE..moves::HANGING),
            (slots::HANGING, moves::HANGING..moves::SAFETY),
            (slots::SAFETY, moves::SAFETY..moves::ORIGIN),
            (slots::ORIGIN, moves::ORIGIN..moves::THREAT),
            (slots::THREAT, moves::THREAT..moves::KIND),
            (slots::KIND, moves::KIND..moves::COURSE),
            (slots::COURSE, moves::COURSE..moves::ENEMY_KING),
            (slots::VALUE, moves::VALUE..moves::INTENT),
            (slots::INTENT, moves::INTENT..moves::MOTIVE),
            (slots::EVAL_DELTA, moves::EVAL_DELTA..moves::STANDING),
            (slots::PAST, moves::PAST..moves::PLACE),
        ] {
            assert!(features.iter().all(|indices| range.contains(&usize::from(indices[slot]))));
        }
    }
}
