//! The places where a PGN may be cut.

use plyzip::pgn::game_starts;
use pyo3::prelude::*;

/// The first offset in a part of a PGN at which a game starts for sure, whatever stands before that part; None if there
/// is none.
///
/// A line of a tag that comes first may continue the tags of a game before it, so it is none.
///
/// >>> from plyzip._plyzip import find_game
/// >>> find_game(b'5. O-O *\n\n[Event "B"]\n\n*\n'), find_game(b'[White "B"]\n\n*\n'), find_game(b'')
/// (10, None, None)
#[pyfunction]
pub fn find_game(py: Python<'_>, part: &[u8]) -> Option<usize> {
    py.detach(|| {
        // The line that the part begins within.
        let line = part.iter().position(|byte| matches!(byte, b'\n' | b'\r'))?;
        let lines = &part[line..];
        let first = lines.iter().position(|byte| !byte.is_ascii_whitespace())?;
        game_starts(lines).find(|&start| start > first).map(|start| line + start)
    })
}
