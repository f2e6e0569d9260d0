//! An open archive.

mod finds;
mod game;
mod games;
mod matches;
mod tags;

use std::ops::Range;
use std::sync::Arc;

use plyzip::Result;
use plyzip::archive::IndexedReader;
use pyo3::exceptions::{PyIndexError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PySlice};

pub use self::finds::Finds;
pub use self::game::Game;
pub use self::games::{GameIterator, Games};
pub use self::matches::Matches;
pub use self::tags::{TagStream, is_late};
use crate::compress::reader_options;
use crate::errors::UsageError;
use crate::files::{Source, hint, index_beside};
use crate::model::AnyModel;
use crate::summary::Summary;
use crate::turns::Turns;
use crate::work::Work;

/// The state that an archive and all that comes from it share.
#[derive(Debug)]
pub struct Shared {
    pub work: Work,
    /// `None` once the archive is closed.
    reader: Turns<Option<IndexedReader<Source>>>,
    pub summary: plyzip::archive::Summary,
    /// The games of each block that has some, as ranges of their numbers.
    pub blocks: Vec<Range<u64>>,
    /// The bytes of the member that each of these blocks is in.
    members: Vec<Range<u64>>,
}

impl Shared {
    /// Does `work` with the reader, when no other call has it.
    pub fn read<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut IndexedReader<Source>) -> Result<T> + Send,
    ) -> PyResult<T> {
        let mut turn = self.reader.take(py)?;
        let reader = turn.thing().and_then(Option::as_mut);
        let reader = reader.ok_or_else(|| UsageError::new_err("the archive is closed"))?;
        self.work.run(py, || work(reader))
    }
}

/// An open archive: a sequence of games, of which no more is decoded than what is asked for.
///
/// >>> archive = plyzip.open(plyzip.compress(FAMOUS, model="none"))
/// >>> len(archive)
/// 2
/// >>> archive[0].tags["White"], archive[-1].moves[:3]
/// ('Morphy, Paul', ['e2e4', 'e7e5', 'f2f4'])
/// >>> [game.tags["Date"] for game in archive]
/// ['1858.??.??', '1851.06.21']
#[pyclass(frozen, module = "plyzip")]
#[derive(Debug)]
pub struct Archive {
    shared: Arc<Shared>,
}

/// Opens an archive: the path of a file, bytes, or a file object that can seek.
///
/// `model` is needed only if the archive's model is not among those at hand. `threads` are all cores unless a number is
/// given.
#[pyfunction]
#[pyo3(signature = (source, *, model=None, threads=None))]
pub fn open(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    model: Option<AnyModel>,
    threads: Option<usize>,
) -> PyResult<Archive> {
    let work = Work::new(threads)?;
    let options = reader_options(py, model, &work)?.index(index_beside(source));
    let opened = Source::of(source)?;
    let reader = work.run(py, move || IndexedReader::with_options(opened, options));
    let reader = reader.map_err(|error| hint(error, source))?;
    let mut members = reader.members().peekable();
    let (mut games, mut bytes) = (vec![], vec![]);
    for block in reader.blocks().iter().filter(|block| block.games > 0) {
        games.push(block.first_game..block.first_game + block.games);
        while members.next_if(|member| member.end <= block.offset).is_some() {}
        bytes.extend(members.peek().cloned());
    }
    drop(members);
    let summary = reader.summary().clone();
    let reader = Turns::new(Some(reader));
    let shared = Shared { work, reader, summary, blocks: games, members: bytes };
    Ok(Archive { shared: Arc::new(shared) })
}

#[pymethods]
impl Archive {
    /// What the archive holds, in figures.
    #[getter]
    fn summary(&self) -> Summary {
        Summary(self.shared.summary.clone())
    }

    /// The blocks with games, which decode alone: the numbers of the first game and of the one behind the last, and the
    /// first byte and the one behind the last of the member that the block is in.
    ///
    /// A member is one of the archives that follow each other in a file; its bytes alone are an archive.
    ///
    /// >>> one = plyzip.compress(FAMOUS, model="none")
    /// >>> blocks = plyzip.open(one + one).blocks
    /// >>> [games for games, _ in blocks], [end - begin == len(one) for _, (begin, end) in blocks]
    /// ([(0, 2), (2, 4)], [True, True])
    #[getter]
    fn blocks(&self) -> Vec<((u64, u64), (u64, u64))> {
        let ends = |range: &Range<u64>| (range.start, range.end);
        let blocks = self.shared.blocks.iter().zip(&self.shared.members);
        blocks.map(|(games, bytes)| (ends(games), ends(bytes))).collect()
    }

    fn __len__(&self) -> usize {
        usize::try_from(self.shared.summary.stats.games).unwrap_or(usize::MAX)
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.all().item(py, index)
    }

    fn __iter__(&self) -> GameIterator {
        self.all().iterator()
    }

    /// The games that meet all conditions, one after the other: an iterator.
    ///
    /// The conditions are named and written as the options of `plyzip extract`: `player`, `white`, `black`, `event`,
    /// `site`, `date`, `result`, `elo`, `eco`, `plies`, `moves`, `position` (a chess.Board, too), `material`, `games`.
    /// A number may be given as such, a range as a pair of which either may be None, several values as a list, which
    /// must all hold; `tag` is a dictionary of regular expressions by names. `invert` asks for the games that do not
    /// meet all of this, `first` for no more than so many.
    ///
    /// Tags are looked at first, and no page is decoded without a game that may be meant. `eco` and conditions on moves
    /// take pages.
    ///
    /// >>> archive = plyzip.open(plyzip.compress(FAMOUS, model="none"))
    /// >>> [game.index for game in archive.filter(player="morphy", date="1858")]
    /// [0]
    /// >>> [game.index for game in archive.filter(plies=(40, None), tag={"Event": "^Imm"})]
    /// [1]
    #[pyo3(signature = (*, invert=false, first=None, **conditions))]
    fn filter(
        &self,
        invert: bool,
        first: Option<u64>,
        conditions: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Matches> {
        Matches::new(self.shared.clone(), conditions, invert, first)
    }

    /// How many games meet all conditions, which are those of `filter`. Takes fewer pages than to read the games.
    ///
    /// >>> plyzip.open(plyzip.compress(FAMOUS, model="none")).count(result="1-0")
    /// 2
    #[pyo3(signature = (*, invert=false, first=None, **conditions))]
    fn count(
        &self,
        py: Python<'_>,
        invert: bool,
        first: Option<u64>,
        conditions: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<u64> {
        let filters = matches::filters(conditions, invert)?;
        self.shared.read(py, |reader| reader.select(&filters).first(first).count())
    }

    /// The games in which a position arises, each with the number of plies that are played before: an iterator.
    ///
    /// The position is a chess.Board or a FEN. Pieces, side to move and castling rights count, and the square of an en
    /// passant capture where one is legal; transpositions are found, variations are not looked at.
    ///
    /// >>> archive = plyzip.open(plyzip.compress(FAMOUS, model="none"))
    /// >>> fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -"
    /// >>> [(game.index, ply) for game, ply in archive.find(fen)]
    /// [(0, 2), (1, 2)]
    fn find(&self, position: &Bound<'_, PyAny>) -> PyResult<Finds> {
        Finds::new(self.shared.clone(), position)
    }

    /// The tags of all games as a pyarrow.Table: `index`, and a column of text for each name, null where a game has no
    /// such tag.
    ///
    /// Without names, all that no page is needed for: the tags that the moves foretell, as ECO and Opening, are stored
    /// with the moves. Named, they are there, and all pages are decoded. A name that no game has is an error, unless it
    /// is a usual one. `games` are the numbers of the first game and of the one behind the last; other blocks are not
    /// read then, and names are not checked.
    ///
    /// >>> table = plyzip.open(plyzip.compress(FAMOUS, model="none")).tags("White", "Date")
    /// >>> table.column_names, table["White"].to_pylist()
    /// (['index', 'White', 'Date'], ['Morphy, Paul', 'Anderssen, Adolf'])
    /// >>> plyzip.open(plyzip.compress(FAMOUS, model="none")).tags("White", games=(1, 2)).to_pylist()
    /// [{'index': 1, 'White': 'Anderssen, Adolf'}]
    #[pyo3(signature = (*names, games=None))]
    fn tags<'py>(
        &self,
        py: Python<'py>,
        names: Vec<String>,
        games: Option<(u64, u64)>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let stream = self.tag_stream(py, names, games)?;
        py.import("plyzip._arrow")?.call_method1("table", (stream,))
    }

    /// The tags as what gives an Arrow stream, for libraries that take one; without pyarrow.
    #[pyo3(signature = (*names, games=None))]
    fn tag_stream(
        &self,
        py: Python<'_>,
        names: Vec<String>,
        games: Option<(u64, u64)>,
    ) -> PyResult<TagStream> {
        TagStream::new(py, &self.shared, names, games.map(|(begin, end)| begin..end))
    }

    /// The tags of all games as an Arrow stream: so `polars.DataFrame(archive)` and others work.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        self.tag_stream(py, vec![], None)?.__arrow_c_stream__(py, requested_schema)
    }

    /// Closes the archive's file.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let mut turn = self.shared.reader.take(py)?;
        let reader = turn.thing().and_then(Option::take);
        py.detach(|| drop(reader));
        Ok(())
    }

    fn __enter__(slf: Py<Archive>) -> Py<Archive> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(
        &self,
        py: Python<'_>,
        _exception: &Bound<'_, pyo3::types::PyTuple>,
    ) -> PyResult<()> {
        self.close(py)
    }

    fn __repr__(&self) -> String {
        format!("<Archive: {} games>", self.__len__())
    }
}

impl Archive {
    /// All games.
    fn all(&self) -> Games {
        Games::new(self.shared.clone(), 0, 1, self.__len__())
    }
}

/// A place in a sequence of so many items, or a slice of it.
enum Place {
    At(usize),
    /// First, step, length.
    Slice(usize, isize, usize),
}

impl Place {
    fn of(index: &Bound<'_, PyAny>, length: usize) -> PyResult<Place> {
        let signed = isize::try_from(length)
            .map_err(|_| PyValueError::new_err("more games than Python can number"))?;
        if let Ok(slice) = index.cast::<PySlice>() {
            let indices = slice.indices(signed)?;
            let first = usize::try_from(indices.start).unwrap_or(0);
            return Ok(Place::Slice(first, indices.step, indices.slicelength));
        }
        let none = || PyIndexError::new_err("there is no such game");
        let index = match index.extract::<isize>() {
            Ok(index) => index,
            Err(error) if error.is_instance_of::<PyOverflowError>(index.py()) => return Err(none()),
            Err(_) => {
                let text = "the number of a game or a slice is wanted";
                return Err(PyTypeError::new_err(text));
            }
        };
        let place = if index < 0 { index.checked_add(signed) } else { Some(index) };
        let place = place.and_then(|place| usize::try_from(place).ok());
        let place = place.filter(|place| *place < length);
        place.map(Place::At).ok_or_else(none)
    }
}
