//! What is no PGN: which items are text, and all raw bytes in one piece.

use crate::entropy::{BitModel, Decoder, Encoder, NumberModel};
use crate::pgn::{Game, Item, Token};
use crate::{Error, Result};

/// Codes how many items there are and which of them are games.
///
/// # Errors
/// None that valid models can cause.
pub fn encode_items(items: &[Item]) -> Result<Vec<u8>> {
    let mut encoder = Encoder::new();
    NumberModel::new().code(&mut encoder, items.len() as u64)?;
    let mut model = BitModel::default();
    for item in items {
        model.code(&mut encoder, matches!(item, Item::Text(_)))?;
    }
    Ok(encoder.finish())
}

/// The items that [`encode_items`] was given, all of them empty.
///
/// # Errors
/// [`Error::Damaged`] if there are more than `limit` items: every item takes at
/// least one byte of its block.
pub fn decode_items(bytes: &[u8], limit: usize) -> Result<Vec<Item>> {
    let mut decoder = Decoder::new(bytes);
    let count = NumberModel::new().code(&mut decoder, 0)?;
    if count > limit as u64 {
        return Err(Error::damaged("more items than bytes"));
    }
    let mut model = BitModel::default();
    (0..count)
        .map(|_| {
            Ok(match model.code(&mut decoder, false)? {
                true => Item::Text(Vec::new()),
                false => Item::Game(Game::default()),
            })
        })
        .collect()
}

/// All raw bytes of a block.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RawText {
    /// The lengths of the pieces, coded.
    pub lengths: Vec<u8>,
    /// The pieces one after the other, not compressed.
    pub bytes: Vec<u8>,
}

/// Collects the bytes of [`Item::Text`] and [`Token::Text`], in order.
///
/// # Errors
/// None that valid models can cause.
pub fn collect(items: &[Item]) -> Result<RawText> {
    let mut encoder = Encoder::new();
    let mut model = NumberModel::new();
    let mut bytes = Vec::new();
    let mut piece = |piece: &[u8]| {
        bytes.extend_from_slice(piece);
        model.code(&mut encoder, piece.len() as u64).map(drop)
    };
    for item in items {
        match item {
            Item::Text(text) => piece(text)?,
            Item::Game(game) => {
                for token in &game.tokens {
                    if let Token::Text(text) = token {
                        piece(text)?;
                    }
                }
            }
        }
    }
    Ok(RawText { lengths: encoder.finish(), bytes })
}

/// Puts the bytes where [`collect`] found them: `items` has everything but these bytes.
///
/// # Errors
/// [`Error::Damaged`] if the pieces are not as long together as `text.bytes`.
pub fn distribute(text: &RawText, items: &mut [Item]) -> Result<()> {
    let mut decoder = Decoder::new(&text.lengths);
    let mut model = NumberModel::new();
    let mut rest = &text.bytes[..];
    let mut fill = |place: &mut Vec<u8>| {
        let len = model.code(&mut decoder, 0)?;
        let piece = usize::try_from(len).ok().and_then(|len| rest.split_at_checked(len));
        let (piece, behind) = piece.ok_or_else(|| Error::damaged("text that is too short"))?;
        rest = behind;
        *place = piece.to_vec();
        Ok::<(), Error>(())
    };
    for item in items {
        match item {
            Item::Text(text) => fill(text)?,
            Item::Game(game) => {
                for token in &mut game.tokens {
                    if let Token::Text(text) = token {
                        fill(text)?;
                    }
                }
            }
        }
    }
    match rest {
        [] => Ok(()),
        _ => Err(Error::damaged("text that is too long")),
    }
}
