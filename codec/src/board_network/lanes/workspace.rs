//! Memory that evaluations use again.

use super::super::view::SQUARES;
use super::plane::{LANES, PARTS, Plane};
use super::vector::{Vector, load, store, transposed};
use crate::network::QUAD;

/// What is computed on the way.
#[derive(Debug, Default)]
pub struct Workspace {
    /// The residual stream: a plane for each channel.
    pub(super) stream: Vec<Plane>,
    /// Bytes of four channels in each plane: normalised numbers, queries with the offset of signed inputs, keys, what
    /// squares say, what was attended to and heard, hidden units.
    pub(super) normal: Vec<Plane>,
    pub(super) queries: Vec<Plane>,
    pub(super) keys: Vec<Plane>,
    pub(super) said: Vec<Plane>,
    pub(super) mixed: Vec<Plane>,
    pub(super) hidden: Vec<Plane>,
    /// For each channel the bytes of four consecutive squares.
    pub(super) values: Vec<[i32; LANES]>,
    /// Scores, then shares, of a head.
    pub(super) scores: Vec<Plane>,
    /// Departures and arrivals of both policies, by square.
    pub(super) vectors: Vec<[u8; QUAD]>,
}

impl Workspace {
    /// Sets the residual stream to (64, width) numbers.
    #[inline(always)]
    pub fn begin(&mut self, vector: Vector, rows: &[i32]) {
        let width = rows.len() / SQUARES;
        self.stream.resize(width, Plane::ZERO);
        for part in 0..PARTS {
            for (block, planes) in self.stream.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
                let mut numbers = [vector.splat(0); LANES];
                for (lane, numbers) in numbers.iter_mut().enumerate() {
                    let start = (LANES * part + lane) * width + LANES * block;
                    let mut row = [0; LANES];
                    row.copy_from_slice(&rows[start..start + LANES]);
                    *numbers = load(&row);
                }
                for (plane, column) in planes.iter_mut().zip(transposed(vector, numbers)) {
                    plane.0[part] = store(column);
                }
            }
        }
    }
}
