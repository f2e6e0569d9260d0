//! The first byte of a single game: the generation of the predictor and the class of the model.

use crate::predict::{GENERATION, Model};
use crate::{Error, Result};

/// What kind of model a game was encoded with: the lower half of the first byte. Other values are reserved.
const CLASSES: [&str; 3] = ["no network", "a network", "a network and a search"];

/// The first byte of games encoded with `model`.
pub fn first_byte(model: &Model) -> u8 {
    let class = match (model.hash(), model.search_model()) {
        (None, _) => 0,
        (Some(_), None) => 1,
        (Some(_), Some(_)) => 2,
    };
    GENERATION << 4 | class
}

/// Compares the first byte of a game with the one that `model` writes.
///
/// # Errors
/// [`Error::Unsupported`] if it is a reserved one, [`Error::Model`] if it names another class of model.
pub fn check_first_byte(found: u8, model: &Model) -> Result<()> {
    if found == first_byte(model) {
        return Ok(());
    }
    if found >> 4 != GENERATION {
        let what = format!("bytes of a single game that begin with {found:#04x}");
        return Err(Error::Unsupported(what));
    }
    match CLASSES.get(usize::from(found & 15)) {
        Some(class) => Err(Error::Model(format!(
            "the game was encoded with a model that has {class}, which `{}` is not",
            model.name()
        ))),
        None => Err(Error::Unsupported(format!("a model of class {}", found & 15))),
    }
}
