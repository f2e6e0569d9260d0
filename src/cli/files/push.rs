//! PGN on its way into an archive.

use std::io::{self, BufReader, Read, Write};

use plyzip::Result;
use plyzip::archive::ArchiveWriter;

use super::packed::PgnReader;

/// Bytes read at a time.
const CHUNK: usize = 1 << 20;
/// Games with clocks have one within so many bytes.
const CLOCKS_WITHIN: usize = 1 << 14;

/// Pushes all of `pgn`, and returns how many bytes these are. `estimate` is told what they seem to be.
pub fn push<W: Write>(
    writer: &mut ArchiveWriter<W>,
    pgn: &mut PgnReader,
    estimate: impl Fn(&Estimate),
) -> Result<u64> {
    let pgn = Estimated { pgn, estimate, clocks: None };
    Ok(io::copy(&mut BufReader::with_capacity(CHUNK, pgn), writer)?)
}

/// What PGN seems to be that is not read to its end.
pub struct Estimate {
    /// How many bytes there are.
    pub length: Option<u64>,
    /// Whether its games have clocks.
    pub clocks: bool,
}

/// PGN, of which somebody is told at each read what it seems to be.
struct Estimated<'a, 'p, F> {
    pgn: &'a mut PgnReader<'p>,
    estimate: F,
    /// Whether the first bytes have clocks.
    clocks: Option<bool>,
}

impl<F: Fn(&Estimate)> Read for Estimated<'_, '_, F> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.pgn.read(bytes)?;
        let begin = &bytes[..count.min(CLOCKS_WITHIN)];
        let clocks =
            *self.clocks.get_or_insert_with(|| begin.windows(5).any(|word| word == b"[%clk"));
        (self.estimate)(&Estimate { length: self.pgn.estimated_length(), clocks });
        Ok(count)
    }
}
