//! Position codecs, measured on the positions of all games.

use super::games::Game;
use super::row::Row;
use crate::{Error, Result};

/// A row for each position codec.
///
/// # Errors
/// [`Error::Usage`]: there is none yet.
pub fn measure(_games: &[Game]) -> Result<Vec<Row>> {
    Err(Error::Usage("there are no codes for positions in this version".into()))
}
