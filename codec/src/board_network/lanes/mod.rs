//! The network with squares in lanes, for processors with AVX-512 VNNI.
//!
//! A register of 512 bits holds a number of 32 bits, or four bytes of consecutive channels, for each of 16 squares: four
//! registers are a board. So a product is a sum of registers, what a layer writes has the form that the next one reads,
//! and nothing is ever added up across the lanes of a register. The numbers are those of the rows of the other modules;
//! `docs/format/board.md` defines them.
//!
//! | module | holds |
//! |---|---|
//! | `vector` | registers: how sums become bytes, rows become planes |
//! | `weights` | a matrix |
//! | `normal`, `attention`, `block`, `heads` | the parts of the network |

mod attention;
mod block;
mod heads;
mod normal;
mod vector;
mod weights;

use super::view::{RAYS, SQUARES, View};

pub use attention::Relation;
pub use vector::Vector;
use vector::{load, store, transposed};
pub use weights::Weights;

/// Lanes of a register.
const LANES: usize = 16;

/// Registers of a board.
const PARTS: usize = SQUARES / LANES;

/// Bytes of a lane.
const QUAD: usize = 4;

/// A number of 32 bits for each square: one of a channel, or the bytes of four channels, the first one lowest.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub struct Plane([[i32; LANES]; PARTS]);

impl Plane {
    /// Nothing on any square.
    pub const ZERO: Plane = Plane::of(0);

    /// The same on each square.
    const fn of(number: i32) -> Plane {
        Plane([[number; LANES]; PARTS])
    }
}

/// Memory that evaluations use again.
#[derive(Debug, Default)]
pub struct Workspace {
    /// The residual stream: a plane for each channel.
    stream: Vec<Plane>,
    /// Bytes of four channels in each plane: normalised numbers, queries with the offset of signed inputs, keys, what
    /// squares say, what was attended to and heard, hidden units.
    normal: Vec<Plane>,
    queries: Vec<Plane>,
    keys: Vec<Plane>,
    said: Vec<Plane>,
    mixed: Vec<Plane>,
    hidden: Vec<Plane>,
    /// For each channel the bytes of four consecutive squares.
    values: Vec<[i32; LANES]>,
    /// Scores, then shares, of a head.
    scores: Vec<Plane>,
    /// Departures and arrivals of both policies, by square.
    vectors: Vec<[u8; QUAD]>,
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

/// For each direction, what each square hears.
pub struct Heard([[i32; SQUARES]; RAYS]);

impl Heard {
    /// What the squares of a position hear.
    #[inline(always)]
    pub fn new(view: &View) -> Heard {
        let mut heard = [[0; SQUARES]; RAYS];
        for (heard, from) in heard.as_flattened_mut().iter_mut().zip(view.heard.as_flattened()) {
            *heard = i32::from(*from);
        }
        Heard(heard)
    }
}
