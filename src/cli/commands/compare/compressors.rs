//! General compressors, measured on the whole file: the levels of zstd and xz that people use for archives.

use std::io::{self, Write};
use std::time::Instant;

use lzma_rust2::{LzmaOptions, XzOptions, XzReader, XzWriter};
use plyzip::Result;
use zstd::bulk;
use zstd::stream::read::Decoder;
use zstd::zstd_safe::CParameter;

use super::comparison::Comparison;
use super::memory::Memory;
use super::row::{Costs, Original, Row, WholeFile};

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

/// A compressor of whole files.
#[derive(Debug, Clone, Copy)]
pub struct Compressor {
    /// The id of its row.
    pub id: &'static str,
    /// What it is.
    name: &'static str,
    level: Level,
}

impl Compressor {
    const fn new(id: &'static str, name: &'static str, level: Level) -> Compressor {
        Compressor { id, name, level }
    }
}

/// All of them, in the order of the table.
pub const COMPRESSORS: [Compressor; 5] = [
    Compressor::new("zstd -3", "zstd at its default level", Level::Zstd { level: 3, long: false }),
    Compressor::new(
        "zstd -19",
        "zstd at the highest level without --ultra",
        Level::Zstd { level: 19, long: false },
    ),
    Compressor::new(
        "zstd -22 --long",
        "zstd --ultra -22 --long=31",
        Level::Zstd { level: 22, long: true },
    ),
    Compressor::new("xz -6", "xz at its default preset", Level::Xz { preset: 6, extreme: false }),
    Compressor::new("xz -9e", "xz at its highest preset", Level::Xz { preset: 9, extreme: true }),
];

/// The logarithm of the largest window of zstd, that of `--long=31`; processors of 32 bits have a smaller one.
const LARGEST_WINDOW: u32 = if cfg!(target_pointer_width = "64") { 31 } else { 30 };

/// The row of a compressor: compresses `bytes` with one thread, decompresses and compares.
///
/// # Errors
/// Those of the libraries, if they lack memory.
pub fn measure(
    compressor: Compressor,
    bytes: &[u8],
    original: Original,
    memory: Memory,
) -> Result<Row> {
    let Compressor { id, name, level } = compressor;
    let mut comparison = Comparison::new(bytes);
    let (measured, peak) = memory.peak_of(|| -> Result<_> {
        let started = Instant::now();
        let packed = level.compress(bytes)?;
        let compress = started.elapsed().as_secs_f64();
        let started = Instant::now();
        let unpacked = level.decompress(&packed, &mut comparison);
        let decompress = started.elapsed().as_secs_f64();
        Ok((packed.len() as u64, unpacked.is_ok(), compress, decompress))
    });
    let (packed_bytes, unpacked, compress, decompress) = measured?;
    let costs = Costs { compress, decompress, memory: peak };
    Ok(Row {
        id: id.into(),
        name: name.into(),
        file: Some(WholeFile::new(original, packed_bytes, Some(costs))),
        games: original.games,
        round_trip: Some(unpacked && comparison.is_equal()),
        ..Row::default()
    })
}

impl Level {
    fn compress(self, bytes: &[u8]) -> Result<Vec<u8>> {
        match self {
            Level::Zstd { level, long } => {
                let mut compressor = bulk::Compressor::new(level)?;
                if long {
                    // The library takes no more of it than the file needs.
                    compressor.set_parameter(CParameter::WindowLog(LARGEST_WINDOW))?;
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

    fn decompress(self, packed: &[u8], out: &mut impl Write) -> Result<()> {
        match self {
            Level::Zstd { .. } => {
                let mut decoder = Decoder::with_buffer(packed)?;
                decoder.window_log_max(LARGEST_WINDOW)?;
                io::copy(&mut decoder, out)?;
            }
            Level::Xz { .. } => {
                io::copy(&mut XzReader::new(packed, false), out)?;
            }
        }
        Ok(())
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
        let rows = COMPRESSORS.map(|one| measure(one, &bytes, original, Memory::before()).unwrap());
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
        for Compressor { id, level, .. } in COMPRESSORS {
            let packed = level.compress(b"").unwrap();
            let mut unpacked = vec![];
            level.decompress(&packed, &mut unpacked).unwrap();
            assert_eq!(unpacked, b"", "{id}");
        }
    }
}
