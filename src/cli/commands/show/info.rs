//! `plyzip info`

use std::path::PathBuf;

use clap::Args;

use crate::archive::{ArchiveReader, IndexedReader};
use crate::cli::files::{Input, at, standard};
use crate::cli::report::{self, Checked};
use crate::{Error, Result};

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
    let (summary, checked) = match Input::open(&arguments.input)? {
        Input::File(file, path) if file.metadata().is_ok_and(|metadata| metadata.is_file()) => {
            let reader = IndexedReader::open(file).map_err(|error| match error {
                Error::Io(error) => at(&path, &error),
                other => other,
            })?;
            (reader.summary().clone(), Checked::Index)
        }
        input => (ArchiveReader::new(input)?.skim()?, Checked::Sections),
    };
    let text = match arguments.json {
        true => report::json(&summary, checked)?,
        false => report::table(&summary, checked),
    };
    standard::print(&text)
}
