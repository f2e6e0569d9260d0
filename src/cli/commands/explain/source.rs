//! The games to explain: those of an archive, or of a PGN.

use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;

use plyzip::archive::{ExplainedGame, IndexedReader, MAGIC, ReaderOptions, Selection, Verdict};
use plyzip::filters::Filters;
use plyzip::pgn::{self, Document, Game};
use plyzip::{Error, GameCosts, GameHeader, Model, ModelStore, Result};
use rayon::prelude::*;

use super::annotated::{Annotated, Explained};
use crate::cli::files::{Input, PgnSource, Unpacking, head};
use crate::cli::names::DEFAULT_MODEL;
use crate::cli::progress::Progress;

/// PGN of more bytes is not read at once: an archive of it is to be made first.
const LARGEST_PGN: u64 = 64 << 20;

/// Games.
pub struct Source {
    games: Games,
    store: ModelStore,
    /// What predicts the moves of games that no archive has coded.
    name: String,
}

/// Where they are.
enum Games {
    Archive(Box<IndexedReader<Input>>),
    Pgn(Vec<u8>, Document),
}

impl Source {
    /// The games of `input`; `model` is what the user offers.
    pub fn open(mut input: Input, model: Option<&str>, progress: &Progress) -> Result<Source> {
        let store = ModelStore::of_system();
        let name = model.unwrap_or(DEFAULT_MODEL).to_owned();
        let begin = head(&mut input)?;
        if begin.starts_with(&MAGIC) {
            if input.path().is_none() {
                return Err(Error::Usage("an archive to explain has to be a file".into()));
            }
            input.seek(SeekFrom::Start(0))?;
            let model = model.map(|model| store.open(model)).transpose()?;
            let options = ReaderOptions::new().model(model).store(store.clone());
            let options = options.progress(progress.work());
            let reader = Box::new(IndexedReader::with_options(input, options)?);
            progress.set_games(reader.summary().stats.games);
            return Ok(Source { games: Games::Archive(reader), store, name });
        }
        let mut bytes = vec![];
        let source = PgnSource::of(input, begin, Unpacking::Always)?;
        source.read(|pgn| Ok(pgn.take(LARGEST_PGN + 1).read_to_end(&mut bytes)?))?;
        if bytes.len() as u64 > LARGEST_PGN {
            return Err(Error::Usage(
                "PGN of more than 64 MiB: compress it, and explain the archive".into(),
            ));
        }
        let document = pgn::parse(&bytes);
        Ok(Source { games: Games::Pgn(bytes, document), store, name })
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        match &self.games {
            Games::Archive(reader) => reader.summary().stats.games,
            Games::Pgn(_, document) => document.games().count() as u64,
        }
    }

    /// Calls `each` with the first of the games that are wanted, in order; how many these are.
    pub fn explain(
        &mut self,
        filters: &Filters,
        first: Option<u64>,
        progress: &Progress,
        mut each: impl FnMut(Annotated) -> Result<()>,
    ) -> Result<u64> {
        let Source { games, store, name } = self;
        let mut opened: Option<Model> = None;
        let mut model = || -> Result<Model> {
            match &opened {
                Some(model) => Ok(model.clone()),
                None => Ok(opened.insert(store.open(name)?).clone()),
            }
        };
        match games {
            Games::Archive(reader) => reader.select(filters).first(first).explain(|explained| {
                let ExplainedGame { number, bytes, game, costs: coded, model: name, .. } =
                    explained;
                let mut game = Explained { number, bytes, game, costs: coded, model: name };
                let alone = game.costs.is_none();
                if alone {
                    let model = model()?;
                    game.costs = Some(costs(&game.game, &model)?);
                    game.model = model.name().to_owned();
                }
                each(Annotated::new(game, alone))
            }),
            Games::Pgn(bytes, document) => {
                let places = document.items.iter().zip(&document.ranges);
                let games = places.filter_map(|(item, range)| Some((item.game()?, range.clone())));
                let wanted = (0..).zip(games).filter(|(number, (game, _))| {
                    let by_tags = filters.by_tags(*number, &game.tags);
                    by_tags.or_else(|| filters.by_game(*number, game).into()) == Verdict::Wanted
                });
                let first = first.and_then(|first| usize::try_from(first).ok());
                let games: Vec<_> = wanted.take(first.unwrap_or(usize::MAX)).collect();
                let model = model()?;
                let bytes_of = |(_, (_, range)): &(u64, (&Game, Range<usize>))| range.len() as u64;
                progress.set_length(Some(games.iter().map(bytes_of).sum()));
                let (mut done, mut plies) = (0, 0);
                for some in games.chunks(4 * rayon::current_num_threads()) {
                    let explained = some.par_iter().map(|(number, (game, range))| {
                        Ok(Explained {
                            number: *number,
                            bytes: bytes[range.clone()].to_vec(),
                            game: (*game).clone(),
                            costs: Some(
                                costs(game, &model).map_err(|error| about(*number, error))?,
                            ),
                            model: model.name().to_owned(),
                        })
                    });
                    for game in explained.collect::<Result<Vec<_>>>()? {
                        let game = Annotated::new(game, true);
                        done += game.bytes.len() as u64;
                        plies += game.plies.len() as u64;
                        each(game)?;
                    }
                    progress.set(done, plies);
                }
                Ok(games.len() as u64)
            }
        }
    }
}

/// An error that names the game that it is about.
fn about(number: u64, error: Error) -> Error {
    match error {
        Error::Usage(what) => Error::Usage(format!("game {}: {what}", number + 1)),
        other => other,
    }
}

/// What the moves of a game cost by itself; nothing if its start is unknown.
fn costs(game: &Game, model: &Model) -> Result<GameCosts> {
    let line = game.lines.first().map_or(&[][..], |line| &line.moves);
    match GameHeader::from_tags(game) {
        Some(header) => model.costs(&header, line),
        None => Ok(GameCosts::default()),
    }
}
