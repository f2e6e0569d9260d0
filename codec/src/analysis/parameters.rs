//! The parameters of the analysis, each with its unit. A change of one changes what models predict, and
//! so needs a new [`FEATURES_VERSION`](crate::features::FEATURES_VERSION).

/// Nodes: the most that a model may ask for, some seconds of search for each position.
pub const MAX_NODES: u64 = 1_000_000;

/// Moves: the most that a model may ask to search fully.
pub const MAX_WIDTH: u64 = 255;

/// Centipawns: the largest scouting margin that a model may ask for.
pub const MAX_SCOUT_MARGIN: u64 = 1_000;

/// Nats in units of 2<sup>-16</sup>: moves whose logit is lower than the highest by more than this are
/// not fully searched.
pub const UNLIKELY: i32 = 9 << 15;

/// Probability in units of 2<sup>-31</sup>: a position is not searched if a move is as likely as this.
pub const CERTAIN: u32 = (1 << 31) / 64 * 63;

/// Bits in units of 2<sup>-16</sup>: where the entropy of the network's prediction is lower, a search
/// gets a quarter, or half, of the nodes.
pub const LOW_ENTROPY: [i32; 2] = [3 << 14, 5 << 14];

/// Plies played: before them a search gets no nodes, a quarter, or half of the nodes.
pub const OPENING_PLIES: [i32; 3] = [16, 20, 32];
