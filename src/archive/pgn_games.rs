//! Looking through the games of PGN as it lies, as through those of an archive.

use std::fmt;
use std::io::Read;

use plyzip_codec::block::in_parallel;

use super::indexed::{ExplainedGame, Searchable, Select, Selection, Verdict, Visitor};
use super::options::WriterOptions;
use super::pending::Pending;
use super::progress::Progress;
use crate::Result;
use crate::pgn::{self, Game, Tag, game_starts, tags_of_one_game};

/// Bytes read at a time.
const CHUNK: usize = 1 << 20;
/// Games that a thread takes at a time.
const GROUP: usize = 256;

/// Games of PGN, in their order. They are the games that an archive of the PGN would have, with the same numbers, and
/// the same are wanted; but tags that an archive keeps with the moves are known from the beginning.
///
/// The moves of a game are read only if they are wanted, or tell whether the game is.
///
/// ```
/// use plyzip::archive::{AllGames, PgnGames};
/// use plyzip::filters::Filters;
///
/// let pgn = b"[White \"Morphy\"]\n\n1. e4 e5 1-0\n\n[White \"Paulsen\"]\n\n1. e4 c5 0-1\n";
/// let mut filters = Filters::new();
/// filters.add("moves", "e4 c5")?;
/// let mut found = vec![];
/// PgnGames::new(&pgn[..]).select(&filters).tags(|number, tags| {
///     found.push((number, tags[0].value.clone()));
///     Ok(())
/// })?;
/// assert_eq!(found, [(1, b"Paulsen".to_vec())]);
/// assert_eq!(PgnGames::new(&pgn[..]).select(&AllGames).count()?, 2);
/// # Ok::<(), plyzip::Error>(())
/// ```
pub struct PgnGames<R> {
    source: R,
    progress: Progress,
}

impl<R> fmt::Debug for PgnGames<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("PgnGames").finish_non_exhaustive()
    }
}

/// A stretch of PGN, from the start of a game with tags to that of the next.
enum Stretch<'a> {
    /// One game whose moves nobody has read.
    Unread(&'a [u8], Vec<Tag>),
    /// Any number of games, each with its bytes.
    Read(Vec<(&'a [u8], Game)>),
}

/// A game that is perhaps wanted.
struct Candidate<'a> {
    number: u64,
    text: &'a [u8],
    tags: Vec<Tag>,
    /// All of it, once it is read.
    game: Option<Game>,
}

impl<R: Read> PgnGames<R> {
    /// The games of `source`, which is read once.
    pub fn new(source: R) -> PgnGames<R> {
        PgnGames { source, progress: Progress::default() }
    }

    /// The same, with `progress` to say how many games are passed and found.
    #[must_use]
    pub fn progress(self, progress: &Progress) -> PgnGames<R> {
        PgnGames { progress: progress.clone(), ..self }
    }

    /// The games that are wanted: all that `selection` wants, unless [`Select::first`] says less.
    /// [`explain`](Select::explain) knows no costs of them.
    pub fn select<'a, S: Selection>(&'a mut self, selection: &'a S) -> Select<'a, S> {
        Select::new(self, selection)
    }

    /// Calls `each` with games that are wanted, whose moves are read if `moves`, until it says that it has enough.
    fn look_through<S: Selection>(
        &mut self,
        selection: &S,
        moves: bool,
        each: &mut dyn FnMut(Candidate<'_>) -> Result<bool>,
    ) -> Result<()> {
        // Games are cut as those of an archive, so that they have the same numbers.
        let options = WriterOptions::default();
        let mut pending = Pending::default();
        let mut chunk = vec![0; CHUNK];
        let mut number = 0;
        let mut more = true;
        while more {
            let read = read_some(&mut self.source, &mut chunk)?;
            more = read > 0;
            let mut rest = &chunk[..read];
            loop {
                if more {
                    pending.fill(&mut rest, &options);
                } else {
                    pending.close();
                }
                while let Some(block) = pending.next_block(more, &options) {
                    let length = block.len();
                    if !look_into(block, &mut number, selection, moves, &self.progress, each)? {
                        return Ok(());
                    }
                    pending.remove(length);
                }
                if rest.is_empty() {
                    break;
                }
            }
        }
        Ok(())
    }
}

/// Fills `chunk` as far as the source gives something at once; 0 at its end.
fn read_some(source: &mut impl Read, chunk: &mut [u8]) -> Result<usize> {
    loop {
        match source.read(chunk) {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            read => return Ok(read?),
        }
    }
}

/// Looks into a block, the first game of which has this number; `false` if `each` has enough.
fn look_into<S: Selection>(
    block: &[u8],
    number: &mut u64,
    selection: &S,
    moves: bool,
    progress: &Progress,
    each: &mut dyn FnMut(Candidate<'_>) -> Result<bool>,
) -> Result<bool> {
    let mut bounds = vec![0];
    bounds.extend(game_starts(block).filter(|&start| start > 0));
    bounds.push(block.len());
    // Neighbours share a bound.
    let groups: Vec<&[usize]> = (0..bounds.len() - 1)
        .step_by(GROUP)
        .map(|first| &bounds[first..bounds.len().min(first + GROUP + 1)])
        .collect();
    for groups in groups.chunks(4 * rayon::current_num_threads()) {
        let read = in_parallel(groups.to_vec(), |bounds| {
            let stretches =
                bounds.windows(2).map(|bounds| Stretch::of(&block[bounds[0]..bounds[1]]));
            Ok(stretches.collect::<Vec<_>>())
        })?;
        let jobs: Vec<(u64, Vec<Stretch<'_>>)> = read
            .into_iter()
            .map(|stretches| {
                let first = *number;
                *number += stretches.iter().map(Stretch::games).sum::<u64>();
                (first, stretches)
            })
            .collect();
        let found = in_parallel(jobs, |(first, stretches)| {
            let games = stretches.into_iter().flat_map(Stretch::candidates);
            let numbered = (first..).zip(games).map(|(number, game)| Candidate { number, ..game });
            Ok(numbered.filter_map(|game| game.if_wanted(selection, moves)).collect::<Vec<_>>())
        })?;
        let found: Vec<_> = found.into_iter().flatten().collect();
        progress.pass(*number, found.len() as u64);
        for game in found {
            if !each(game)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

impl<'a> Stretch<'a> {
    fn of(text: &'a [u8]) -> Stretch<'a> {
        if let Some(tags) = tags_of_one_game(text) {
            return Stretch::Unread(text, tags);
        }
        let document = pgn::parse(text);
        let items = document.items.into_iter().zip(document.ranges);
        Stretch::Read(
            items
                .filter_map(|(mut item, range)| {
                    Some((&text[range], item.game_mut().map(std::mem::take)?))
                })
                .collect(),
        )
    }

    /// The number of its games.
    fn games(&self) -> u64 {
        match self {
            Stretch::Unread(..) => 1,
            Stretch::Read(games) => games.len() as u64,
        }
    }

    /// Its games, with numbers yet to be given.
    fn candidates(self) -> Vec<Candidate<'a>> {
        match self {
            Stretch::Unread(text, tags) => vec![Candidate { number: 0, text, tags, game: None }],
            Stretch::Read(games) => games
                .into_iter()
                .map(|(text, game)| {
                    let tags = game.tags.clone();
                    Candidate { number: 0, text, tags, game: Some(game) }
                })
                .collect(),
        }
    }
}

impl Candidate<'_> {
    /// The game if it is wanted, with its moves if `moves`.
    fn if_wanted<S: Selection>(mut self, selection: &S, moves: bool) -> Option<Self> {
        let number = self.number;
        if !selection.any_of(number..number + 1) {
            return None;
        }
        let verdict = selection
            .by_tags(number, &self.tags)
            .or_else(|| selection.by_all_tags(number, &self.tags));
        let is_wanted = match verdict {
            Verdict::Wanted => true,
            Verdict::Unwanted => false,
            Verdict::Open => selection.by_game(number, self.read()),
        };
        if is_wanted && moves {
            self.read();
        }
        is_wanted.then_some(self)
    }

    /// All of the game.
    fn read(&mut self) -> &Game {
        self.game.get_or_insert_with(|| {
            // There is one, since the stretch is one.
            pgn::parse(self.text).into_games().next().unwrap_or_default()
        })
    }
}

/// Plies of the game as played.
fn plies(game: &Game) -> u64 {
    game.lines.first().map_or(0, |line| line.moves.len() as u64)
}

impl<R: Read, S: Selection> Searchable<S> for PgnGames<R> {
    fn search(&mut self, selection: &S, first: u64, visitor: &mut Visitor<'_>) -> Result<u64> {
        let mut found = 0;
        let moves = visitor.takes_moves();
        self.look_through(selection, moves, &mut |mut candidate| {
            if found == first {
                return Ok(false);
            }
            found += 1;
            let Candidate { number, text, .. } = candidate;
            match visitor {
                Visitor::Count => {}
                Visitor::Tags(each) => each(number, &candidate.tags)?,
                Visitor::Moves(0, each) => {
                    let tags = std::mem::take(&mut candidate.tags);
                    each(number, &Game { tags, ..Game::default() })?;
                }
                Visitor::Moves(_, each) | Visitor::Games(each) => each(number, candidate.read())?,
                Visitor::Openings(_, each) => {
                    let game = candidate.read();
                    each(number, game, plies(game))?;
                }
                Visitor::Lines(each) => {
                    let plies = plies(candidate.read());
                    each(number, &candidate.tags, plies)?;
                }
                Visitor::Texts(each) => each(number, text)?,
                Visitor::Whole(each) => each(number, candidate.read(), text)?,
            }
            Ok(found < first)
        })?;
        Ok(found)
    }

    fn explain(
        &mut self,
        selection: &S,
        first: u64,
        each: &mut dyn FnMut(ExplainedGame) -> Result<()>,
    ) -> Result<u64> {
        let mut found = 0;
        self.look_through(selection, true, &mut |mut candidate| {
            if found == first {
                return Ok(false);
            }
            found += 1;
            let (number, bytes) = (candidate.number, candidate.text.to_vec());
            let game = candidate.read().clone();
            each(ExplainedGame { number, bytes, game, costs: None, model: String::new() })?;
            Ok(found < first)
        })?;
        Ok(found)
    }
}
