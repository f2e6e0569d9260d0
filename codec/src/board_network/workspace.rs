//! Memory that evaluations use again.

/// What is computed on the way. Each part is (64, ...), sized where it is filled.
#[derive(Debug, Default)]
pub struct Workspace {
    /// Normalised numbers of squares, or what else a matrix reads.
    pub normal: Vec<u8>,
    /// Queries, with the offset of signed inputs.
    pub queries: Vec<u8>,
    /// Keys and values, bytes with a sign.
    pub keys: Vec<u8>,
    pub values: Vec<u8>,
    /// What squares say to those that hear them, and a 65th square that says nothing.
    pub said: Vec<u8>,
    /// What was attended to and heard.
    pub mixed: Vec<u8>,
    pub hidden: Vec<u8>,
    pub attention: super::attention::Scratch,
    pub product: super::matrix::Sums,
}
