//! Chess rules and terms that shakmaty does not have, or that are part of the format and so are defined here: an order
//! of moves and a key of positions, the history of a game, static exchange evaluation, insufficient material, and the
//! generation of captures and of quiet moves. What is left of shakmaty's is pinned by tests (`pinned`, and
//! `tests/rules.rs`).

mod attackers;
mod captures;
mod history;
mod lines;
mod material;
mod order;
mod pawns;
#[cfg(test)]
mod pinned;
mod position_key;
mod quiets;
#[cfg(test)]
pub mod random_games;
mod see;

pub use attackers::{
    Lines, SliderAttacks, Tables, attackers, attackers_along, checkers, checkers_by,
};
pub use captures::{captures, leaves_king};
pub use history::{EARLIER_BOARDS, History, arrival, gives_check};
pub use lines::{bishop_attacks, piece_attacks, queen_attacks, rook_attacks};
pub use material::is_insufficient_material;
pub use order::{legal_moves, legal_moves_to};
pub use pawns::{advance, passed_pawns, pawn_attacks, reach, way};
pub use position_key::{TURN_KEY, feature_key, piece_key, pieces_key, position_key, state_key};
pub use quiets::{castles, is_quiet, quiets};
pub use see::{
    attacked_by, gain, least_valuable, loses_more_than, role_value, see, see_at_least, see_by,
    see_of,
};
