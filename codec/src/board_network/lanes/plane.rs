//! A number for each square.

use super::super::view::SQUARES;

/// Lanes of a register.
pub const LANES: usize = 16;

/// Registers of a board.
pub const PARTS: usize = SQUARES / LANES;

/// A number of 32 bits for each square: one of a channel, or the bytes of four channels, the first one lowest.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub struct Plane(pub [[i32; LANES]; PARTS]);

impl Plane {
    /// Nothing on any square.
    pub const ZERO: Plane = Plane([[0; LANES]; PARTS]);
}
