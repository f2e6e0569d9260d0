//! Files that are read as what they hold, and files that would take much memory.

use prost::Message;

use super::messages::*;
use super::*;
use crate::network::model_file;

/// A field of wire type 2: what is in it, after its number and its length.
fn field(number: u8, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![];
    prost::encode_length_delimiter(usize::from(number) << 3 | 2, &mut bytes).unwrap();
    prost::encode_length_delimiter(content.len(), &mut bytes).unwrap();
    bytes.extend(content);
    bytes
}

/// A graph in this many others, each in an attribute of a node.
fn nested(depth: usize) -> Vec<u8> {
    let mut graph = field(2, b"innermost");
    for _ in 0..depth {
        graph = field(1, &field(5, &field(6, &graph)));
    }
    field(7, &graph)
}

fn refused(bytes: &[u8]) -> String {
    match decode(bytes) {
        Err(Error::Model(why)) => why,
        other => panic!("{} bytes: {:?}", bytes.len(), other.map(drop)),
    }
}

#[test]
fn a_file_is_read_as_it_was_written() {
    let bytes = model_file("standard.onnx");
    let model = decode(&bytes).unwrap();
    assert_eq!(model.opset_import[0].version, 13);
    // The writer leaves out what is zero, and the fields of a message are in the order of their numbers.
    assert_eq!(decode(&model.encode_to_vec()).unwrap(), model);
    let graph = model.graph.unwrap();
    assert_eq!((graph.node.len(), graph.initializer.len()), (67, 40));
    let names: Vec<&str> = graph.input.iter().map(|input| &*input.name).collect();
    assert_eq!(names, ["boards", "moves", "rows", "squares"]);
}

#[test]
fn the_models_have_few_values() {
    for name in ["standard.onnx", "max.onnx"] {
        let bytes = model_file(name);
        assert_eq!(values::check(800, &bytes), Ok(()), "{name}");
        assert_eq!(values::check(500, &bytes), Err(Refusal::TooManyValues), "{name}");
    }
}

#[test]
fn unknown_fields_are_skipped() {
    let mut bytes = model_file("standard.onnx");
    let model = decode(&bytes).unwrap();
    // A number, eight bytes, a text that is no UTF-8, a group with a group in it, and four bytes.
    bytes.extend(b"\xf8\x7f\xff\xff\x01\xf9\x7f12345678\xfa\x7f\x02\xff\xff");
    bytes.extend(b"\xfb\x7f\x0a\x01\xff\x3a\x01\xff\xfb\x7e\xfc\x7e\xfc\x7f\xfd\x7f1234");
    assert_eq!(decode(&bytes).unwrap(), model);
}

#[test]
fn what_is_no_such_file_is_refused() {
    let bytes = model_file("standard.onnx");
    // It ends within a field.
    for end in [1, 3, 1000, bytes.len() / 2, bytes.len() - 1] {
        refused(&bytes[..end]);
    }
    for damaged in [
        // A text of wire type 0, one that is no UTF-8, and a graph that is a number.
        &b"\x10\x01"[..],
        b"\x12\x01\xff",
        b"\x38\x01",
        // Wire types that do not exist, a field of number 0, a group that never began, one that never ends.
        b"\x0e\x01",
        b"\x0f\x01",
        b"\x02\x01",
        b"\x0c",
        b"\x0b",
        // Numbers of over 64 bits, and lengths beyond the end.
        b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
        b"\x08\xff",
        b"\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
        b"\x12\x05abc",
        // What is never looked at is malformed: the type of an input, the data of a tensor.
        b"\x3a\x06\x5a\x04\x12\x02\x0a\x05",
        b"\x3a\x05\x2a\x03\x22\x01\x01",
    ] {
        refused(damaged);
    }
    for empty in [&b""[..], b"\x3a\x00"] {
        assert!(decode(empty).is_ok());
    }
}

#[test]
fn deep_nesting_is_refused() {
    assert!(decode(&nested(32)).is_ok());
    for depth in [34, 50, 1000] {
        refused(&nested(depth));
    }
    // Groups, too, which no field of ONNX is.
    refused(&[0x53; 1 << 20]);
    let groups = |depth| [vec![0x53; depth], vec![0x54; depth]].concat();
    assert!(decode(&groups(90)).is_ok());
    refused(&groups(200));
}

/// A model with as many of everything that a file can repeat.
#[test]
fn everything_that_is_repeated_counts() {
    const COUNT: usize = MAX_VALUES + 1;
    fn many<T: Clone + Default>() -> Vec<T> {
        vec![T::default(); COUNT]
    }
    fn of_graph(graph: GraphProto) -> ModelProto {
        ModelProto { graph: Some(graph), ..Default::default() }
    }
    fn of_node(node: NodeProto) -> ModelProto {
        of_graph(GraphProto { node: vec![node], ..Default::default() })
    }
    fn of_attribute(attribute: AttributeProto) -> ModelProto {
        of_node(NodeProto { attribute: vec![attribute], ..Default::default() })
    }
    fn of_tensor(tensor: TensorProto) -> ModelProto {
        of_graph(GraphProto { initializer: vec![tensor], ..Default::default() })
    }
    fn of_sparse(tensor: SparseTensorProto) -> ModelProto {
        of_graph(GraphProto { sparse_initializer: vec![tensor], ..Default::default() })
    }
    fn of_function(function: FunctionProto) -> ModelProto {
        ModelProto { functions: vec![function], ..Default::default() }
    }
    fn of_training(training: TrainingInfoProto) -> ModelProto {
        ModelProto { training_info: vec![training], ..Default::default() }
    }
    fn of_shape(dim: Vec<Dimension>) -> TypeProto {
        let tensor_type =
            Some(TensorTypeProto { shape: Some(TensorShapeProto { dim }), ..Default::default() });
        TypeProto { tensor_type, ..Default::default() }
    }
    macro_rules! models {
        ($($of:ident: $message:ident { $($field:ident),+ };)+) => {
            [$($((stringify!($message.$field), $of($message { $field: many(), ..Default::default() }))),+),+]
        };
    }
    let itself = |model: ModelProto| model;
    let mut models = Vec::from(models! {
        itself: ModelProto { opset_import, metadata_props, training_info, functions };
        of_graph: GraphProto {
            node, initializer, input, output, value_info, quantization_annotation, sparse_initializer
        };
        of_node: NodeProto { input, output, attribute };
        of_attribute: AttributeProto {
            floats, ints, strings, tensors, graphs, type_protos, sparse_tensors
        };
        of_tensor: TensorProto {
            dims, float_data, int32_data, string_data, int64_data, double_data, uint64_data, external_data
        };
        of_sparse: SparseTensorProto { dims };
        of_training: TrainingInfoProto { initialization_binding, update_binding };
        of_function: FunctionProto { input, output, attribute, node, opset_import };
    });
    let annotation =
        TensorAnnotation { quant_parameter_tensor_names: many(), ..Default::default() };
    let annotated = GraphProto { quantization_annotation: vec![annotation], ..Default::default() };
    models.push(("TensorAnnotation", of_graph(annotated)));
    let typed = ValueInfoProto { r#type: Some(of_shape(many())), ..Default::default() };
    for (name, graph) in [
        ("input", GraphProto { input: vec![typed.clone()], ..Default::default() }),
        ("output", GraphProto { output: vec![typed.clone()], ..Default::default() }),
        ("value_info", GraphProto { value_info: vec![typed], ..Default::default() }),
    ] {
        models.push((name, of_graph(graph)));
    }
    // Messages that stand in others one by one are looked into as well.
    let tensor = || TensorProto { dims: many(), ..Default::default() };
    let sparse = || SparseTensorProto { dims: many(), ..Default::default() };
    let graph = || GraphProto { node: many(), ..Default::default() };
    let attributes = [
        AttributeProto { t: Some(tensor().into()), ..Default::default() },
        AttributeProto { g: Some(graph().into()), ..Default::default() },
        AttributeProto { sparse_tensor: Some(sparse().into()), ..Default::default() },
        AttributeProto { tensors: vec![tensor()], ..Default::default() },
        AttributeProto { graphs: vec![graph()], ..Default::default() },
        AttributeProto { sparse_tensors: vec![sparse()], ..Default::default() },
        AttributeProto { type_protos: vec![of_shape(many())], ..Default::default() },
    ];
    models.extend(attributes.map(|attribute| ("AttributeProto", of_attribute(attribute))));
    for (name, model) in [
        ("values", of_sparse(SparseTensorProto { values: Some(tensor()), ..Default::default() })),
        ("indices", of_sparse(SparseTensorProto { indices: Some(tensor()), ..Default::default() })),
    ] {
        models.push((name, model));
    }
    for training in [
        TrainingInfoProto { initialization: Some(graph()), ..Default::default() },
        TrainingInfoProto { algorithm: Some(graph()), ..Default::default() },
    ] {
        models.push(("TrainingInfoProto", of_training(training)));
    }
    let node = NodeProto { input: many(), ..Default::default() };
    let function = FunctionProto { node: vec![node], ..Default::default() };
    models.push(("FunctionProto.node.input", of_function(function)));
    for (name, model) in models {
        let bytes = model.encode_to_vec();
        assert!(ModelProto::decode(&bytes[..]).unwrap() == model, "{name}");
        assert!(refused(&bytes).contains("65536 values"), "{name}");
    }
}

#[test]
fn a_value_takes_little_memory() {
    // What the documentation of `MAX_VALUES` says.
    let sizes = [
        size_of::<GraphProto>(),
        size_of::<NodeProto>(),
        size_of::<AttributeProto>(),
        size_of::<TensorProto>(),
        size_of::<SparseTensorProto>(),
        size_of::<ValueInfoProto>(),
        size_of::<TensorAnnotation>(),
        size_of::<TrainingInfoProto>(),
        size_of::<FunctionProto>(),
    ];
    assert!(sizes.iter().all(|&size| size <= 640), "{sizes:?}");
}

#[test]
fn a_file_of_many_messages_is_refused_at_once() {
    // 64 MiB of nodes without content: 5 GB of memory, were they decoded.
    let nodes = field(7, &b"\x0a\x00".repeat((64 << 20) / 2 - 8));
    assert!(refused(&nodes).contains("65536 values"));
}
