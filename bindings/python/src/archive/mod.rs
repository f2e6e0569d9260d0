//! An open archive.

mod chosen;
mod events;
mod finds;
mod game;
mod games;
mod matches;
mod move_code;
mod next_moves;
mod origin;
mod pickles;
mod positions;
mod table;
mod tags;

use std::ops::Range;
use std::sync::Arc;

use plyzip::Result;
use plyzip::archive::IndexedReader;
use pyo3::exceptions::{PyIndexError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PySlice};

use self::chosen::Numbers;
pub use self::finds::Finds;
pub use self::game::Game;
pub use self::games::{GameIterator, Games};
pub use self::matches::{MatchIterator, Matches};
pub use self::next_moves::{NextMoves, Outcomes};
use self::origin::{Opening, Origin, Reduced};
pub use self::pickles::{_game, _games, _matches, _open};
pub use self::positions::Positions;
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
    origin: Origin,
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
    let origin = Origin::of(source, model.as_ref(), threads);
    let options = reader_options(py, model, &work)?.index(index_beside(source));
    let opened = Source::of(source)?.own_place()?;
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
    let shared = Shared { work, reader, summary, blocks: games, members: bytes, origin };
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

    /// The games that meet all conditions: a sequence with `len`, indices and slices, and with `indices`, `tags`,
    /// `table` and `positions`. Nothing is looked for before it is asked for.
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
        py: Python<'_>,
        invert: bool,
        first: Option<u64>,
        conditions: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Matches> {
        Matches::new(py, self.shared.clone(), conditions, invert, first)
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
    /// The position is a chess.Board, a FEN, or the moves that lead to it, as "e4 e5" or "e2e4 e7e5". Pieces, side to
    /// move and castling rights count, and the square of an en passant capture where one is legal; transpositions are
    /// found, variations are not looked at.
    ///
    /// >>> archive = plyzip.open(plyzip.compress(FAMOUS, model="none"))
    /// >>> fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -"
    /// >>> [(game.index, ply) for game, ply in archive.find(fen)]
    /// [(0, 2), (1, 2)]
    fn find(&self, position: &Bound<'_, PyAny>) -> PyResult<Finds> {
        Finds::new(self.shared.clone(), position)
    }

    /// What games go on with at some place, and what came of them: results, ratings, years.
    ///
    /// The place is the initial position, the one behind moves that games begin with, as "e4 c5" or ["e2e4", "c7c5"],
    /// or a position to which any moves may lead: a chess.Board or a FEN. A game that comes there twice counts with its
    /// first move. The other arguments are those of `filter`. With an index beside the archive, no model is needed.
    ///
    /// >>> tree = plyzip.open(plyzip.compress(FAMOUS, model="none")).tree("e4 e5")
    /// >>> [(move.uci(), outcomes.games, outcomes.score) for move, outcomes in tree.moves]
    /// [('g1f3', 1, 100.0), ('f2f4', 1, 100.0)]
    /// >>> tree.all.years, tree.ended.games
    /// ((1851, 1858), 0)
    #[pyo3(signature = (position=None, *, invert=false, first=None, **conditions))]
    fn tree(
        &self,
        py: Python<'_>,
        position: Option<&Bound<'_, PyAny>>,
        invert: bool,
        first: Option<u64>,
        conditions: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<NextMoves> {
        NextMoves::of(py, &self.shared, position, invert, first, conditions)
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
        table::tags(py, self.tag_stream(py, names, games)?)
    }

    /// A pyarrow.Table of typed columns: `index`, and those that are named.
    ///
    /// A column is the name of a tag, with a type if it is not to be text: `"WhiteElo:int"`, `"Date:date"`. `int` is
    /// int64, `float` is float64, `date` is date32 and null where the month or the day is not known, `year` is int32,
    /// and `str` is text. Null is what a game does not have, and what PGN has for the unknown: nothing, `?`, `-`, `*`,
    /// `????.??.??`. Any other text that the type does not have is an error that names the game; with `errors="coerce"`
    /// it is null. Besides tags there are `"moves"` (lists of text, as UCI has them), `"plies"` (int32) and `"pgn"`. A
    /// name that no game has is an error as in `tags`.
    ///
    /// The other arguments are the conditions of `filter`. No more is decoded than the columns and the conditions take:
    /// tags take no page, `plies`, `moves`, `pgn` and tags that the moves foretell, as ECO, take those of the games.
    ///
    /// >>> archive = plyzip.open(plyzip.compress(FAMOUS, model="none"))
    /// >>> archive.table("White", "Date:year", "plies", player="morphy").to_pylist()
    /// [{'index': 0, 'White': 'Morphy, Paul', 'Date': 1858, 'plies': 33}]
    #[pyo3(signature = (*columns, errors="raise", **conditions))]
    fn table<'py>(
        &self,
        py: Python<'py>,
        columns: Vec<String>,
        errors: &str,
        conditions: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let games = self.meeting(py, conditions)?;
        table::typed(py, columns, errors, |asked| match &games {
            Some(games) => games.stream(py, asked),
            None => TagStream::new(py, &self.shared, asked, None),
        })
    }

    /// Writes the columns of `table`, or without any those of `tags`, to a new file of Parquet, and returns the number
    /// of games. Blocks are decoded one after the other, each a row group. The file appears when it is complete, and
    /// replaces another only with `overwrite`.
    ///
    /// >>> import os, tempfile
    /// >>> archive = plyzip.open(plyzip.compress(FAMOUS, model="none"))
    /// >>> with tempfile.TemporaryDirectory() as folder:
    /// ...     archive.to_parquet(os.path.join(folder, "games.parquet"), "White", "Date:date", "moves")
    /// 2
    #[pyo3(signature = (target, *columns, errors="raise", overwrite=false, **conditions))]
    fn to_parquet<'py>(
        slf: &Bound<'py, Archive>,
        target: &Bound<'py, PyAny>,
        columns: Vec<String>,
        errors: &str,
        overwrite: bool,
        conditions: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let games = slf.get().meeting(py, conditions)?.unwrap_or_else(|| slf.get().all());
        let ends: Vec<u64> = slf.get().shared.blocks.iter().map(|games| games.end).collect();
        let numbers = py.detach(|| games.numbers.ascending());
        // The places of the games at which blocks begin.
        let mut cuts = vec![0];
        cuts.extend(ends.iter().map(|end| numbers.partition_point(|number| number < end)));
        cuts.dedup();
        let module = py.import("plyzip._arrow")?;
        module.call_method1("write_parquet", (games, cuts, target, columns, errors, overwrite))
    }

    /// The positions before each move of the games as they were played, for training: an iterator of batches of so
    /// many, of which the last may have fewer. A batch is a dictionary of numpy arrays; `n` is its number of positions.
    ///
    /// | name | shape, type | |
    /// |---|---|---|
    /// | `pieces` | (n, 12) uint64 | White's pawns, knights, bishops, rooks, queens, king, then Black's |
    /// | `turn` | (n,) bool | true: White is to move |
    /// | `castling` | (n,) uint8 | bits 0 to 3: White's king side, White's queen side, Black's, Black's |
    /// | `en_passant` | (n,) int8 | the square of an en passant capture that is legal; -1 |
    /// | `halfmove_clock` | (n,) uint16 | plies since a capture or a move of a pawn |
    /// | `move` | (n,) uint16 | the move that was played: 64 times the square it begins at, plus where it ends |
    /// | `promotion` | (n,) uint8 | the piece: 2 knight, 3 bishop, 4 rook, 5 queen; 0 |
    /// | `score` | (n,) float32 | what White got in the game: 1, 0.5, 0, or nan if that is not known |
    /// | `game`, `ply` | (n,) int64, int32 | the number of the game, and of the plies before |
    ///
    /// Squares go from 0, a1, over 7, h1, to 63, h8, and so do the bits of `pieces`, as python-chess numbers both. With
    /// `planes` there is `planes`, (n, 12, 8, 8) uint8 by piece, rank and file, instead of `pieces`. The arrays are the
    /// caller's own and can be written. The other arguments are the conditions of `filter`.
    ///
    /// >>> archive = plyzip.open(plyzip.compress(FAMOUS, model="none"))
    /// >>> batch = next(archive.positions(batch=32, player="morphy"))
    /// >>> batch["pieces"].shape, int(batch["move"][0]) == 64 * 12 + 28, batch["score"][0].item()
    /// ((32, 12), True, 1.0)
    #[pyo3(signature = (*, batch=4096, planes=false, **conditions))]
    fn positions(
        &self,
        py: Python<'_>,
        batch: usize,
        planes: bool,
        conditions: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Positions> {
        let games = self.meeting(py, conditions)?.unwrap_or_else(|| self.all());
        Positions::new(py, games.shared, &games.numbers, batch, planes)
    }

    /// The tags as what gives an Arrow stream, for libraries that take one; without pyarrow.
    #[pyo3(signature = (*names, games=None))]
    fn tag_stream(
        &self,
        py: Python<'_>,
        names: Vec<String>,
        games: Option<(u64, u64)>,
    ) -> PyResult<TagStream> {
        TagStream::new(
            py,
            &self.shared,
            tags::Asked::Tags(names),
            games.map(|(begin, end)| begin..end),
        )
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

    /// An archive of a file is opened again by its path, so processes have files of their own; one of bytes takes them
    /// along.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, Opening<'py>>> {
        let made = py.import("plyzip._plyzip")?.getattr("_open")?;
        Ok((made, self.shared.origin.opening(py, self.__len__())?))
    }

    fn __repr__(&self) -> String {
        format!("<Archive: {} games>", self.__len__())
    }
}

impl Archive {
    /// All games.
    fn all(&self) -> Games {
        Games { shared: self.shared.clone(), numbers: Numbers::all(self.__len__()) }
    }

    /// The games that meet conditions; `None` if there is no condition.
    fn meeting(
        &self,
        py: Python<'_>,
        conditions: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Option<Games>> {
        let Some(conditions) = conditions.filter(|given| !given.is_empty()) else {
            return Ok(None);
        };
        Matches::new(py, self.shared.clone(), Some(conditions), false, None)?.games(py).map(Some)
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
