//! `plyzip info`

use super::arguments::InfoArguments;
use super::input::{Input, at};
use super::report::{self, Checked};
use super::standard;
use crate::archive::{ArchiveReader, IndexedReader};
use crate::{Error, Result};

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
