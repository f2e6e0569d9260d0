//! `plyzip info`

use std::path::PathBuf;

use clap::Args;
use plyzip::Result;
use plyzip::archive::{ArchiveReader, IndexedReader};

use crate::cli::files::{Input, standard};
use crate::cli::report::{self, Checked};

/// `plyzip info`
#[derive(Debug, Clone, Args)]
pub struct InfoArguments {
    /// The archive; `-` for standard input
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// Print it as one line of JSON
    #[arg(long)]
    pub json: bool,
}

/// Prints an archive's figures: from its index, or by reading the whole archive if the input cannot seek.
pub fn run(arguments: &InfoArguments) -> Result<()> {
    let input = Input::open(&arguments.input)?;
    let (summary, checked) = match input.length() {
        Some(_) => (IndexedReader::open(input)?.summary().clone(), Checked::Index),
        None => (ArchiveReader::new(input)?.skim()?, Checked::Sections),
    };
    let text = match arguments.json {
        true => report::json(&summary, checked)?,
        false => report::table(&summary, checked),
    };
    standard::print(&text)
}
