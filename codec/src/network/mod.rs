//! The network that scores moves: an ONNX graph that is proved to compute exactly, then run.
//!
//! A graph is read (`onnx/`), proved exact (`proof/`) and partitioned at its look-ups
//! (`partition/`): sums of rows of its tables (`embedding_bag.rs`), scores of the squares that
//! moves use (`square_scores.rs`), and dense layers (`layers.rs`) whose products are made of integers
//! (`product.rs`).

mod activation;
mod dot;
mod embedding_bag;
mod graph;
mod layers;
pub mod onnx;
mod partition;
mod product;
mod proof;
mod square_scores;
mod table;
mod tensors;

#[cfg(target_arch = "x86_64")]
pub use dot::Avx2;
pub use dot::{BLOCK, Dot, Portable, QUAD, Weights};
pub use graph::{CHECK, Network, Query, Scores};
pub use tensors::{LONG_NUMBER, take_numbers, take_tensor, take_up_to};

/// The bytes of a file of the folder `models`, to test with.
#[cfg(test)]
pub fn model_file(name: &str) -> Vec<u8> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../models").join(name);
    std::fs::read(path).unwrap()
}

/// The file of the default model without what the network does not need.
#[cfg(test)]
fn embedded_network() -> onnx::ModelProto {
    let mut proto = onnx::decode(&model_file("standard.onnx")).unwrap();
    let graph = proto.graph.as_mut().unwrap();
    graph.initializer.retain(|tensor| !tensor.name.starts_with("plyzip."));
    proto
}
