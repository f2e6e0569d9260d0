//! The network with squares in lanes, for processors with AVX-512 VNNI.
//!
//! A register of 512 bits holds a number of 32 bits, or four bytes of consecutive channels, for each of 16 squares: four
//! registers are a board. So a product is a sum of registers, what a layer writes has the form that the next one reads,
//! and nothing is ever added up across the lanes of a register. The numbers are those of the rows of the other modules;
//! `docs/format/board.md` defines them.
//!
//! | module | holds |
//! |---|---|
//! | `plane`, `vector` | a number for each square; registers: how sums become bytes, rows become planes |
//! | `products`, `weights`, `requantise` | a matrix, and how its sums become numbers of few bits |
//! | `heard`, `relation` | what squares hear, and what their places say to each other |
//! | `normal`, `attention`, `block`, `heads` | the parts of the network |
//! | `workspace` | memory that evaluations use again |

mod attention;
mod block;
mod heads;
mod heard;
mod normal;
mod plane;
mod products;
mod relation;
mod requantise;
mod vector;
mod weights;
mod workspace;

pub use heard::Heard;
pub use relation::Relation;
pub use vector::Vector;
pub use weights::Weights;
pub use workspace::Workspace;
