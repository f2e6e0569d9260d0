use super::*;
use crate::network::embedded_network;
use crate::network::onnx::{GraphProto, NodeProto};
use crate::network::proof::prove;
use crate::network::table::Table;

fn proved(change: impl FnOnce(&mut GraphProto)) -> Result<Proved> {
    let mut graph = embedded_network().graph.unwrap();
    change(&mut graph);
    prove(graph)
}

/// The first node of an operation that has an input of this name.
fn user<'a>(graph: &'a mut GraphProto, operation: &str, input: &str) -> &'a mut NodeProto {
    let uses = |node: &&mut NodeProto| {
        node.op_type == operation && node.input.iter().any(|name| name == input)
    };
    graph.node.iter_mut().find(uses).unwrap()
}

#[test]
fn the_parts_are_those_of_the_graph() {
    let parts = partition(&proved(|_| ()).unwrap()).unwrap();
    assert_eq!((parts.boards.width(), parts.moves.width()), (1024, 128));
    assert_eq!(parts.activation, Activation { low: 0.0, high: 127.0 });
    assert_eq!(parts.squares.shape(), [320, 768]);
    assert_eq!(parts.position_layers.widths(), [128, 320, 1]);
    assert_eq!(parts.move_layers.widths(), [1]);
}

#[test]
fn exact_graphs_of_another_form_are_refused() {
    let refused = |why: &str, change: &dyn Fn(&mut GraphProto)| {
        let error = partition(&proved(change).unwrap()).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    };
    // A second reader of an input, of the rows of a table, of a sum.
    for (operation, input) in [("Gather", "boards"), ("ReduceSum", ""), ("Add", "")] {
        refused("is not used exactly once", &|graph| {
            let first = graph.node.iter().position(|node| {
                node.op_type == operation && (input.is_empty() || node.input[1] == input)
            });
            let mut again = graph.node[first.unwrap()].clone();
            again.output[0] = "again".into();
            graph.node.push(again);
        });
    }
    refused("does not go to a Clip", &|graph| {
        let sum = user(graph, "Add", "board_table_bias").output[0].clone();
        let clip = graph.node.iter().position(|node| node.input[0] == sum).unwrap();
        graph.node[clip].input[0] = "between".into();
        let between = NodeProto {
            op_type: "Add".into(),
            input: vec![sum, "board_table_bias".into()],
            output: vec!["between".into()],
            ..NodeProto::default()
        };
        graph.node.insert(clip, between);
    });
    refused("two kinds of activations", &|graph| {
        let sum = user(graph, "Add", "board_table_bias").output[0].clone();
        user(graph, "Clip", &sum).input[2] = "lowest".into();
    });
    refused("are not added", &|graph| {
        let sum = user(graph, "Add", "move_table_bias").output[0].clone();
        user(graph, "Add", &sum).input[1] = sum.clone();
        let rows = user(graph, "Gather", "rows").output[0].clone();
        let clipped = NodeProto {
            op_type: "Clip".into(),
            input: vec![rows, "lowest".into(), "highest".into()],
            output: vec!["elsewhere".into()],
            ..NodeProto::default()
        };
        graph.node.push(clipped);
    });
}

#[test]
fn partitioning_a_damaged_graph_does_not_panic() {
    // Nothing of this passes the proof; the partition must not depend on that.
    let whole = proved(|_| ()).unwrap();
    for index in 0..whole.nodes.len() {
        let mut graph = whole.clone();
        let _ = graph.nodes.remove(index);
        let _ = partition(&graph);
        let mut graph = whole.clone();
        graph.nodes[index].input.clear();
        let _ = partition(&graph);
        graph.nodes[index].output.clear();
        let _ = partition(&graph);
    }
    for name in whole.constants.keys() {
        let mut graph = whole.clone();
        graph.constants.get_mut(name).unwrap().data.truncate(1);
        let _ = partition(&graph);
    }
    for name in whole.tables.keys() {
        let mut graph = whole.clone();
        graph.tables.insert(name.clone(), Table::new(1, 2, vec![1; 2]).unwrap());
        let _ = partition(&graph);
    }
}

#[test]
fn look_ups_may_not_be_missing() {
    let whole = proved(|_| ()).unwrap();
    for node in ["boards", "moves", "rows", "squares"] {
        let mut graph = whole.clone();
        graph.nodes.retain(|other| !other.input.iter().any(|input| input == node));
        assert!(partition(&graph).is_err(), "{node}");
    }
}
