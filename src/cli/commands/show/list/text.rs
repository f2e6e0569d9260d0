//! Lists as text: tables, comma-separated values, JSON.

use std::borrow::Cow;
use std::io::{self, Write};

use plyzip::Result;
use plyzip::archive::is_late;
use plyzip::pgn::Tag;
use plyzip::pgn::tag_text;
use serde_json::{Map, Value};

use super::{Before, PLIES, Row, Sheet};
use crate::cli::shown::shown;

/// The layout of games in lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// With tabs between the columns.
    Table,
    /// With commas, as RFC 4180 has them but for the end of the line.
    Csv,
    /// As objects.
    Json,
}

/// A line for each game.
pub(super) struct TextSheet<W> {
    out: W,
    layout: Layout,
    /// The columns behind the number; with JSON, none stands for all tags.
    columns: Vec<String>,
}

impl<W: Write> TextSheet<W> {
    /// A list with its head, if it has one.
    pub fn new(
        mut out: W,
        layout: Layout,
        columns: Vec<String>,
        before: Before,
    ) -> Result<TextSheet<W>> {
        if layout == Layout::Csv {
            let file = before.file.then_some(Cow::Borrowed("file"));
            let repeats = before.repeats.then_some(Cow::Borrowed("repeats"));
            let names = columns.iter().map(|name| name[..].into());
            let names = file.into_iter().chain([Cow::Borrowed("game")]).chain(repeats).chain(names);
            record(&mut out, names)?;
        }
        Ok(TextSheet { out, layout, columns })
    }
}

impl<W: Write> Sheet for TextSheet<W> {
    fn row(&mut self, row: &Row<'_>) -> Result<()> {
        if self.layout == Layout::Json {
            return json(&mut self.out, row, &self.columns);
        }
        let value = |name: &String| match (row.plies, &name[..]) {
            (Some(plies), PLIES) => plies.to_string().into(),
            (_, name) => row.tag(name).map_or(Cow::Borrowed(""), tag_text),
        };
        let number = Cow::Owned(row.number.to_string());
        let file = row.file.map(Cow::Borrowed).into_iter();
        let repeats = row.repeats.map(Cow::Borrowed);
        let values = file.chain([number]).chain(repeats).chain(self.columns.iter().map(value));
        match self.layout {
            Layout::Csv => record(&mut self.out, values)?,
            _ => line(&mut self.out, values)?,
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        Ok(self.out.flush()?)
    }
}

/// Columns with tabs between them.
fn line<'a>(out: &mut impl Write, values: impl Iterator<Item = Cow<'a, str>>) -> io::Result<()> {
    for (column, value) in values.enumerate() {
        let separator = if column > 0 { "\t" } else { "" };
        out.write_all(separator.as_bytes())?;
        // Nothing that moves a terminal's cursor, or looks like another column.
        out.write_all(shown(&value).as_bytes())?;
    }
    writeln!(out)
}

/// Columns with commas between them.
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
fn json(out: &mut impl Write, row: &Row<'_>, names: &[String]) -> Result<()> {
    let mut object = Map::new();
    let wanted = |name: &[u8]| {
        (row.plies.is_some() || !is_late(name))
            && (names.is_empty() || names.iter().any(|known| known.as_bytes() == name))
    };
    for Tag { name, value } in row.tags.iter().filter(|tag| wanted(&tag.name)) {
        let name = String::from_utf8_lossy(name).into_owned();
        object.entry(name).or_insert_with(|| tag_text(value).into());
    }
    let mut line = Map::new();
    if let Some(file) = row.file {
        line.insert("file".into(), file.into());
    }
    line.insert("game".into(), row.number.into());
    if let Some(repeats) = row.repeats {
        line.insert("repeats".into(), repeats.into());
    }
    if let Some(plies) = row.plies {
        line.insert("plies".into(), plies.into());
    }
    line.insert("tags".into(), Value::Object(object));
    serde_json::to_writer(&mut *out, &line).map_err(io::Error::from)?;
    Ok(writeln!(out)?)
}
