//! An archive in figures.

use std::collections::BTreeMap;

use pyo3::prelude::*;

/// What an archive holds, in figures.
///
/// >>> archive = plyzip.open(plyzip.compress(b"1. e4 e5 *\n", model="none"))
/// >>> archive.summary.games, archive.summary.moves, archive.summary.original_bytes
/// (1, 2, 11)
#[pyclass(frozen, module = "plyzip")]
#[derive(Debug)]
pub struct Summary(pub plyzip::archive::Summary);

#[pymethods]
impl Summary {
    /// Bytes of the original.
    #[getter]
    fn original_bytes(&self) -> u64 {
        self.0.original_bytes
    }

    /// Bytes of the archive.
    #[getter]
    fn archive_bytes(&self) -> u64 {
        self.0.archive_bytes
    }

    /// Blocks of the archive.
    #[getter]
    fn blocks(&self) -> u64 {
        self.0.blocks
    }

    /// Games of the archive.
    #[getter]
    fn games(&self) -> u64 {
        self.0.stats.games
    }

    /// Moves of either side, those of variations included.
    #[getter]
    fn moves(&self) -> u64 {
        self.0.stats.moves
    }

    /// Bytes of each stream: tags, moves, structure, comments, layout, text.
    #[getter]
    fn streams(&self) -> BTreeMap<&'static str, u64> {
        self.0.streams().into()
    }

    /// Name and hash of each model without which the archive cannot be decoded.
    #[getter]
    fn models(&self) -> Vec<(String, String)> {
        self.0.models.iter().map(|id| (id.name.clone(), id.hash.to_string())).collect()
    }

    /// Bits that the stream of moves takes for each move; None without moves.
    #[getter]
    fn bits_per_move(&self) -> Option<f64> {
        self.0.bits_per_move()
    }

    /// Bytes of the whole archive for each game; None without games.
    #[getter]
    fn bytes_per_game(&self) -> Option<f64> {
        self.0.bytes_per_game()
    }

    fn __repr__(&self) -> String {
        let (games, bytes) = (self.games(), self.0.original_bytes);
        format!("<Summary: {games} games, {bytes} bytes in {}>", self.0.archive_bytes)
    }
}
