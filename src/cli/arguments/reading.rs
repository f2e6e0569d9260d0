//! What a command that asks questions reads, and which games it asks about.

use std::path::PathBuf;

use clap::Args;
use plyzip::Result;

use super::{Coding, FilterArguments, IndexArguments, LimitArguments};
use crate::cli::files::games_found;

/// The files that are looked through, which of their games, and how.
#[derive(Debug, Clone, Args)]
pub struct Reading {
    /// Archives, and PGN, plain or compressed by another program; of folders, all below them. PGN may come from
    /// standard input, `-`
    #[arg(value_name = "IN", required = true)]
    pub inputs: Vec<PathBuf>,
    /// Which games
    #[command(flatten)]
    pub filter: FilterArguments,
    /// The model of an archive, if it is not among those that `plyzip models` lists
    #[arg(long, value_name = "NAME|PATH", help_heading = "Options")]
    pub model: Option<String>,
    /// The index beside the archive
    #[command(flatten)]
    pub index: IndexArguments,
    /// How the codec runs
    #[command(flatten, next_help_heading = "Options")]
    pub coding: Coding,
    /// What an archive may ask for
    #[command(flatten)]
    pub limits: LimitArguments,
}

impl Reading {
    /// The files.
    ///
    /// # Errors
    /// Those of [`games_found`].
    pub(in crate::cli) fn paths(&self) -> Result<Vec<PathBuf>> {
        games_found(&self.inputs)
    }
}
