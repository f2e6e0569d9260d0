//! Where the bits of an archive are.

pub mod bits_by_ply;
pub mod bits_by_tag;
pub mod position_or_game;
