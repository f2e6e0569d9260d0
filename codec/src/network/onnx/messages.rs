//! The messages of ONNX, by the names and numbers of its published schema (`onnx.proto3`).
//!
//! What plyzip never reads is here, too: a file in which it is malformed is refused.

use prost::{Enumeration, Message};

#[derive(Clone, PartialEq, Message)]
pub struct ModelProto {
    #[prost(int64, tag = 1)] pub ir_version: i64,
    #[prost(string, tag = 2)] pub producer_name: String,
    #[prost(string, tag = 3)] pub producer_version: String,
    #[prost(string, tag = 4)] pub domain: String,
    #[prost(int64, tag = 5)] pub model_version: i64,
    #[prost(string, tag = 6)] pub doc_string: String,
    #[prost(message, optional, tag = 7)] pub graph: Option<GraphProto>,
    #[prost(message, repeated, tag = 8)] pub opset_import: Vec<OperatorSetIdProto>,
    #[prost(message, repeated, tag = 14)] pub metadata_props: Vec<StringStringEntryProto>,
    #[prost(message, repeated, tag = 20)] pub training_info: Vec<TrainingInfoProto>,
    #[prost(message, repeated, tag = 25)] pub functions: Vec<FunctionProto>,
}

#[derive(Clone, PartialEq, Message)]
pub struct OperatorSetIdProto {
    #[prost(string, tag = 1)] pub domain: String,
    #[prost(int64, tag = 2)] pub version: i64,
}

#[derive(Clone, PartialEq, Message)]
pub struct StringStringEntryProto {
    #[prost(string, tag = 1)] pub key: String,
    #[prost(string, tag = 2)] pub value: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct GraphProto {
    #[prost(message, repeated, tag = 1)] pub node: Vec<NodeProto>,
    #[prost(string, tag = 2)] pub name: String,
    #[prost(message, repeated, tag = 5)] pub initializer: Vec<TensorProto>,
    #[prost(string, tag = 10)] pub doc_string: String,
    #[prost(message, repeated, tag = 11)] pub input: Vec<ValueInfoProto>,
    #[prost(message, repeated, tag = 12)] pub output: Vec<ValueInfoProto>,
    #[prost(message, repeated, tag = 13)] pub value_info: Vec<ValueInfoProto>,
    #[prost(message, repeated, tag = 14)] pub quantization_annotation: Vec<TensorAnnotation>,
    #[prost(message, repeated, tag = 15)] pub sparse_initializer: Vec<SparseTensorProto>,
}

#[derive(Clone, PartialEq, Message)]
pub struct NodeProto {
    #[prost(string, repeated, tag = 1)] pub input: Vec<String>,
    #[prost(string, repeated, tag = 2)] pub output: Vec<String>,
    #[prost(string, tag = 3)] pub name: String,
    #[prost(string, tag = 4)] pub op_type: String,
    #[prost(message, repeated, tag = 5)] pub attribute: Vec<AttributeProto>,
    #[prost(string, tag = 6)] pub doc_string: String,
    #[prost(string, tag = 7)] pub domain: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct AttributeProto {
    #[prost(string, tag = 1)] pub name: String,
    #[prost(float, tag = 2)] pub f: f32,
    #[prost(int64, tag = 3)] pub i: i64,
    #[prost(bytes = "vec", tag = 4)] pub s: Vec<u8>,
    #[prost(message, optional, boxed, tag = 5)] pub t: Option<Box<TensorProto>>,
    #[prost(message, optional, boxed, tag = 6)] pub g: Option<Box<GraphProto>>,
    #[prost(float, repeated, tag = 7)] pub floats: Vec<f32>,
    #[prost(int64, repeated, tag = 8)] pub ints: Vec<i64>,
    #[prost(bytes = "vec", repeated, tag = 9)] pub strings: Vec<Vec<u8>>,
    #[prost(message, repeated, tag = 10)] pub tensors: Vec<TensorProto>,
    #[prost(message, repeated, tag = 11)] pub graphs: Vec<GraphProto>,
    #[prost(string, tag = 13)] pub doc_string: String,
    #[prost(message, repeated, tag = 15)] pub type_protos: Vec<TypeProto>,
    #[prost(int32, tag = 20)] pub r#type: i32,
    #[prost(string, tag = 21)] pub ref_attr_name: String,
    #[prost(message, optional, boxed, tag = 22)] pub sparse_tensor: Option<Box<SparseTensorProto>>,
    #[prost(message, repeated, tag = 23)] pub sparse_tensors: Vec<SparseTensorProto>,
}

#[derive(Clone, PartialEq, Message)]
pub struct TensorProto {
    #[prost(int64, repeated, tag = 1)] pub dims: Vec<i64>,
    #[prost(enumeration = "DataType", tag = 2)] pub data_type: i32,
    #[prost(message, optional, tag = 3)] pub segment: Option<Segment>,
    #[prost(float, repeated, tag = 4)] pub float_data: Vec<f32>,
    #[prost(int32, repeated, tag = 5)] pub int32_data: Vec<i32>,
    #[prost(bytes = "vec", repeated, tag = 6)] pub string_data: Vec<Vec<u8>>,
    #[prost(int64, repeated, tag = 7)] pub int64_data: Vec<i64>,
    #[prost(string, tag = 8)] pub name: String,
    #[prost(bytes = "vec", tag = 9)] pub raw_data: Vec<u8>,
    #[prost(double, repeated, tag = 10)] pub double_data: Vec<f64>,
    #[prost(uint64, repeated, tag = 11)] pub uint64_data: Vec<u64>,
    #[prost(string, tag = 12)] pub doc_string: String,
    #[prost(message, repeated, tag = 13)] pub external_data: Vec<StringStringEntryProto>,
    #[prost(int32, tag = 14)] pub data_location: i32,
}

/// The types of tensors that models have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enumeration)]
#[repr(i32)]
pub enum DataType {
    Undefined = 0,
    Float = 1,
    Uint8 = 2,
    Int8 = 3,
    Int64 = 7,
}

#[derive(Clone, PartialEq, Message)]
pub struct Segment {
    #[prost(int64, tag = 1)] pub begin: i64,
    #[prost(int64, tag = 2)] pub end: i64,
}

#[derive(Clone, PartialEq, Message)]
pub struct SparseTensorProto {
    #[prost(message, optional, tag = 1)] pub values: Option<TensorProto>,
    #[prost(message, optional, tag = 2)] pub indices: Option<TensorProto>,
    #[prost(int64, repeated, tag = 3)] pub dims: Vec<i64>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ValueInfoProto {
    #[prost(string, tag = 1)] pub name: String,
    #[prost(message, optional, tag = 2)] pub r#type: Option<TypeProto>,
    #[prost(string, tag = 3)] pub doc_string: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct TypeProto {
    #[prost(message, optional, tag = 1)] pub tensor_type: Option<TensorTypeProto>,
    #[prost(string, tag = 6)] pub denotation: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct TensorTypeProto {
    #[prost(int32, tag = 1)] pub elem_type: i32,
    #[prost(message, optional, tag = 2)] pub shape: Option<TensorShapeProto>,
}

#[derive(Clone, PartialEq, Message)]
pub struct TensorShapeProto {
    #[prost(message, repeated, tag = 1)] pub dim: Vec<Dimension>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Dimension {
    #[prost(int64, tag = 1)] pub dim_value: i64,
    #[prost(string, tag = 2)] pub dim_param: String,
    #[prost(string, tag = 3)] pub denotation: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct TensorAnnotation {
    #[prost(string, tag = 1)] pub tensor_name: String,
    #[prost(message, repeated, tag = 2)] pub quant_parameter_tensor_names: Vec<StringStringEntryProto>,
}

#[derive(Clone, PartialEq, Message)]
pub struct TrainingInfoProto {
    #[prost(message, optional, tag = 1)] pub initialization: Option<GraphProto>,
    #[prost(message, optional, tag = 2)] pub algorithm: Option<GraphProto>,
    #[prost(message, repeated, tag = 3)] pub initialization_binding: Vec<StringStringEntryProto>,
    #[prost(message, repeated, tag = 4)] pub update_binding: Vec<StringStringEntryProto>,
}

#[derive(Clone, PartialEq, Message)]
pub struct FunctionProto {
    #[prost(string, tag = 1)] pub name: String,
    #[prost(string, repeated, tag = 4)] pub input: Vec<String>,
    #[prost(string, repeated, tag = 5)] pub output: Vec<String>,
    #[prost(string, repeated, tag = 6)] pub attribute: Vec<String>,
    #[prost(message, repeated, tag = 7)] pub node: Vec<NodeProto>,
    #[prost(string, tag = 8)] pub doc_string: String,
    #[prost(message, repeated, tag = 9)] pub opset_import: Vec<OperatorSetIdProto>,
    #[prost(string, tag = 10)] pub domain: String,
}
