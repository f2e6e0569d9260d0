//! Lists as Arrow files, for DuckDB, pandas, polars.

use std::io::{self, BufWriter};
use std::sync::Arc;

use arrow_array::builder::{
    Date32Builder, Int16Builder, Int32Builder, StringBuilder, UInt64Builder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use plyzip::filters::days_since_1970;
use plyzip::pgn::tag_text;
use plyzip::{Error, Result};

use super::{Row, Sheet};
use crate::cli::files::Sink;

/// Rows of a batch, and bytes of text in it: far from the 2 GiB that a column of text may have.
const BATCH_ROWS: u64 = 1 << 16;
const BATCH_BYTES: usize = 1 << 26;

/// The columns of text, with the tags that they come from.
const BEFORE: [(&str, &str); 2] = [("white", "White"), ("black", "Black")];
const AFTER: [(&str, &str); 3] = [("event", "Event"), ("site", "Site"), ("round", "Round")];

/// An Arrow file with a row for each game, which are written in batches.
pub(super) struct ArrowSheet {
    writer: FileWriter<BufWriter<Sink>>,
    rows: u64,
    bytes: usize,
    /// The names of files, if there are several.
    file: Option<StringBuilder>,
    game: UInt64Builder,
    date: Date32Builder,
    date_text: StringBuilder,
    names: [StringBuilder; 2],
    elos: [Int16Builder; 2],
    result: StringBuilder,
    eco: StringBuilder,
    plies: Int32Builder,
    places: [StringBuilder; 3],
}

impl ArrowSheet {
    /// A file without rows.
    pub fn new(sink: Sink, several: bool) -> Result<ArrowSheet> {
        let writer = FileWriter::try_new(BufWriter::new(sink), &schema(several)).map_err(failed)?;
        Ok(ArrowSheet {
            writer,
            rows: 0,
            bytes: 0,
            file: several.then(StringBuilder::new),
            game: UInt64Builder::new(),
            date: Date32Builder::new(),
            date_text: StringBuilder::new(),
            names: Default::default(),
            elos: Default::default(),
            result: StringBuilder::new(),
            eco: StringBuilder::new(),
            plies: Int32Builder::new(),
            places: Default::default(),
        })
    }

    fn write_batch(&mut self) -> Result<()> {
        (self.rows, self.bytes) = (0, 0);
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(self.game.finish()),
            Arc::new(self.date.finish()),
            Arc::new(self.date_text.finish()),
        ];
        columns.extend(self.names.iter_mut().map(|names| Arc::new(names.finish()) as ArrayRef));
        columns.extend(self.elos.iter_mut().map(|elos| Arc::new(elos.finish()) as ArrayRef));
        columns.push(Arc::new(self.result.finish()));
        columns.push(Arc::new(self.eco.finish()));
        columns.push(Arc::new(self.plies.finish()));
        columns.extend(self.places.iter_mut().map(|places| Arc::new(places.finish()) as ArrayRef));
        columns.extend(self.file.as_mut().map(|file| Arc::new(file.finish()) as ArrayRef));
        let schema = Arc::new(schema(self.file.is_some()));
        let batch = RecordBatch::try_new(schema, columns).map_err(failed)?;
        self.writer.write(&batch).map_err(failed)
    }
}

impl Sheet for ArrowSheet {
    fn row(&mut self, row: &Row<'_>) -> Result<()> {
        let value = |name: &str| row.tag(name).map(tag_text);
        let mut bytes = 0;
        let mut put = |column: &mut StringBuilder, name: &str| {
            let value = value(name);
            bytes += value.as_ref().map_or(0, |value| value.len());
            column.append_option(value);
        };
        self.game.append_value(row.number);
        put(&mut self.date_text, if row.tag("Date").is_some() { "Date" } else { "UTCDate" });
        for (column, (_, name)) in self.names.iter_mut().zip(BEFORE) {
            put(column, name);
        }
        put(&mut self.result, "Result");
        put(&mut self.eco, "ECO");
        for (column, (_, name)) in self.places.iter_mut().zip(AFTER) {
            put(column, name);
        }
        let date = value("Date").or_else(|| value("UTCDate"));
        self.date.append_option(date.and_then(|date| days_since_1970(&date)));
        for (column, name) in self.elos.iter_mut().zip(["WhiteElo", "BlackElo"]) {
            let elo = value(name).and_then(|elo| elo.trim().parse().ok());
            column.append_option(elo.filter(|&elo: &i16| elo > 0));
        }
        if let Some(file) = &mut self.file {
            bytes += row.file.map_or(0, str::len);
            file.append_option(row.file);
        }
        self.plies.append_option(row.plies.and_then(|plies| plies.try_into().ok()));
        self.rows += 1;
        self.bytes += bytes;
        if self.rows >= BATCH_ROWS || self.bytes >= BATCH_BYTES {
            self.write_batch()?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        if self.rows > 0 {
            self.write_batch()?;
        }
        self.writer.finish().map_err(failed)?;
        let out = self.writer.into_inner().map_err(failed)?;
        out.into_inner().map_err(io::IntoInnerError::into_error)?.commit()
    }
}

fn schema(several: bool) -> Schema {
    let text = |name: &str| Field::new(name, DataType::Utf8, true);
    let mut fields = vec![
        Field::new("game", DataType::UInt64, false),
        Field::new("date", DataType::Date32, true),
        text("date_text"),
    ];
    fields.extend(BEFORE.map(|(name, _)| text(name)));
    fields.extend(["white_elo", "black_elo"].map(|name| Field::new(name, DataType::Int16, true)));
    fields.extend([text("result"), text("eco"), Field::new("plies", DataType::Int32, true)]);
    fields.extend(AFTER.map(|(name, _)| text(name)));
    fields.extend(several.then(|| text("file")));
    Schema::new(fields)
}

fn failed(error: ArrowError) -> Error {
    match error {
        ArrowError::IoError(_, error) => Error::Io(error),
        other => Error::Internal(other.to_string()),
    }
}
