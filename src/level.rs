//! Levels of compression, from 1 to 9.

use std::fmt;
use std::str::FromStr;

use crate::{Error, Result};

/// The model of each level; those between `none` and `max` are `standard` with searches of different effort.
const MODELS: [&str; 9] = [
    "none",
    "standard@0",
    "standard@100x4-board",
    "standard@330x5-board",
    "standard@100x5",
    "standard",
    "standard@7000x12",
    "standard@30000x12",
    "max",
];

/// A level of compression: 1 is the fastest, 9 the densest, and 6 the default.
///
/// A level is a short name for a model. An archive names the model and not the level.
///
/// ```
/// use plyzip::{Level, ModelStore};
///
/// assert_eq!(Level::new(1).unwrap().model(), "none");
/// assert_eq!(Level::default().model(), "standard");
/// let model = ModelStore::default().open("3".parse::<Level>()?.model())?;
/// # Ok::<(), plyzip::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

impl Level {
    /// The level of this number, 1 to 9; `None` for other numbers.
    pub fn new(number: u8) -> Option<Level> {
        (1..=9).contains(&number).then_some(Level(number))
    }

    /// The number of the level, 1 to 9.
    pub fn number(self) -> u8 {
        self.0
    }

    /// The name of its model, for [`ModelStore::open`](crate::ModelStore::open). The model of level 9 is a file of its own.
    pub fn model(self) -> &'static str {
        MODELS[usize::from(self.0) - 1]
    }
}

impl Default for Level {
    fn default() -> Level {
        Level(6)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl FromStr for Level {
    type Err = Error;

    fn from_str(text: &str) -> Result<Level> {
        let level = text.parse().ok().and_then(Level::new);
        level.ok_or_else(|| Error::Usage("a level is a number from 1 to 9".into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ModelStore;

    #[test]
    fn each_level_but_the_densest_is_made_of_what_is_in_the_program() {
        let store = ModelStore::default();
        for number in 1..9 {
            let level = Level::new(number).unwrap();
            assert_eq!(store.open(level.model()).unwrap().name(), level.model());
            assert_eq!(level.to_string().parse::<Level>().unwrap(), level);
        }
        for text in ["0", "10", "-1", "", "best"] {
            assert!(text.parse::<Level>().is_err());
        }
    }
}
