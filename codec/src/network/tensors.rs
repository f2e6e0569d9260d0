//! Tensors of a model file that are no part of its graph.

use super::onnx::{DataType, ModelProto, TensorProto};
use crate::{Error, Result};

/// Takes a tensor out of the graph.
pub fn take_tensor(proto: &mut ModelProto, name: &str) -> Option<TensorProto> {
    let initializers = &mut proto.graph.as_mut()?.initializer;
    let place = initializers.iter().position(|tensor| tensor.name == name)?;
    Some(initializers.remove(place))
}

/// A byte that says that a number of two bytes follows.
pub const LONG_NUMBER: u8 = 0x80;

/// Takes a vector of as many numbers as one of `counts` says, a tensor of bytes that no node uses,
/// out of the graph: a number from
/// -127 to 127 is one byte, any other two, little-endian, after [`LONG_NUMBER`].
///
/// # Errors
/// [`Error::Model`] if there is one of this name that is no such vector.
pub fn take_numbers(
    proto: &mut ModelProto,
    name: &str,
    counts: &[usize],
) -> Result<Option<Vec<i16>>> {
    let most = counts.iter().copied().max().unwrap_or(0);
    let refuse = || {
        let counts: Vec<String> = counts.iter().map(usize::to_string).collect();
        Error::Model(format!("`{name}` is not a vector of {} numbers", counts.join(" or ")))
    };
    let Some(tensor) = take_tensor(proto, name) else { return Ok(None) };
    let numbers = numbers_of(&tensor, most).filter(|numbers| counts.contains(&numbers.len()));
    numbers.map(Some).ok_or_else(refuse)
}

/// [`take_numbers`] of a vector of up to `most` numbers.
///
/// # Errors
/// [`Error::Model`] if there is one of this name that is no such vector.
pub fn take_up_to(proto: &mut ModelProto, name: &str, most: usize) -> Result<Option<Vec<i16>>> {
    let Some(tensor) = take_tensor(proto, name) else { return Ok(None) };
    let refuse = || Error::Model(format!("`{name}` is not a vector of at most {most} numbers"));
    numbers_of(&tensor, most).map(Some).ok_or_else(refuse)
}

fn numbers_of(tensor: &TensorProto, most: usize) -> Option<Vec<i16>> {
    let size = tensor.raw_data.len();
    if tensor.data_type != DataType::Uint8 as i32
        || tensor.dims[..] != [size as i64]
        || size > 3 * most
    {
        return None;
    }
    let mut numbers = Vec::with_capacity(size.min(most));
    let mut bytes = &tensor.raw_data[..];
    while let Some((&byte, rest)) = bytes.split_first() {
        bytes = rest;
        if byte == LONG_NUMBER {
            let (number, rest) = bytes.split_first_chunk()?;
            numbers.push(i16::from_le_bytes(*number));
            bytes = rest;
        } else {
            numbers.push(i16::from(byte as i8));
        }
    }
    (numbers.len() <= most).then_some(numbers)
}
