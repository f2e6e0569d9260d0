//! The network that scores moves: an ONNX graph that is proved to compute exactly, then run.
//!
//! A graph is proved exact ([`proof`]) and partitioned at its look-ups ([`partition`]): sums of
//! rows of its tables are computed here ([`embedding_bag`]), and what is left of it, dense
//! arithmetic, by tract ([`graph`]).

mod activation;
mod embedding_bag;
mod graph;
mod partition;
mod proof;

pub use graph::{Network, Query, Scores};

/// The file of the default model without what the network does not need.
#[cfg(test)]
fn embedded_network() -> tract_onnx::pb::ModelProto {
    use tract_onnx::prelude::Framework;

    let bytes = include_bytes!("../../models/standard.onnx");
    let mut proto = tract_onnx::onnx().proto_model_for_read(&mut &bytes[..]).unwrap();
    let graph = proto.graph.as_mut().unwrap();
    graph.initializer.retain(|tensor| !tensor.name.starts_with("plyzip."));
    proto
}
