//! The features of a position and of each legal move, as indices: the input of the network.
//!
//! Everything is seen from the side to move: for Black the board is flipped
//! top to bottom, and colours are "own" and "enemy". A model is trained for one
//! numbering of the indices, which has the version [`FEATURES_VERSION`].

mod attack_map;
mod board;
mod buckets;
mod context;
mod evaluation;
pub mod index;
mod moves;
mod plain_features;
mod quiescence;
mod relations;
mod tactical_features;
mod tactics;

pub use board::board_features;
pub use buckets::{
    choice_bucket, class, elo_bucket, halfmove_bucket, pace_bucket, ply_bucket, year_bucket,
};
pub use context::{GameContext, Pace};
pub use evaluation::{TERMS, phase, terms};
pub use index::{
    ADAPTED_SLOTS, AdaptedIndices, BOARD_FEATURES, BOARD_PADDING, BOARD_SLOTS, BoardIndices,
    FEATURES_VERSION, MOVE_FEATURES, MOVE_SLOTS, MoveIndices, PLAIN_FEATURES, PLAIN_SLOTS, adapted,
};
pub use moves::move_features;
pub use tactics::{MoveTactics, Tactics};
