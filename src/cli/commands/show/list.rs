//! `plyzip list`

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use serde_json::{Map, Value};

use crate::archive::{IndexedReader, ReaderOptions, is_late};
use crate::cli::arguments::{Coding, LimitArguments};
use crate::cli::files::{Input, Sink, standard};
use crate::cli::tag_text::tag_text;
use crate::cli::threads::with_threads;
use crate::pgn::Tag;
use crate::{Error, Result};

/// `plyzip list`
#[derive(Debug, Clone, Args)]
pub struct ListArguments {
    /// The archive; a file
    #[arg(value_name = "ARCHIVE")]
    pub input: PathBuf,
    /// Print comma-separated values, with a line of names first
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// Print each game as one line of JSON, with all tags but those that the moves foretell, such as ECO
    #[arg(long)]
    pub json: bool,
    /// The tags to print, behind the number of the game [default: Date,White,WhiteElo,Black,BlackElo,Result,Event; with
    /// --json all]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub tags: Vec<String>,
    /// How the codec runs
    #[command(flatten)]
    pub coding: Coding,
    /// What the archive may ask for
    #[command(flatten)]
    pub limits: LimitArguments,
}

/// The columns of the table, behind the number.
const COLUMNS: [&str; 7] = ["Date", "White", "WhiteElo", "Black", "BlackElo", "Result", "Event"];

/// Prints a line for each game of an archive.
pub fn run(arguments: &ListArguments) -> Result<()> {
    let input = Input::open(&arguments.input)?;
    if input.path().is_none() {
        return Err(Error::Usage("a list takes a file, not standard input".into()));
    }
    if let Some(late) = arguments.tags.iter().find(|name| is_late(name.as_bytes())) {
        return Err(Error::Usage(format!(
            "{late} is stored with the moves, which a list does not read (`plyzip extract` has it)"
        )));
    }
    let columns: Vec<&str> = match &arguments.tags[..] {
        [] => COLUMNS.to_vec(),
        tags => tags.iter().map(|name| &name[..]).collect(),
    };
    let mut out = BufWriter::new(Sink::Standard(standard::output()?));
    with_threads(arguments.coding, None, || {
        if arguments.csv {
            record(&mut out, ["game"].iter().chain(&columns).map(|&name| name.into()))?;
        }
        let options =
            ReaderOptions { limits: arguments.limits.limits(), ..ReaderOptions::default() };
        let mut reader = IndexedReader::with_options(input, options)?;
        reader.for_each_tags(|number, tags| {
            let number = number + 1;
            let values = columns.iter().map(|name| {
                let tag = tags.iter().find(|tag| tag.name == name.as_bytes());
                tag.map_or(Cow::Borrowed(""), |tag| tag_text(&tag.value))
            });
            let mut values = [number.to_string().into()].into_iter().chain(values);
            match (arguments.csv, arguments.json) {
                (true, _) => record(&mut out, values)?,
                (_, true) => json(&mut out, number, tags, &arguments.tags)?,
                _ => line(&mut out, &mut values)?,
            }
            Ok(())
        })?;
        Ok(out.flush()?)
    })
}

/// Columns with tabs between them.
fn line<'a>(out: &mut impl Write, values: impl Iterator<Item = Cow<'a, str>>) -> io::Result<()> {
    for (column, value) in values.enumerate() {
        let separator = if column > 0 { "\t" } else { "" };
        // Nothing that moves a terminal's cursor, or looks like another column.
        write!(out, "{separator}{}", value.replace(char::is_control, " "))?;
    }
    writeln!(out)
}

/// Columns with commas between them, as RFC 4180 has them but for the end of the line.
fn record<'a>(out: &mut impl Write, values: impl Iterator<Item = Cow<'a, str>>) -> io::Result<()> {
    for (column, value) in values.enumerate() {
        let separator = if column > 0 { "," } else { "" };
        match value.contains([',', '"', '\n', '\r']) {
            true => write!(out, "{separator}\"{}\"", value.replace('"', "\"\""))?,
            false => write!(out, "{separator}{value}")?,
        }
    }
    writeln!(out)
}

/// An object with the number and all tags, or those of these `names`; of tags with one name, the first.
fn json(out: &mut impl Write, number: u64, tags: &[Tag], names: &[String]) -> Result<()> {
    let mut object = Map::new();
    let wanted = |name: &[u8]| {
        !is_late(name) && (names.is_empty() || names.iter().any(|known| known.as_bytes() == name))
    };
    for Tag { name, value } in tags.iter().filter(|tag| wanted(&tag.name)) {
        let name = String::from_utf8_lossy(name).into_owned();
        object.entry(name).or_insert_with(|| tag_text(value).into());
    }
    let mut line = Map::new();
    line.insert("game".into(), number.into());
    line.insert("tags".into(), Value::Object(object));
    serde_json::to_writer(&mut *out, &line).map_err(io::Error::from)?;
    Ok(writeln!(out)?)
}
