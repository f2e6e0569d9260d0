//! Fields of messages in the wire format of Protocol Buffers, without their meaning.

use prost::decode_length_delimiter;

/// A field of a message.
pub struct Field<'a> {
    pub number: usize,
    pub value: Value<'a>,
    /// The field as it lies in the message, its number included.
    pub bytes: &'a [u8],
}

/// The value of a field.
pub enum Value<'a> {
    /// A number.
    Number,
    /// Bytes of a length: a message, a text, packed numbers.
    Bytes(&'a [u8]),
    BeginOfGroup,
    EndOfGroup,
}

impl<'a> Field<'a> {
    /// Takes the first field off `message`; `None` if it is none, or breaks off.
    pub fn take(message: &mut &'a [u8]) -> Option<Field<'a>> {
        let mut rest = *message;
        let key = decode_length_delimiter(&mut rest).ok()?;
        let length = match key & 7 {
            0 => rest.iter().position(|byte| byte & 0x80 == 0)? + 1,
            1 => 8,
            2 => decode_length_delimiter(&mut rest).ok()?,
            3 | 4 => 0,
            5 => 4,
            _ => return None,
        };
        let (content, after) = rest.split_at_checked(length)?;
        let value = match key & 7 {
            3 => Value::BeginOfGroup,
            4 => Value::EndOfGroup,
            2 => Value::Bytes(content),
            _ => Value::Number,
        };
        let bytes = &message[..message.len() - after.len()];
        *message = after;
        Some(Field { number: key >> 3, value, bytes })
    }
}
