//! `plyzip info`

use std::io::{self, Write};

use super::arguments::InfoArguments;
use super::input::Input;
use super::report;
use crate::Result;
use crate::archive::{ArchiveReader, IndexedReader};

/// Tells what an archive holds: from its index, or by reading through it if it cannot
/// seek.
pub fn run(arguments: &InfoArguments) -> Result<()> {
    let summary = match Input::open(&arguments.input)? {
        Input::File(file, _) if file.metadata()?.is_file() => {
            IndexedReader::open(file)?.summary().clone()
        }
        input => ArchiveReader::new(input)?.skim()?,
    };
    let text = if arguments.json { report::json(&summary)? } else { report::table(&summary) };
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    Ok(stdout.flush()?)
}
