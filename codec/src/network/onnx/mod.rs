//! The file of a model: an ONNX file, which is a protobuf.

mod fields;
// A field to a line, as in a schema, which documents them.
#[rustfmt::skip]
#[allow(missing_docs)]
mod messages;
mod values;

use std::fmt::Display;

use prost::Message;

pub use self::fields::{Field, Value};
pub use self::messages::{
    AttributeProto, DataType, GraphProto, ModelProto, NodeProto, StringStringEntryProto,
    TensorProto,
};
pub use self::values::MAX_VALUES;
use self::values::Refusal;
use crate::{Error, Result};

/// The model in a file's bytes. Fields that ONNX does not have are skipped.
///
/// # Errors
/// [`Error::Model`] if the bytes are no such file, or have more than [`MAX_VALUES`] values.
pub fn decode(bytes: &[u8]) -> Result<ModelProto> {
    let refuse = |why: &dyn Display| Error::Model(format!("not an ONNX file: {why}"));
    values::check(MAX_VALUES, bytes).map_err(|refusal| match refusal {
        Refusal::TooManyValues => refuse(&format!("more than {MAX_VALUES} values")),
        Refusal::Malformed => refuse(&"malformed fields"),
    })?;
    ModelProto::decode(bytes).map_err(|error| refuse(&error))
}

#[cfg(test)]
mod tests;
