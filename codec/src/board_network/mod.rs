//! The board network: a transformer over the 64 squares, in integers, with the same bits on every machine.
//!
//! `docs/format/board.md` defines the arithmetic and the file; `training/board` trains such networks and writes the file.
//! A model's file may have one beside its network of features: `predict` mixes the logits of both.
//!
//! ```text
//! History ─► View ─► tokens ─► blocks: attention and rays, two layers ─► heads ─► Outputs
//! ```
//!
//! What is compiled for wide registers is inlined into one function; on other processors than x86-64, where there is
//! nothing to be compiled for, it is left to the compiler.
//!
//! | module | holds |
//! |---|---|
//! | `squares`, `packed_move`, `view` | what the network sees of a position |
//! | `registers`, `plan`, `matrix` | products of bytes |
//! | `rounding`, `requantise`, `normal` | how sums become numbers of few bits |
//! | `lanes` | all of it for processors with AVX-512 VNNI |
//! | `sizes`, `attention`, `block`, `heads`, `network` | the parts of the network |
//! | `file`, `sample` | its file; one of random weights |

mod attention;
mod block;
mod file;
mod heads;
#[cfg(target_arch = "x86_64")]
mod lanes;
mod matrix;
mod network;
mod normal;
mod packed_move;
mod plan;
mod registers;
mod requantise;
mod rounding;
mod sample;
mod sizes;
mod squares;
#[cfg(test)]
mod tests;
mod view;
mod workspace;

pub use heads::Outputs;
pub use network::{BoardNetwork, TOGETHER};
pub use sample::sample;
pub use sizes::Sizes;
pub use view::View;
