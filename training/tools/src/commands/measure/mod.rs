//! Measures of where the bits of an archive go.

pub mod bits_by_ply;
pub mod bits_by_tag;
pub mod position_or_game;
