//! Options that choose the model of a new archive.

use clap::{ArgGroup, Args};

use plyzip::Level;

/// What predicts the moves.
#[derive(Debug, Clone, Args)]
pub struct ModelChoice {
    #[command(flatten)]
    level: LevelFlags,
    /// What predicts the moves: a model by its name or its file, or `none`. `standard` is in the program; `max`
    /// is denser, many times slower, and a file of its own (see `plyzip models --help`); `none` is the fastest.
    /// `standard@800x8` is `standard` with a search of 800 nodes for 8 moves instead of 600 for 10, `standard@800x8-board`
    /// does that without its board network, and `standard@0` has neither a search nor a board network
    #[arg(long, value_name = "NAME|PATH|none")]
    pub model: Option<String>,
    /// Short for -1 and --model none: the fastest
    #[arg(long, conflicts_with_all = ["model", "best"])]
    pub fast: bool,
    /// Short for -9 and --model max: the densest
    #[arg(long, conflicts_with = "model")]
    pub best: bool,
}

impl ModelChoice {
    /// The model that was asked for, if one was.
    pub fn name(&self) -> Option<&str> {
        match (self.fast, self.best) {
            (true, _) => Some("none"),
            (_, true) => Some("max"),
            _ => self.level.level().map(Level::model).or(self.model.as_deref()),
        }
    }
}

/// The levels, an option each.
#[derive(Debug, Clone, Args)]
#[command(group = ArgGroup::new("level").conflicts_with_all(["model", "fast", "best"]))]
struct LevelFlags {
    /// The fastest level: no network
    #[arg(short = '1', group = "level")]
    one: bool,
    /// Levels between the fastest and the densest: the network without a search (2), with searches of 100 and 330 nodes
    /// (3, 4), and with a board network beside it and searches of 100 nodes (5), 600 (6, the default), 7,000 and 30,000
    /// (7, 8)
    #[arg(short = '2', group = "level")]
    two: bool,
    #[arg(short = '3', group = "level", hide = true)]
    three: bool,
    #[arg(short = '4', group = "level", hide = true)]
    four: bool,
    #[arg(short = '5', group = "level", hide = true)]
    five: bool,
    #[arg(short = '6', group = "level", hide = true)]
    six: bool,
    #[arg(short = '7', group = "level", hide = true)]
    seven: bool,
    #[arg(short = '8', group = "level", hide = true)]
    eight: bool,
    /// The densest level: four networks and a search of 140,000 nodes, from the file of the model `max`
    #[arg(short = '9', group = "level")]
    nine: bool,
}

impl LevelFlags {
    /// The level that was asked for.
    fn level(&self) -> Option<Level> {
        let flags = [
            self.one, self.two, self.three, self.four, self.five, self.six, self.seven, self.eight,
            self.nine,
        ];
        let place = flags.iter().position(|&flag| flag)?;
        Level::new(place as u8 + 1)
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        choice: ModelChoice,
    }

    fn chosen(line: &[&str]) -> Option<String> {
        let line = Line::try_parse_from([&["plyzip"], line].concat()).ok()?;
        Some(line.choice.name().unwrap_or("default").to_owned())
    }

    #[test]
    fn levels_choose_models_and_exclude_each_other() {
        for level in 1..=9 {
            let model = Level::new(level).unwrap().model();
            assert_eq!(chosen(&[&format!("-{level}")]).as_deref(), Some(model));
        }
        assert_eq!(chosen(&[]).as_deref(), Some("default"));
        for line in [["-1", "-2"], ["-3", "--fast"], ["-9", "--best"], ["-6", "--model=none"]] {
            assert_eq!(chosen(&line), None);
        }
    }
}
