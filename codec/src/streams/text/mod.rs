//! Text that is no PGN: the numbers of such items, and the bytes of all of them in one piece.

pub mod bytes;

use self::bytes::{compress, decompress};
use crate::entropy::{BitModel, Decoder, Encoder, NumberModel};
use crate::pgn::{Game, Item};
use crate::{Error, Result, varint};

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
/// [`Error::Damaged`] if they are not `games` games, with at most one text before, between and behind them, or more
/// than `limit`: every item takes at least one byte of its block.
pub fn decode_items(bytes: &[u8], games: u64, limit: usize) -> Result<Vec<Item>> {
    let mut decoder = Decoder::new(bytes);
    let count = NumberModel::new().code(&mut decoder, 0)?;
    if count > (limit as u64).min(games.saturating_mul(2).saturating_add(1)) {
        return Err(Error::damaged("more items than there can be"));
    }
    let mut model = BitModel::default();
    let mut found = 0;
    let items = (0..count).map(|_| {
        Ok(match model.code(&mut decoder, false)? {
            true => Item::Text(Vec::new()),
            false => {
                found += 1;
                Item::Game(Game::default())
            }
        })
    });
    let items: Result<Vec<Item>> = items.collect();
    match items {
        Ok(_) if found != games => Err(Error::damaged("other games than announced")),
        items => items,
    }
}

/// Texts, coded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedTexts<B> {
    /// Their lengths; empty if all texts are.
    pub lengths: B,
    /// Their number of bytes in all, and the bytes one after the other, compressed; empty if there are none.
    pub bytes: B,
}

/// Codes texts.
///
/// # Errors
/// None that valid models can cause.
pub fn encode<'a>(texts: impl Iterator<Item = &'a [u8]>) -> Result<EncodedTexts<Vec<u8>>> {
    let mut encoder = Encoder::new();
    let mut model = NumberModel::new();
    let mut all = Vec::new();
    for text in texts {
        all.extend_from_slice(text);
        model.code(&mut encoder, text.len() as u64)?;
    }
    let mut bytes = Vec::new();
    if !all.is_empty() {
        varint::put_length(&mut bytes, all.len());
        bytes.extend(compress(&all)?);
    }
    Ok(EncodedTexts { lengths: encoder.finish(), bytes })
}

/// Fills in the texts that [`encode`] was given.
///
/// # Errors
/// [`Error::Limit`] if they take more than `limit` bytes together, [`Error::Damaged`] if they are not what was written.
pub fn decode<'a>(
    texts: EncodedTexts<&[u8]>,
    places: impl Iterator<Item = &'a mut Vec<u8>>,
    limit: usize,
) -> Result<()> {
    #[cfg(test)]
    if crate::forge::is_active() {
        return crate::forge::fill_texts(places);
    }
    let mut packed = texts.bytes;
    let mut all = Vec::new();
    if !packed.is_empty() {
        let length = varint::take_length(&mut packed)?;
        if length > limit {
            return Err(Error::Limit("more text than announced".into()));
        }
        all = decompress(packed, length)?;
    }
    let mut decoder = Decoder::new(texts.lengths);
    let mut model = NumberModel::new();
    let mut rest = &all[..];
    for place in places {
        let length = model.code(&mut decoder, 0)?;
        let text = usize::try_from(length).ok().and_then(|length| rest.split_at_checked(length));
        let (text, behind) = text.ok_or_else(|| Error::damaged("text that is too short"))?;
        rest = behind;
        *place = text.to_vec();
    }
    match rest {
        [] => Ok(()),
        _ => Err(Error::damaged("text that is too long")),
    }
}
