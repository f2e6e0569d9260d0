//! The part of the library that plyzip's page for browsers and its package for npm need.
//!
//! The page's worker (`page/worker.js`) makes a [`Models`], a [`Compressor`] for PGN, a [`Restorer`] for a whole
//! archive and an [`Archive`] to look into one. So does the package (`bindings/npm`), and a [`GameCodec`] for single
//! games. Structures go to JavaScript as JSON. Errors become JavaScript's `Error` with the text of [`plyzip::Error`].

mod annotated;
mod archive;
mod codec;
mod compressor;
mod figures;
mod models;
mod page;
mod restorer;
mod rows;
mod source;
mod tree;

pub use archive::{Archive, GameText};
pub use codec::GameCodec;
pub use compressor::{Compressed, Compressor};
pub use models::Models;
pub use restorer::Restorer;

use plyzip::archive::Progress;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Hears how far the work has come: bytes of the original that are done, and plies that were coded or decoded.
    #[wasm_bindgen(js_name = plyzipProgress)]
    fn tell_progress(original_bytes: f64, codings: f64);

    /// Hears why the module is about to stop, which is a defect of plyzip.
    #[wasm_bindgen(js_name = plyzipPanic)]
    fn tell_panic(message: &str);
}

/// Has the worker hear of panics: all else that it sees of one is that the module has stopped.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|panic| tell_panic(&panic.to_string())));
}

/// The library's version.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").into()
}

/// Progress that the worker hears of, on the only thread there is.
fn progress() -> Progress {
    Progress::observed(|progress| {
        tell_progress(progress.original_bytes() as f64, progress.codings() as f64);
    })
}

/// JSON of what has no other form than it.
fn json(value: &impl serde::Serialize) -> Result<String, JsError> {
    serde_json::to_string(value).map_err(JsError::from)
}
