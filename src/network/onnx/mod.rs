//! The file of a model: an ONNX file, which is a protobuf.

#[rustfmt::skip] // A field to a line, as in a schema.
mod messages;
mod values;

use prost::Message;

#[cfg(test)]
pub use self::messages::StringStringEntryProto;
pub use self::messages::{
    AttributeProto, DataType, GraphProto, ModelProto, NodeProto, TensorProto,
};
pub use self::values::MAX_VALUES;
use self::values::has_at_most;
use crate::{Error, Result};

/// The model in a file's bytes. Fields that ONNX does not have are skipped.
///
/// # Errors
/// [`Error::Model`] if the bytes are no such file, or have more than [`MAX_VALUES`] values.
pub fn decode(bytes: &[u8]) -> Result<ModelProto> {
    if !has_at_most(MAX_VALUES, bytes) {
        let why = format!("not an ONNX file, or one of more than {MAX_VALUES} values");
        return Err(Error::Model(why));
    }
    ModelProto::decode(bytes).map_err(|error| Error::Model(format!("not an ONNX file: {error}")))
}

#[cfg(test)]
mod tests;
