//! Tags, moves and the text of games as columns.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::{ArrayBuilder, Int32Builder, ListBuilder, StringBuilder};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, RecordBatchIterator, new_null_array};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use plyzip::archive::{self, AllGames, IndexedReader, Selection};
use plyzip::filters::Filters;
use plyzip::pgn::{self, Tag, tag_text};
use plyzip::{Error, Interrupt, Result};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use super::Shared;
use super::chosen::Chosen;
use super::game::{text, uci_moves};
use crate::files::Source;

/// Games of a batch.
const BATCH: usize = 1 << 16;
/// Most columns, unless they are named: tags have any names.
const COLUMNS: usize = 256;
/// Names of the standard and of the large databases: a column of such a tag may be empty. Of any other name that no
/// game has it is likely that it is misspelt.
#[rustfmt::skip]
const KNOWN: &[&str] = &[
    "Event", "Site", "Date", "Round", "White", "Black", "Result", "WhiteTitle", "BlackTitle", "WhiteElo", "BlackElo",
    "WhiteUSCF", "BlackUSCF", "WhiteNA", "BlackNA", "WhiteType", "BlackType", "WhiteFideId", "BlackFideId",
    "WhiteRatingDiff", "BlackRatingDiff", "WhiteTeam", "BlackTeam", "WhiteTeamCountry", "BlackTeamCountry",
    "EventDate", "EventSponsor", "EventType", "EventRounds", "EventCountry", "EventCategory", "Section", "Stage",
    "Board", "Opening", "Variation", "SubVariation", "ECO", "NIC", "Time", "UTCTime", "UTCDate", "TimeControl",
    "StartTime", "EndTime", "EndDate", "SetUp", "FEN", "Variant", "Termination", "Annotator", "Mode", "PlyCount",
    "Source", "SourceDate", "SourceTitle", "GameId", "GameID", "GameURL", "Link", "Remark", "CurrentPosition",
    "Timezone", "ECOUrl", "StudyName", "ChapterName",
];

/// The tags of an archive's games, as Arrow has them. Libraries take it by the Arrow C stream interface.
#[pyclass(frozen, module = "plyzip")]
#[derive(Debug)]
pub struct TagStream {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

#[pymethods]
impl TagStream {
    /// The capsule of the Arrow C stream interface.
    #[pyo3(signature = (requested_schema=None))]
    pub fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface lets what is asked for be a wish.
        let _ = requested_schema;
        let batches = self.batches.clone().into_iter().map(Ok::<_, ArrowError>);
        let reader = RecordBatchIterator::new(batches, self.schema.clone());
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}

impl TagStream {
    /// The columns of all games, or of these, of which names are not checked then.
    pub(super) fn new(
        py: Python<'_>,
        shared: &Shared,
        asked: Asked,
        games: Option<Range<u64>>,
    ) -> PyResult<TagStream> {
        let interrupt = shared.work.interrupt();
        shared.read(py, |reader| match games {
            Some(games) => {
                let filters = Filters::default().within(games);
                Columns::of(reader, &filters, asked, interrupt)?.finish()
            }
            None => {
                let columns = Columns::of(reader, &AllGames, asked, interrupt)?;
                if reader.summary().stats.games > 0 {
                    columns.check_names()?;
                }
                columns.finish()
            }
        })
    }

    /// The columns of the games of these numbers, which ascend. Names have to be those of tags of any game.
    pub(super) fn of_games(
        py: Python<'_>,
        shared: &Shared,
        asked: Asked,
        numbers: &[u64],
    ) -> PyResult<TagStream> {
        let interrupt = shared.work.interrupt();
        shared.read(py, |reader| {
            let columns = Columns::of(reader, &Chosen(numbers), asked, interrupt)?;
            let unseen = columns.unseen();
            if !unseen.is_empty() && reader.summary().stats.games > 0 {
                Columns::of(reader, &AllGames, Asked::Tags(unseen), interrupt)?.check_names()?;
            }
            columns.finish()
        })
    }
}

/// Whether tags of this name are stored with the moves, which foretell them: such a column takes all pages.
///
/// >>> from plyzip._plyzip import is_late
/// >>> is_late("ECO"), is_late("White")
/// (True, False)
#[pyfunction]
pub fn is_late(name: &str) -> bool {
    archive::is_late(name.as_bytes())
}

/// The names of columns that are asked for.
#[derive(Debug)]
pub enum Asked {
    /// Of tags; of all, if there is no name.
    Tags(Vec<String>),
    /// Of tags, or `moves`, `plies`, `pgn`.
    Columns(Vec<String>),
}

/// Columns that are no tags.
const MOVES: &str = "moves";
const PLIES: &str = "plies";
const PGN: &str = "pgn";

/// A column as it grows.
#[derive(Debug)]
enum Column {
    Tag(StringBuilder),
    Pgn(StringBuilder),
    Plies(Int32Builder),
    Moves(ListBuilder<StringBuilder>),
}

impl Column {
    fn of(name: &str) -> Column {
        match name {
            MOVES => Column::Moves(ListBuilder::default()),
            PLIES => Column::Plies(Int32Builder::new()),
            PGN => Column::Pgn(StringBuilder::new()),
            _ => Column::Tag(StringBuilder::new()),
        }
    }

    fn data_type(&self) -> DataType {
        match self {
            Column::Tag(_) | Column::Pgn(_) => DataType::Utf8,
            Column::Plies(_) => DataType::Int32,
            Column::Moves(_) => DataType::new_list(DataType::Utf8, true),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Column::Tag(texts) | Column::Pgn(texts) => Arc::new(texts.finish()),
            Column::Plies(plies) => Arc::new(plies.finish()),
            Column::Moves(moves) => Arc::new(moves.finish()),
        }
    }
}

/// What is known of a game.
#[derive(Debug, Clone, Copy)]
struct Known<'a> {
    tags: &'a [Tag],
    plies: Option<u64>,
    game: Option<&'a pgn::Game>,
    bytes: Option<&'a [u8]>,
}

/// Columns as they grow.
#[derive(Debug)]
struct Columns {
    /// Whether the names were given.
    named: bool,
    numbers: Vec<i64>,
    /// Each with its name.
    columns: Vec<(String, Column)>,
    /// Whether a game has a tag of each of the names.
    seen: Vec<bool>,
    /// Batches that are full; those of before a column came up are without it.
    full: Vec<Vec<ArrayRef>>,
}

impl Columns {
    fn new(asked: Asked) -> Columns {
        let (names, of): (_, fn(&str) -> Column) = match asked {
            Asked::Tags(names) => (names, |_| Column::Tag(StringBuilder::new())),
            Asked::Columns(names) => (names, Column::of),
        };
        let named = !names.is_empty();
        let mut columns: Vec<(String, Column)> = vec![];
        for name in names {
            if columns.iter().all(|(known, _)| *known != name) {
                let column = of(&name);
                columns.push((name, column));
            }
        }
        let seen = columns.iter().map(|(_, column)| !matches!(column, Column::Tag(_))).collect();
        Columns { named, numbers: vec![], columns, seen, full: vec![] }
    }

    /// The columns of these names of all games that are selected. No more is decoded than they take.
    fn of<S: Selection>(
        reader: &mut IndexedReader<Source>,
        selection: &S,
        asked: Asked,
        interrupt: &Interrupt,
    ) -> Result<Columns> {
        let mut columns = Columns::new(asked);
        let any = |is: fn(&Column) -> bool| columns.columns.iter().any(|(_, column)| is(column));
        let pgn = any(|column| matches!(column, Column::Pgn(_)));
        let moves = any(|column| matches!(column, Column::Moves(_)));
        let plies = any(|column| matches!(column, Column::Plies(_)));
        let late = columns.columns.iter().any(|(name, _)| archive::is_late(name.as_bytes()));
        let mut push = |number: u64, known: Known<'_>| {
            if interrupt.is_set() {
                return Err(Error::Interrupted);
            }
            columns.push(number, known)
        };
        let nothing = Known { tags: &[], plies: None, game: None, bytes: None };
        let select = reader.select(selection);
        if pgn {
            select.bytes(|number, bytes| {
                let game = pgn::parse(bytes).into_games().next().unwrap_or_default();
                let (tags, game) = (&game.tags[..], Some(&game));
                push(number, Known { tags, game, bytes: Some(bytes), ..nothing })
            })?;
        } else if moves {
            select.games(|number, game| {
                push(number, Known { tags: &game.tags, game: Some(game), ..nothing })
            })?;
        } else if plies || late {
            select.all_tags(|number, tags, plies| {
                push(number, Known { tags, plies: Some(plies), ..nothing })
            })?;
        } else {
            select.tags(|number, tags| push(number, Known { tags, ..nothing }))?;
        }
        Ok(columns)
    }

    fn push(&mut self, number: u64, known: Known<'_>) -> Result<()> {
        let games = self.numbers.len();
        for tag in known.tags {
            let place = self.columns.iter().position(|(name, column)| {
                name.as_bytes() == tag.name && matches!(column, Column::Tag(_))
            });
            let place = match place {
                Some(place) => place,
                None if self.named || archive::is_late(&tag.name) => continue,
                None if self.columns.len() == COLUMNS => {
                    let text = format!("tags of more than {COLUMNS} names; say which are wanted");
                    return Err(Error::Usage(text));
                }
                None => {
                    let name = String::from_utf8_lossy(&tag.name).into_owned();
                    self.columns.push((name, Column::Tag(StringBuilder::new())));
                    self.seen.push(false);
                    self.columns.len() - 1
                }
            };
            self.seen[place] = true;
            // Of a name that is there twice, the first counts.
            if let Column::Tag(column) = &mut self.columns[place].1
                && column.len() <= games
            {
                column.append_nulls(games - column.len());
                column.append_value(tag_text(&tag.value));
            }
        }
        let line = known.game.and_then(|game| game.lines.first());
        for (_, column) in &mut self.columns {
            match column {
                Column::Tag(_) => {}
                Column::Pgn(texts) => texts.append_option(known.bytes.map(text)),
                Column::Plies(plies) => {
                    let of_line = line.map_or(0, |line| line.moves.len() as u64);
                    let known = known.plies.unwrap_or(of_line);
                    plies.append_value(i32::try_from(known).unwrap_or(i32::MAX));
                }
                Column::Moves(moves) => {
                    for played in known.game.map(uci_moves).unwrap_or_default() {
                        moves.values().append_value(played);
                    }
                    moves.append(true);
                }
            }
        }
        self.numbers.push(i64::try_from(number).unwrap_or(i64::MAX));
        if self.numbers.len() == BATCH {
            self.cut();
        }
        Ok(())
    }

    /// The names of tags that none of the games has.
    fn unseen(&self) -> Vec<String> {
        let unseen = self.columns.iter().zip(&self.seen).filter(|(_, seen)| !**seen);
        let unseen = unseen.map(|((name, _), _)| name);
        unseen.filter(|name| !KNOWN.contains(&name.as_str())).cloned().collect()
    }

    /// Gives an error for a name that is likely to be misspelt: no game has it.
    fn check_names(&self) -> Result<()> {
        match self.unseen().first() {
            Some(name) => Err(Error::Usage(format!("no game has a tag {name:?}"))),
            None => Ok(()),
        }
    }

    /// Ends a batch.
    fn cut(&mut self) {
        let games = self.numbers.len();
        let mut batch: Vec<ArrayRef> = vec![];
        batch.push(Arc::new(Int64Array::from(std::mem::take(&mut self.numbers))));
        for (_, column) in &mut self.columns {
            if let Column::Tag(texts) = column {
                texts.append_nulls(games - texts.len());
            }
            batch.push(column.finish());
        }
        self.full.push(batch);
    }

    fn finish(mut self) -> Result<TagStream> {
        if !self.numbers.is_empty() {
            self.cut();
        }
        let index = Field::new("index", DataType::Int64, false);
        let fields =
            self.columns.iter().map(|(name, column)| Field::new(name, column.data_type(), true));
        let schema: SchemaRef =
            Arc::new(Schema::new([index].into_iter().chain(fields).collect::<Vec<_>>()));
        let width = schema.fields().len();
        let batches = self.full.into_iter().map(|mut batch| {
            let games = batch.first().map_or(0, |index| index.len());
            batch.resize_with(width, || new_null_array(&DataType::Utf8, games));
            RecordBatch::try_new(schema.clone(), batch)
                .map_err(|error| Error::Internal(error.to_string()))
        });
        let batches = batches.collect::<Result<_>>()?;
        Ok(TagStream { schema, batches })
    }
}
