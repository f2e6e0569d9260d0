//! A count of what a file would become in memory, made before it is decoded.
//!
//! A message that is repeated takes two bytes of the file and hundreds in memory, so that a file of 64 MiB
//! could take gigabytes.

use prost::decode_length_delimiter;

/// Most values of a file: fields of messages, and bytes of packed numbers. The models of plyzip have below
/// 1,000 of them. As messages of up to 500 bytes they take 32 MB.
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

/// Whether a file is made of fields, and has no more than `limit` values.
pub fn has_at_most(limit: usize, bytes: &[u8]) -> bool {
    let mut left = limit;
    take(Content::Model, bytes, MAX_DEPTH, &mut left).is_some()
}

/// Takes the number of a message's values off `left`; `None` if there are more, or the bytes are no fields.
fn take(message: Content, mut bytes: &[u8], depth: usize, left: &mut usize) -> Option<()> {
    // Fields within groups, which no message of ONNX has, are none of its own.
    let mut groups = 0usize;
    while !bytes.is_empty() {
        *left = left.checked_sub(1)?;
        let key = decode_length_delimiter(&mut bytes).ok()?;
        match key & 7 {
            0 => {
                let end = bytes.iter().position(|byte| byte & 0x80 == 0)?;
                bytes = &bytes[end + 1..];
            }
            1 => bytes = bytes.get(8..)?,
            2 => {
                let length = decode_length_delimiter(&mut bytes).ok()?;
                let (field, rest) = bytes.split_at_checked(length)?;
                bytes = rest;
                match content(message, key >> 3).filter(|_| groups == 0) {
                    Some(Content::Numbers) => *left = left.checked_sub(length)?,
                    Some(inner) => take(inner, field, depth.checked_sub(1)?, left)?,
                    None => {}
                }
            }
            3 => groups += 1,
            4 => groups = groups.checked_sub(1)?,
            5 => bytes = bytes.get(4..)?,
            _ => return None,
        }
    }
    Some(())
}
