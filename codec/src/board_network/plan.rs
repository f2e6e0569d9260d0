//! A matrix as the file gives it.

/// What is added to signed inputs, from -63 to 63, so that they are bytes without sign.
pub const OFFSET: u8 = 64;

/// The numbers of a matrix, before they are packed.
#[derive(Clone, Copy)]
pub struct Plan<'a> {
    /// For errors.
    pub name: &'a str,
    /// Number of inputs, a multiple of four.
    pub inputs: usize,
    /// Number of outputs.
    pub outputs: usize,
    /// The weight, from -127 to 127, of an input for an output.
    pub weight: &'a dyn Fn(usize, usize) -> i8,
    /// One for each output.
    pub bias: &'a [i32],
    /// Where inputs with a smaller unit begin, and by how many bits it is smaller: quads, in their order.
    pub steps: &'a [(usize, u32)],
    /// Whether inputs have [`OFFSET`] added.
    pub signed: bool,
}
