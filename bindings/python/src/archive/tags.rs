//! Tags as columns.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::{ArrayBuilder, StringBuilder};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, RecordBatchIterator, new_null_array};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use plyzip::archive;
use plyzip::filters::Filters;
use plyzip::pgn::{self, Tag, tag_text};
use plyzip::{Error, Interrupt};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use super::Shared;

/// Games of a batch.
const BATCH: usize = 1 << 16;
/// Most columns, unless they are named: tags have any names.
const COLUMNS: usize = 256;
/// Names of the standard and of the large databases: a column of such a tag may be empty. Of any other name that no game
/// has it is likely that it is misspelt.
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
    /// The tags of all games, or of these.
    pub(super) fn new(
        py: Python<'_>,
        shared: &Shared,
        names: Vec<String>,
        games: Option<Range<u64>>,
    ) -> PyResult<TagStream> {
        let interrupt = shared.work.interrupt();
        let takes_pages = names.iter().any(|name| archive::is_late(name.as_bytes()));
        shared.read(py, |reader| {
            let mut columns = Columns::new(names);
            let mut push = |number, tags: &[Tag]| columns.push(number, tags, interrupt);
            let all = games.is_none();
            let any = reader.summary().stats.games > 0;
            let filters = games.into_iter().fold(Filters::default(), Filters::within);
            if takes_pages {
                reader.select(&filters).bytes(|number, bytes| {
                    let game = pgn::parse(bytes).into_games().next().unwrap_or_default();
                    push(number, &game.tags)
                })?;
            } else {
                reader.select(&filters).tags(push)?;
            }
            if all && any {
                columns.check_names()?;
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

/// Columns as they grow.
#[derive(Debug)]
struct Columns {
    /// Whether the names were given.
    named: bool,
    numbers: Vec<i64>,
    /// Each with its name.
    texts: Vec<(String, StringBuilder)>,
    /// Whether a game has a tag of each of the names.
    seen: Vec<bool>,
    /// Batches that are full; those of before a column came up are without it.
    full: Vec<Vec<ArrayRef>>,
}

impl Columns {
    fn new(names: Vec<String>) -> Columns {
        let named = !names.is_empty();
        let mut texts: Vec<(String, StringBuilder)> = vec![];
        for name in names {
            if texts.iter().all(|(known, _)| *known != name) {
                texts.push((name, StringBuilder::new()));
            }
        }
        let seen = vec![false; texts.len()];
        Columns { named, numbers: vec![], texts, seen, full: vec![] }
    }

    fn push(&mut self, number: u64, tags: &[Tag], interrupt: &Interrupt) -> plyzip::Result<()> {
        if interrupt.is_set() {
            return Err(Error::Interrupted);
        }
        let games = self.numbers.len();
        for tag in tags {
            let known = self.texts.iter().position(|(name, _)| name.as_bytes() == tag.name);
            let place = match known {
                Some(place) => place,
                None if self.named || archive::is_late(&tag.name) => continue,
                None if self.texts.len() == COLUMNS => {
                    let text = format!("tags of more than {COLUMNS} names; say which are wanted");
                    return Err(Error::Usage(text));
                }
                None => {
                    let name = String::from_utf8_lossy(&tag.name).into_owned();
                    self.texts.push((name, StringBuilder::new()));
                    self.seen.push(false);
                    self.texts.len() - 1
                }
            };
            self.seen[place] = true;
            let column = &mut self.texts[place].1;
            // Of a name that is there twice, the first counts.
            if column.len() <= games {
                column.append_nulls(games - column.len());
                column.append_value(tag_text(&tag.value));
            }
        }
        self.numbers.push(i64::try_from(number).unwrap_or(i64::MAX));
        if self.numbers.len() == BATCH {
            self.cut();
        }
        Ok(())
    }

    /// Gives an error for a name that is likely to be misspelt: no game has it.
    fn check_names(&self) -> plyzip::Result<()> {
        let unseen = self.texts.iter().zip(&self.seen).filter(|(_, seen)| !**seen);
        let mut unseen = unseen.map(|((name, _), _)| name);
        match unseen.find(|name| !KNOWN.contains(&name.as_str())) {
            Some(name) => Err(Error::Usage(format!("no game has a tag {name:?}"))),
            None => Ok(()),
        }
    }

    /// Ends a batch.
    fn cut(&mut self) {
        let games = self.numbers.len();
        let mut batch: Vec<ArrayRef> = vec![];
        batch.push(Arc::new(Int64Array::from(std::mem::take(&mut self.numbers))));
        for (_, column) in &mut self.texts {
            column.append_nulls(games - column.len());
            batch.push(Arc::new(column.finish()));
        }
        self.full.push(batch);
    }

    fn finish(mut self) -> plyzip::Result<TagStream> {
        if !self.numbers.is_empty() {
            self.cut();
        }
        let index = Field::new("index", DataType::Int64, false);
        let texts = self.texts.iter().map(|(name, _)| Field::new(name, DataType::Utf8, true));
        let schema: SchemaRef =
            Arc::new(Schema::new([index].into_iter().chain(texts).collect::<Vec<_>>()));
        let width = schema.fields().len();
        let batches = self.full.into_iter().map(|mut batch| {
            let games = batch.first().map_or(0, |index| index.len());
            batch.resize_with(width, || new_null_array(&DataType::Utf8, games));
            RecordBatch::try_new(schema.clone(), batch)
                .map_err(|error| Error::Internal(error.to_string()))
        });
        let batches = batches.collect::<plyzip::Result<_>>()?;
        Ok(TagStream { schema, batches })
    }
}
