//! A count of what a file would become in memory, made before it is decoded.
//!
//! A message that is repeated takes two bytes of the file and hundreds in memory, so that a file of 64 MiB
//! could take gigabytes.

use super::fields::{Field, Value};

/// Most values of a file: fields of messages, and bytes of packed numbers. The models of plyzip have below
/// 1,000 of them. As messages of up to 640 bytes each they take 42 MB, and up to three times as much while a list of them
/// grows.
pub const MAX_VALUES: usize = 1 << 16;

/// Deepest nesting of messages that is looked at. Decoding refuses one of over 100.
const MAX_DEPTH: usize = 128;

/// What a field holds, as far as it matters how often it stands there.
#[derive(Clone, Copy)]
enum Content {
    Model,
    Graph,
    Node,
    Attribute,
    Tensor,
    SparseTensor,
    ValueInfo,
    Type,
    TensorType,
    Shape,
    Annotation,
    Training,
    Function,
    /// Packed numbers, of a byte or more each.
    Numbers,
}

/// What stands in a message's field of this number; `None` if that is no more values than one.
fn content(message: Content, number: usize) -> Option<Content> {
    use Content::*;
    Some(match (message, number) {
        (Model, 7) | (Training, 1 | 2) | (Attribute, 6 | 11) => Graph,
        (Model, 20) => Training,
        (Model, 25) => Function,
        (Graph, 1) | (Function, 7) => Node,
        (Graph, 5) | (Attribute, 5 | 10) | (SparseTensor, 1 | 2) => Tensor,
        (Graph, 15) | (Attribute, 22 | 23) => SparseTensor,
        (Graph, 11..=13) => ValueInfo,
        (Graph, 14) => Annotation,
        (Node, 5) => Attribute,
        (ValueInfo, 2) | (Attribute, 15) => Type,
        (Type, 1) => TensorType,
        (TensorType, 2) => Shape,
        (Tensor, 1 | 4 | 5 | 7 | 10 | 11) | (SparseTensor, 3) | (Attribute, 7 | 8) => Numbers,
        _ => return None,
    })
}

/// Counts the values of a file.
///
/// # Errors
/// Why the file is refused: it has more than `limit` values, or is not made of fields.
pub fn check(limit: usize, bytes: &[u8]) -> Result<(), Refusal> {
    let mut left = limit;
    take(Content::Model, bytes, MAX_DEPTH, &mut left)
}

/// Why a file is not decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    TooManyValues,
    Malformed,
}

/// Takes the number of a message's values off `left`.
fn take(message: Content, mut bytes: &[u8], depth: usize, left: &mut usize) -> Result<(), Refusal> {
    use Refusal::{Malformed, TooManyValues};
    // Fields within groups, which no message of ONNX has, are none of its own.
    let mut groups = 0usize;
    while !bytes.is_empty() {
        *left = left.checked_sub(1).ok_or(TooManyValues)?;
        let field = Field::take(&mut bytes).ok_or(Malformed)?;
        match field.value {
            Value::Number => {}
            Value::Bytes(inner) => match content(message, field.number).filter(|_| groups == 0) {
                Some(Content::Numbers) => {
                    *left = left.checked_sub(inner.len()).ok_or(TooManyValues)?;
                }
                Some(content) => {
                    take(content, inner, depth.checked_sub(1).ok_or(Malformed)?, left)?;
                }
                None => {}
            },
            Value::BeginOfGroup => groups += 1,
            Value::EndOfGroup => groups = groups.checked_sub(1).ok_or(Malformed)?,
        }
    }
    Ok(())
}
