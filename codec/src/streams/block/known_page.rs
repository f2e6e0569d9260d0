//! Pages whose moves are known from elsewhere, so that they decode without a model.

use std::fmt;

use shakmaty::{Chess, Move, Position};

use super::page::{PARTS, PageText, finish, without_repeated};
use super::parts::split;
use super::repeated::Repeated;
use crate::pgn::{Branch, Game, Item, Line, Token};
use crate::predict::Surprisal;
use crate::streams::layout::LayoutPrior;
use crate::streams::repeats::Repeat;
use crate::streams::{comments, structure, text};
use crate::{Error, Result};

/// The moves of a page, from elsewhere than the page.
pub struct KnownMoves<'a> {
    /// Those of the main lines, of all games of the page; none of a game whose start is not known.
    pub main_lines: Vec<Vec<Move>>,
    /// How they compared with their predictions, as far as [`needs_surprisals`] says that it matters.
    pub surprisals: Vec<Vec<Surprisal>>,
    /// Gives the moves of the variations of games that do not repeat the tokens of others, in the order of the games and
    /// their lines: so many from a position.
    pub variation: &'a mut dyn FnMut(Chess, usize) -> Result<Vec<Move>>,
}

impl fmt::Debug for KnownMoves<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("KnownMoves")
            .field("games", &self.main_lines.len())
            .finish_non_exhaustive()
    }
}

/// Decodes a page as [`decode_page`](super::decode_page) does, without a model: its moves are known. Whether they are
/// right shows in the bytes.
///
/// # Errors
/// [`Error::Damaged`](crate::Error::Damaged) if `page` is not what an encoder writes for these items and moves, and
/// those of `known`.
pub fn decode_known_page(
    page: &[u8],
    items: &mut [Item],
    repeated: &Repeated,
    prior: &LayoutPrior,
    limit: usize,
    known: KnownMoves<'_>,
) -> Result<PageText> {
    decode_known_repeated_page(page, items, repeated, limit, known)?;
    finish(page, items, repeated, prior, limit)
}

/// Decodes a page as far as others may repeat it, as [`decode_repeated_page`](super::decode_repeated_page) does, without
/// a model: all that games say, but for late tags and what is repeated of their tokens.
///
/// # Errors
/// Those of [`decode_known_page`].
pub fn decode_known_repeated_page(
    page: &[u8],
    items: &mut [Item],
    repeated: &Repeated,
    limit: usize,
    known: KnownMoves<'_>,
) -> Result<()> {
    let [_, structure, comments, _, _, lengths, bytes] = split::<PARTS>(page)?;
    let mut games: Vec<&mut Game> = items.iter_mut().filter_map(Item::game_mut).collect();
    if games.len() != known.main_lines.len() {
        return Err(Error::damaged("the moves of other games than a page has"));
    }
    for (game, moves) in games.iter_mut().zip(known.main_lines) {
        game.lines = vec![Line { branch: None, moves }];
    }
    let surprisals = repeated.own(known.surprisals);
    let mut games = repeated.own(games);
    let line_lengths = structure::decode(structure, &mut games, limit)?;
    for (game, lengths) in games.iter_mut().zip(&line_lengths) {
        fill_variations(game, lengths, known.variation)?;
    }
    comments::decode(comments, &mut games, &surprisals, limit)?;
    let texts = text::EncodedTexts { lengths, bytes };
    let places = games.into_iter().flat_map(|game| &mut game.tokens).filter_map(Token::text_mut);
    text::decode(texts, places, limit)
}

/// Fills in the moves of a game's variations, `lengths` of them, each behind those of its parent.
fn fill_variations(
    game: &mut Game,
    lengths: &[u32],
    next: &mut dyn FnMut(Chess, usize) -> Result<Vec<Move>>,
) -> Result<()> {
    // Where each line starts, and how far it was played through for its variations: these stand in the order of their
    // branching, so that once is enough.
    let mut lines: Vec<Option<(Chess, Chess, usize)>> = vec![None; game.lines.len()];
    lines[0] = game.start().map(|start| (start.clone(), start, 0));
    for (line, &length) in (1..game.lines.len()).zip(lengths) {
        let Branch { line: parent, ply } =
            game.lines[line].branch.ok_or_else(|| Error::damaged("a variation of nothing"))?;
        let (parent, ply) = (parent as usize, ply as usize);
        if parent >= line {
            return Err(Error::damaged("a variation before its parent"));
        }
        let (start, position, at) =
            lines[parent].as_mut().ok_or_else(|| Error::damaged("a variation without a start"))?;
        if *at > ply {
            (*position, *at) = (start.clone(), 0);
        }
        let between = game.lines[parent].moves.get(*at..ply);
        let beyond = || Error::damaged("a variation beyond the end of its parent");
        for &played in between.ok_or_else(beyond)? {
            position.play_unchecked(played);
        }
        *at = ply;
        let start = position.clone();
        game.lines[line].moves = next(start.clone(), length as usize)?;
        lines[line] = Some((start.clone(), start, 0));
    }
    Ok(())
}

/// Whether the games of a page, of which all is known and which repeat others so, cannot be read without knowing how moves
/// compared with their predictions.
///
/// # Errors
/// [`Error::Damaged`](crate::Error::Damaged) if `page` is none.
pub fn needs_surprisals(page: &[u8], items: &[Item], repeats: &[Option<Repeat>]) -> Result<bool> {
    let [_, _, comments, ..] = split::<PARTS>(page)?;
    let games: Vec<&Game> = without_repeated(items.iter().filter_map(Item::game), repeats);
    // What is written without them is read without them.
    Ok(!comments.is_empty() && comments::encode(&games, &[])? != comments)
}
