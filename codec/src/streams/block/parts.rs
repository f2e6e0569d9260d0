//! Several streams in one run of bytes.

use crate::{Error, Result, varint};

/// Streams one after the other. The first byte has a bit for each that is not empty, the first stream the lowest; then
/// come the lengths of these but the last, then their bytes.
pub fn join<const N: usize>(parts: [&[u8]; N]) -> Vec<u8> {
    debug_assert!(N <= 8);
    let present: Vec<usize> = (0..N).filter(|&part| !parts[part].is_empty()).collect();
    let mut out = vec![present.iter().map(|&part| 1 << part).sum()];
    for &part in present.iter().rev().skip(1).rev() {
        varint::put_length(&mut out, parts[part].len());
    }
    for part in present {
        out.extend_from_slice(parts[part]);
    }
    out
}

/// The streams that [`join`] was given.
///
/// # Errors
/// [`Error::Damaged`] if `bytes` is not what `join` makes of `N` streams.
pub fn split<const N: usize>(bytes: &[u8]) -> Result<[&[u8]; N]> {
    let short = || Error::damaged("a stream longer than its block");
    let (&mask, mut rest) = bytes.split_first().ok_or_else(short)?;
    if u32::from(mask) >> N != 0 {
        return Err(Error::Unsupported(format!("streams {mask:#010b}")));
    }
    let present: Vec<usize> = (0..N).filter(|&part| mask >> part & 1 != 0).collect();
    let mut lengths = vec![];
    for _ in 1..present.len() {
        lengths.push(varint::take_length(&mut rest)?);
    }
    let mut parts: [&[u8]; N] = [&[]; N];
    for (&part, length) in present.iter().zip(lengths) {
        let (stream, tail) = rest.split_at_checked(length).ok_or_else(short)?;
        parts[part] = stream;
        rest = tail;
    }
    match present.last() {
        Some(&last) => parts[last] = rest,
        None if rest.is_empty() => {}
        None => return Err(Error::damaged("bytes of no stream")),
    }
    if present.iter().any(|&part| parts[part].is_empty()) {
        return Err(Error::damaged("a stream that is there has no bytes"));
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_come_back() {
        for parts in [[&b""[..], b"", b""], [b"a", b"", b""], [b"", b"bc", b"d"], [b"", b"", b"e"]]
        {
            assert_eq!(split::<3>(&join(parts)).unwrap(), parts);
        }
        assert_eq!(join([b"ab", b"", b"c"]), [0b101, 2, b'a', b'b', b'c']);
    }

    #[test]
    fn other_bytes_are_refused() {
        for bytes in [&[][..], &[8], &[0, 1], &[1], &[3, 2, 0], &[3, 0, 1], &[3, 1, 1]] {
            assert!(split::<3>(bytes).is_err(), "{bytes:?}");
        }
    }
}
