//! Bytes to games, with the places of everything.

use std::convert::Infallible;
use std::ops::Range;

use rayon::prelude::*;

use super::movetext::{Reader, skip_space};
use super::tag::TagFinder;
use super::{Atom, Game, Item, game_starts};

/// The input as items, and where each of them lies.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Document {
    /// Games and text. They follow each other without gaps: the white space
    /// after a game belongs to it. No text follows another.
    pub items: Vec<Item>,
    /// For each item, the bytes that it was made from.
    pub ranges: Vec<Range<usize>>,
    /// For each item, its atoms in the order of the input; none for text.
    pub(crate) atoms: Vec<Vec<Atom>>,
}

impl Document {
    /// The games, without the text between them.
    ///
    /// ```
    /// let document = plyzip::pgn::parse(b"% no game\n\n[Event \"?\"]\n\n1. e4 *\n");
    /// assert_eq!(document.games().count(), 1);
    /// ```
    pub fn games(&self) -> impl Iterator<Item = &Game> {
        self.items.iter().filter_map(Item::game)
    }

    /// The games themselves, without the text between them.
    pub fn into_games(self) -> impl Iterator<Item = Game> {
        self.items.into_iter().filter_map(|item| match item {
            Item::Game(game) => Some(game),
            Item::Text(_) => None,
        })
    }

    fn push(&mut self, item: Item, range: Range<usize>, atoms: Vec<Atom>) {
        self.items.push(item);
        self.ranges.push(range);
        self.atoms.push(atoms);
    }
}

/// Reads any bytes. What is no PGN becomes text, so that nothing is lost; what
/// is wrong in one game does not touch the others.
///
/// Games are read in parallel, one by one, so the result does not depend on
/// the number of threads.
///
/// ```
/// use plyzip::pgn::{self, Item};
/// let document = pgn::parse(b"1. e4 e5 2. Ke2 *\n");
/// let Item::Game(game) = &document.items[0] else { panic!() };
/// assert_eq!(game.lines[0].moves.len(), 3);
/// ```
pub fn parse(input: &[u8]) -> Document {
    let Ok(document) = parse_while::<Infallible>(input, || Ok(()));
    document
}

/// [`parse`], unless `check` gives an error before a game.
///
/// # Errors
/// Those of `check`.
pub(crate) fn parse_while<E: Send>(
    input: &[u8],
    check: impl Fn() -> Result<(), E> + Sync,
) -> Result<Document, E> {
    let mut bounds = vec![0];
    bounds.extend(game_starts(input).filter(|&start| start > 0));
    bounds.push(input.len());
    let read = |bounds: &[usize]| {
        check()?;
        let mut document = Document::default();
        // Offsets stay those of the whole input; only its end moves.
        read_chunk(&input[..bounds[1]], bounds[0], &mut document);
        Ok(document)
    };
    let chunks: Vec<Document> = match bounds.len() {
        // On this thread: a process that was forked has lost rayon's own threads, and a game needs none.
        2 => vec![read(&bounds)?],
        _ => bounds.par_windows(2).map(read).collect::<Result<_, E>>()?,
    };
    let mut document = Document::default();
    for mut chunk in chunks {
        if let (Some(Item::Text(text)), Some(Item::Text(more))) =
            (document.items.last_mut(), chunk.items.first_mut())
        {
            text.append(more);
            if let (Some(range), Some(further)) = (document.ranges.last_mut(), chunk.ranges.first())
            {
                range.end = further.end;
            }
            chunk = Document {
                items: chunk.items.split_off(1),
                ranges: chunk.ranges.split_off(1),
                atoms: chunk.atoms.split_off(1),
            };
        }
        document.items.append(&mut chunk.items);
        document.ranges.append(&mut chunk.ranges);
        document.atoms.append(&mut chunk.atoms);
    }
    Ok(document)
}

/// Reads `input[start..]`, in which no game starts with a tag section except perhaps at `start`.
fn read_chunk(input: &[u8], start: usize, document: &mut Document) {
    let mut at = start;
    if u32::try_from(input.len() - start).is_err() {
        // Places in a game are 32 bits wide.
        document.push(Item::Text(input[start..].to_vec()), start..input.len(), vec![]);
        return;
    }
    // One for all games: a line may hold many.
    let mut tags = TagFinder::new(input);
    while at < input.len() {
        let mut reader = Reader::new(input, at);
        reader.tags(&mut tags);
        let is_game = reader.movetext() || !reader.game.tags.is_empty();
        if !is_game {
            document.push(Item::Text(input[at..].to_vec()), at..input.len(), vec![]);
            return;
        }
        let end = skip_space(input, reader.at);
        let (game, atoms) = reader.finish();
        document.push(Item::Game(game), at..end, atoms);
        at = end;
    }
}
