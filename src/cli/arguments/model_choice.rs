//! What shall predict the moves of a new archive.

use clap::Args;

/// What predicts the moves.
#[derive(Debug, Clone, Args)]
pub struct ModelChoice {
    /// What predicts the moves: a model by its name or its file, or `none`. `standard` is in the program; `max`
    /// is denser, many times slower, and a file of its own (see `plyzip models --help`); `none` is the fastest
    #[arg(long, value_name = "NAME|PATH|none")]
    pub model: Option<String>,
    /// Short for --model none: the fastest
    #[arg(long, conflicts_with_all = ["model", "best"])]
    pub fast: bool,
    /// Short for --model max: the densest
    #[arg(long, conflicts_with = "model")]
    pub best: bool,
}

impl ModelChoice {
    /// The model that was asked for, if one was.
    pub fn name(&self) -> Option<&str> {
        match (self.fast, self.best) {
            (true, _) => Some("none"),
            (_, true) => Some("max"),
            _ => self.model.as_deref(),
        }
    }
}
