//! `plyzip list`

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use serde_json::{Map, Value};

use crate::archive::IndexedReader;
use crate::cli::files::{Input, at, standard};
use crate::pgn::Tag;
use crate::{Error, Result};

/// `plyzip list`
#[derive(Debug, Clone, Args)]
pub struct ListArguments {
    /// The archive; a file
    #[arg(value_name = "ARCHIVE")]
    pub input: PathBuf,
    /// Print each game as one line of JSON, with all tags but those that the moves foretell, such as ECO
    #[arg(long)]
    pub json: bool,
}

/// The columns of the table, behind the number.
const COLUMNS: [&str; 5] = ["White", "Black", "Result", "Date", "Event"];

/// Prints a line for each game of an archive.
pub fn run(arguments: &ListArguments) -> Result<()> {
    let Input::File(file, path) = Input::open(&arguments.input)? else {
        return Err(Error::Usage("a list takes a file, not standard input".into()));
    };
    let named = |error| match error {
        Error::Io(error) => at(&path, &error),
        other => other,
    };
    let mut reader = IndexedReader::open(file).map_err(named)?;
    let mut out = BufWriter::new(standard::output()?);
    let mut number = 0u64;
    for block in 0..reader.blocks().len() {
        for tags in reader.tags(block).map_err(named)? {
            number += 1;
            if arguments.json {
                json(&mut out, number, &tags)?;
            } else {
                line(&mut out, number, &tags)?;
            }
        }
    }
    Ok(out.flush()?)
}

/// Number and columns, with tabs between them.
fn line(out: &mut impl Write, number: u64, tags: &[Tag]) -> io::Result<()> {
    write!(out, "{number}")?;
    for name in COLUMNS {
        let tag = tags.iter().find(|tag| tag.name == name.as_bytes());
        let value = String::from_utf8_lossy(tag.map_or(b"", |tag| &tag.value));
        // Nothing that moves a terminal's cursor, or looks like another column.
        write!(out, "\t{}", value.replace(char::is_control, " "))?;
    }
    writeln!(out)
}

/// An object with the number and all tags, the first of each name.
fn json(out: &mut impl Write, number: u64, tags: &[Tag]) -> Result<()> {
    let mut object = Map::new();
    for Tag { name, value } in tags {
        let name = String::from_utf8_lossy(name).into_owned();
        object.entry(name).or_insert_with(|| String::from_utf8_lossy(value).into());
    }
    let mut line = Map::new();
    line.insert("game".into(), number.into());
    line.insert("tags".into(), Value::Object(object));
    serde_json::to_writer(&mut *out, &line).map_err(io::Error::from)?;
    Ok(writeln!(out)?)
}
