//! The extension module of the Python package `plyzip`: the library's types as Python has them, and nothing else. What
//! needs python-chess or pyarrow is in the package's Python (`plyzip/_chess.py`, `plyzip/_arrow.py`).
//!
//! `plyzip/_plyzip.pyi` describes what is here.

mod archive;
mod codec;
mod compress;
mod cut;
mod errors;
mod files;
mod header;
mod model;
mod prediction;
mod summary;
mod turns;
mod work;

use pyo3::prelude::*;

#[pymodule]
mod _plyzip {
    #[pymodule_export]
    use crate::archive::{
        _game, _games, _matches, _open, Archive, Finds, Game, GameIterator, Games, MatchIterator,
        Matches, NextMoves, Outcomes, Positions, TagStream, is_late, open,
    };
    #[pymodule_export]
    use crate::codec::GameCodec;
    #[pymodule_export]
    use crate::compress::{compress, decompress};
    #[pymodule_export]
    use crate::cut::find_game;
    #[pymodule_export]
    use crate::model::Model;
    #[pymodule_export]
    use crate::prediction::{Forecast, GameCosts, PlyCost, explain, predict};
    #[pymodule_export]
    use crate::summary::Summary;

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
