//! General compressors, measured on the whole file: the levels of zstd and xz that people use for archives.

use std::io::{Read, Write};
use std::time::Instant;

use lzma_rust2::{LzmaOptions, XzOptions, XzReader, XzWriter};
use plyzip::Result;
use zstd::bulk::{Compressor, Decompressor};
use zstd::zstd_safe::CParameter;

use super::row::{Original, Row, WholeFile};

/// A level of a compressor.
#[derive(Debug, Clone, Copy)]
enum Level {
    /// Of Facebook's library.
    Zstd {
        /// The level; from 20 on it is what the program calls `--ultra`.
        level: i32,
        /// Whether repetitions are looked for over the whole file, as with `--long`.
        long: bool,
    },
    /// Of a library in Rust that follows XZ for Java, in the format of `xz`.
    Xz {
        /// The preset.
        preset: u32,
        /// Whether it searches longer for matches, as with `-e`.
        extreme: bool,
    },
}

/// Each with its id and what it is.
const LEVELS: [(&str, &str, Level); 5] = [
    ("zstd -3", "zstd at its default level", Level::Zstd { level: 3, long: false }),
    (
        "zstd -19",
        "zstd at the highest level without --ultra",
        Level::Zstd { level: 19, long: false },
    ),
    ("zstd -22 --long", "zstd --ultra -22 --long=31", Level::Zstd { level: 22, long: true }),
    ("xz -6", "xz at its default preset", Level::Xz { preset: 6, extreme: false }),
    ("xz -9e", "xz at its highest preset", Level::Xz { preset: 9, extreme: true }),
];

/// A row for each level: compresses `bytes` with one thread, decompresses and compares.
///
/// # Errors
/// Those of the libraries, if they lack memory.
pub fn measure(bytes: &[u8], original: Original) -> Result<Vec<Row>> {
    LEVELS
        .iter()
        .map(|&(id, name, level)| {
            let started = Instant::now();
            let packed = level.compress(bytes)?;
            let compressing = started.elapsed().as_secs_f64();
            let started = Instant::now();
            let unpacked = level.decompress(&packed, bytes.len());
            let decompressing = started.elapsed().as_secs_f64();
            let seconds = Some((compressing, decompressing));
            Ok(Row {
                id: id.into(),
                name: name.into(),
                file: Some(WholeFile::new(original, packed.len() as u64, seconds)),
                games: original.games,
                round_trip: Some(unpacked.is_ok_and(|unpacked| unpacked == bytes)),
                ..Row::default()
            })
        })
        .collect()
}

impl Level {
    fn compress(self, bytes: &[u8]) -> Result<Vec<u8>> {
        match self {
            Level::Zstd { level, long } => {
                let mut compressor = Compressor::new(level)?;
                if long {
                    // The largest window; the library takes no more of it than the file needs.
                    compressor.set_parameter(CParameter::WindowLog(31))?;
                    compressor.set_parameter(CParameter::EnableLongDistanceMatching(true))?;
                }
                Ok(compressor.compress(bytes)?)
            }
            Level::Xz { preset, extreme } => {
                let mut writer = XzWriter::new(vec![], xz_options(preset, extreme, bytes.len()))?;
                writer.write_all(bytes)?;
                Ok(writer.finish()?)
            }
        }
    }

    fn decompress(self, packed: &[u8], len: usize) -> Result<Vec<u8>> {
        match self {
            Level::Zstd { .. } => Ok(Decompressor::new()?.decompress(packed, len)?),
            Level::Xz { .. } => {
                let mut bytes = Vec::with_capacity(len);
                XzReader::new(packed, false).read_to_end(&mut bytes)?;
                Ok(bytes)
            }
        }
    }
}

/// What `xz` does with a preset. The dictionary is no longer than the file, which changes nothing but memory.
fn xz_options(preset: u32, extreme: bool, len: usize) -> XzOptions {
    let mut options = XzOptions::with_preset(preset);
    let lzma = &mut options.lzma_options;
    if extreme {
        // As in liblzma's lzma_encoder_presets.c.
        (lzma.nice_len, lzma.depth_limit) = (LzmaOptions::NICE_LEN_MAX, 512);
    }
    let needed = u32::try_from(len.next_power_of_two()).unwrap_or(u32::MAX).max(1 << 12);
    lzma.dict_size = lzma.dict_size.min(needed);
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_gives_back_what_it_took_and_higher_ones_are_smaller() {
        let bytes: Vec<u8> = (0..40_000_u32)
            .flat_map(|number| {
                format!("{} ", number.wrapping_mul(2_654_435_761) >> 17).into_bytes()
            })
            .collect();
        let original = Original { bytes: bytes.len() as u64, games: 4 };
        let rows = measure(&bytes, original).unwrap();
        assert!(rows.iter().all(|row| row.round_trip == Some(true)));
        let size = |id: &str| {
            let row = rows.iter().find(|row| row.id == id).unwrap();
            row.file.unwrap().file_bytes
        };
        assert!(size("zstd -19") < size("zstd -3"));
        assert!(size("zstd -22 --long") <= size("zstd -19"));
        assert!(size("xz -9e") <= size("xz -6"));
    }

    #[test]
    fn nothing_comes_back_as_nothing() {
        for (id, _, level) in LEVELS {
            let packed = level.compress(b"").unwrap();
            assert_eq!(level.decompress(&packed, 0).unwrap(), b"", "{id}");
        }
    }
}
