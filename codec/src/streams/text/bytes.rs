//! Bytes of any kind, as small as they get.

use std::io::{Read, Write};

use lzma_rust2::{LzmaOptions, LzmaReader, LzmaWriter};

use crate::entropy::{Coder, ContextMixer, Decoder, Encoder, hash};
use crate::{Error, Result};

/// Longer inputs are not given to the context mixer, which takes some microseconds a byte.
const MOST_MIXED: usize = 4 << 20;

// The methods, as the first byte says them.
const RAW: u8 = 0;
const LZMA: u8 = 1;
const MIXED: u8 = 2;

/// Compresses `bytes` by whichever way is the shortest; never to more than
/// one byte beyond their number.
///
/// ```
/// use plyzip::unstable::streams::bytes::{compress, decompress};
/// let text = b"A fine game by both sides. ".repeat(20);
/// let packed = compress(&text)?;
/// assert!(packed.len() < 40);
/// assert_eq!(decompress(&packed, text.len())?, text);
/// # Ok::<(), plyzip::Error>(())
/// ```
///
/// # Errors
/// None that a caller could cause.
pub fn compress(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut best = with_method(RAW, bytes.to_vec());
    if bytes.len() <= MOST_MIXED {
        let mut encoder = Encoder::new();
        mix(&mut encoder, bytes, bytes.len())?;
        let mixed = with_method(MIXED, encoder.finish());
        if mixed.len() < best.len() {
            best = mixed;
        }
    }
    // The mixer is denser on all but very repetitive data, on which LZMA is quick.
    let lzma = with_method(LZMA, lzma(bytes)?);
    if lzma.len() < best.len() {
        best = lzma;
    }
    Ok(best)
}

/// The `len` bytes that [`compress`] was given.
///
/// # Errors
/// [`Error::Damaged`] if `packed` is not what `compress` makes of so many bytes. No
/// more than about three times `len` and 40 MiB are allocated, whatever `packed` says.
pub fn decompress(packed: &[u8], len: usize) -> Result<Vec<u8>> {
    let (method, rest) = packed.split_first().unwrap_or((&RAW, &[]));
    match *method {
        RAW if rest.len() == len => Ok(rest.to_vec()),
        LZMA => unlzma(rest, len),
        MIXED if len <= MOST_MIXED => mix(&mut Decoder::new(rest), &[], len),
        _ => Err(Error::damaged("text in no known form")),
    }
}

fn with_method(method: u8, mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.insert(0, method);
    bytes
}

/// LZMA's parameters follow from the length, so that nothing need be stored, or believed.
fn lzma_options(len: usize) -> LzmaOptions {
    let mut options = LzmaOptions::with_preset(9);
    options.dict_size = len.clamp(1 << 12, 1 << 26) as u32;
    // As texts want it: they are aligned to nothing.
    (options.lc, options.lp, options.pb) = (4, 0, 0);
    options
}

fn lzma(bytes: &[u8]) -> Result<Vec<u8>> {
    let options = lzma_options(bytes.len());
    let mut writer = LzmaWriter::new_no_header(Vec::new(), &options, false)?;
    writer.write_all(bytes)?;
    Ok(writer.finish()?)
}

fn unlzma(packed: &[u8], len: usize) -> Result<Vec<u8>> {
    let options = lzma_options(len);
    let damaged = |_| Error::damaged("text that is no valid LZMA");
    let reader = LzmaReader::new_with_props(
        packed,
        len as u64,
        options.get_props(),
        options.dict_size,
        None,
    )
    .map_err(damaged)?;
    let mut bytes = Vec::new();
    reader.take(len as u64).read_to_end(&mut bytes).map_err(damaged)?;
    match bytes.len() == len {
        true => Ok(bytes),
        false => Err(Error::damaged("text that is too short")),
    }
}

/// Length of the shortest match that is followed.
const SHORTEST_MATCH: usize = 5;

/// Codes `len` bytes by what followed the same bytes before.
fn mix<C: Coder>(coder: &mut C, bytes: &[u8], len: usize) -> Result<Vec<u8>> {
    let slot_bits = (usize::BITS - len.leading_zeros() + 4).clamp(10, 22);
    let mut mixing = ContextMixer::new(slot_bits, 9, 1, 4 << 8);
    let mut places = vec![0u32; 1 << slot_bits.saturating_sub(4)];
    let mut done: Vec<u8> = Vec::new();
    let (mut word, mut last_word) = (0, 0);
    let (mut followed, mut matched) = (0usize, 0usize);
    for place in 0..len {
        let past = |n: usize| {
            done[place.saturating_sub(n)..].iter().fold(n as u32, |past, &byte| {
                if n <= 3 { past << 8 | u32::from(byte) } else { hash(past, byte.into()) }
            })
        };
        let order1 = past(1);
        let advice = match matched {
            0 => 0,
            _ => 1 << 16 | u32::from(done[followed]) << 8 | matched.min(40) as u32,
        };
        let contexts = [
            0,
            order1,
            past(2),
            past(3),
            past(4),
            past(6),
            hash(word, order1),
            hash(word, last_word),
            hash(advice, if matched > 16 { 0 } else { order1 }),
        ];
        let byte = bytes.get(place).copied().unwrap_or(0);
        let trust = match matched {
            0 => 0,
            1..=15 => 1,
            16..=31 => 2,
            _ => 3,
        };
        let byte = mixing.byte(coder, &contexts, 0, trust, byte)?;
        done.push(byte);
        if byte.is_ascii_alphabetic() || byte >= 128 {
            word = hash(word, u32::from(byte.to_ascii_lowercase()));
        } else if word != 0 {
            (last_word, word) = (word, 0);
        }
        if matched > 0 && done[followed] == byte {
            (followed, matched) = (followed + 1, matched + 1);
        } else {
            matched = 0;
        }
        if done.len() >= SHORTEST_MATCH {
            let recent = done[done.len() - SHORTEST_MATCH..]
                .iter()
                .fold(0, |recent, &byte| hash(recent, byte.into()));
            let index = recent as usize & (places.len() - 1);
            if matched == 0 && places[index] != 0 {
                followed = places[index] as usize;
                matched = done[..followed]
                    .iter()
                    .rev()
                    .zip(done.iter().rev())
                    .take(32)
                    .take_while(|(a, b)| a == b)
                    .count();
            }
            places[index] = done.len() as u32;
        }
    }
    Ok(done)
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn noise(len: usize) -> Vec<u8> {
        let step = |seed: &mut u32| {
            *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            Some((*seed >> 24) as u8)
        };
        std::iter::from_fn({
            let mut seed = 7;
            move || step(&mut seed)
        })
        .take(len)
        .collect()
    }

    #[test]
    fn noise_grows_by_one_byte() {
        for len in [0, 1, 2, 1000, 70_000] {
            let packed = compress(&noise(len)).unwrap();
            assert!(packed.len() <= len + 1);
            assert_eq!(decompress(&packed, len).unwrap(), noise(len));
        }
    }

    #[test]
    fn every_method_comes_back() {
        let text = b"1. e4 { the best by test } e5 ".repeat(40);
        let lzma = with_method(LZMA, lzma(&text).unwrap());
        assert_eq!(decompress(&lzma, text.len()).unwrap(), text);
        let mut encoder = Encoder::new();
        mix(&mut encoder, &text, text.len()).unwrap();
        let mixed = with_method(MIXED, encoder.finish());
        assert_eq!(decompress(&mixed, text.len()).unwrap(), text);
        assert!(mixed.len() < lzma.len());
        assert!(decompress(&with_method(RAW, text.clone()), 3).is_err());
        assert!(decompress(&with_method(9, text), 3).is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn anything_comes_back(bytes in vec(any::<u8>(), 0..500)) {
            let packed = compress(&bytes).unwrap();
            prop_assert_eq!(decompress(&packed, bytes.len()).unwrap(), bytes);
        }

        #[test]
        fn garbage_is_an_error_or_other_bytes(packed in vec(any::<u8>(), 0..200), len in 0usize..2000, method in 0u8..4) {
            let packed = with_method(method, packed);
            if let Ok(bytes) = decompress(&packed, len) {
                prop_assert_eq!(bytes.len(), len);
            }
        }
    }
}
