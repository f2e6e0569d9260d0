//! A page: games of a block that decode alone once the block's columns are known.

use std::borrow::Borrow;
use std::fmt;
use std::ops::Range;

use shakmaty::{ByColor, Chess, Move, Position};

use super::parts::{join, split};
use super::{BlockStats, StreamSizes};
use crate::entropy::{Decoder, Encoder};
use crate::features::GameContext;
use crate::pgn::{Atom, Branch, Game, Item, Line, Token};
use crate::predict::{GameCosts, KeptEvidence, Player, Predictor, Run, Surprisal};
use crate::streams::layout::LayoutPrior;
use crate::streams::moves::{
    self, CostRecorder, EvidenceUse, LineJob, PlyObserver, Watching, variations,
};
use crate::streams::{comments, layout, structure, tags, text};
use crate::{Error, Result};

/// The streams: moves, structure, comments, late tags, layout, lengths of texts in games, these texts.
const PARTS: usize = 7;

/// A stretch of a document.
#[derive(Debug)]
pub(super) struct Stretch<'a> {
    /// Its items.
    pub items: &'a mut [Item],
    /// For each item, the bytes of the input that it was made from.
    pub ranges: &'a [Range<usize>],
    /// For each item, its atoms.
    pub atoms: &'a [Vec<Atom>],
}

/// Codes a page of a document that was read from `input`; its layout begins with `prior`. If the page is to be checked,
/// the evidence on its plies is kept in `keep`.
///
/// # Errors
/// [`Error::Model`](crate::Error::Model) if the network fails.
pub(super) fn encode(
    input: &[u8],
    stretch: Stretch<'_>,
    prior: &LayoutPrior,
    run: &Run,
    keep: Option<&mut KeptEvidence>,
) -> Result<(Vec<u8>, BlockStats)> {
    let Stretch { items, ranges, atoms } = stretch;
    let (layout, reflowed) = layout::encode(input, items, ranges, atoms, prior)?;
    reflowed.into_iter().for_each(|comment| comment.put_into(items));
    let games: Vec<&Game> = items.iter().filter_map(Item::game).collect();
    let (moves, surprisals) = encode_moves(&games, run, keep)?;
    let structure = structure::encode(&games)?;
    let comments = comments::encode(&games, &surprisals)?;
    let late = tags::encode_late(&games)?;
    let texts = games.iter().flat_map(|game| &game.tokens).filter_map(Token::text);
    let texts = text::encode(texts)?;
    let size = |bytes: &[u8]| bytes.len() as u64;
    let stats = BlockStats {
        games: games.len() as u64,
        moves: games.iter().map(|game| game.plies() as u64).sum(),
        streams: StreamSizes {
            tags: size(&late),
            moves: size(&moves),
            structure: size(&structure),
            comments: size(&comments),
            layout: size(&layout),
            text: size(&texts.lengths) + size(&texts.bytes),
        },
    };
    let page = join::<PARTS>([
        &moves,
        &structure,
        &comments,
        &late,
        &layout,
        &texts.lengths,
        &texts.bytes,
    ]);
    Ok((page, stats))
}

/// A page's original bytes, and where its games lie in them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageText {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The range of each game.
    pub games: Vec<Range<usize>>,
}

/// Decodes a page: `items` are its items as the columns have them, `prior` is what its layout begins with, and `limit` is
/// how many bytes its original has.
///
/// # Errors
/// [`Error::Damaged`](crate::Error::Damaged) if `page` is not what an encoder writes for these items,
/// [`Error::Model`](crate::Error::Model) if the network fails.
pub fn decode_page(
    page: &[u8],
    items: &mut [Item],
    prior: &LayoutPrior,
    limit: usize,
    run: impl Into<Run>,
) -> Result<PageText> {
    decode_watched_page(page, items, prior, limit, run, PageWatch::Nobody)?.ok_or_else(given_up)
}

/// Who watches a page while it is decoded.
pub enum PageWatch<'a> {
    /// Nobody.
    Nobody,
    /// Who wants to know what the moves of each game cost, which is filled in.
    Costs(&'a mut Vec<GameCosts>),
    /// Who sees the plies of the main lines, of all games whose start is known, and may have enough of them.
    Plies(&'a mut dyn PlyObserver),
    /// Who wants to know how the moves of each game's main line compared with their predictions, which is filled in.
    Surprisals(&'a mut Vec<Vec<Surprisal>>),
}

impl fmt::Debug for PageWatch<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            PageWatch::Nobody => "Nobody",
            PageWatch::Costs(_) => "Costs",
            PageWatch::Plies(_) => "Plies",
            PageWatch::Surprisals(_) => "Surprisals",
        })
    }
}

/// Decodes a page as [`decode_page`] does, while somebody watches. `None` if that is an observer who is done before the
/// last move of the main lines: then `items` have the moves until there.
///
/// # Errors
/// Those of [`decode_page`].
pub fn decode_watched_page(
    page: &[u8],
    items: &mut [Item],
    prior: &LayoutPrior,
    limit: usize,
    run: impl Into<Run>,
    watch: PageWatch<'_>,
) -> Result<Option<PageText>> {
    decode_with(page, items, prior, limit, &run.into(), watch, EvidenceUse::Once)
}

/// Decodes a page as [`decode_page`] does, with the evidence that was kept when it was encoded.
///
/// # Errors
/// Those of [`decode_page`], and [`Error::Verification`](crate::Error::Verification) if it is not the page that was
/// encoded.
pub(super) fn decode_kept(
    page: &[u8],
    items: &mut [Item],
    prior: &LayoutPrior,
    limit: usize,
    run: &Run,
    kept: &mut KeptEvidence,
) -> Result<PageText> {
    let evidence = EvidenceUse::Kept(kept);
    let text = decode_with(page, items, prior, limit, run, PageWatch::Nobody, evidence)?;
    match kept.is_empty() {
        true => text.ok_or_else(given_up),
        false => Err(Error::Verification("fewer plies are decoded than were encoded".into())),
    }
}

fn decode_with(
    page: &[u8],
    items: &mut [Item],
    prior: &LayoutPrior,
    limit: usize,
    run: &Run,
    watch: PageWatch<'_>,
    mut evidence: EvidenceUse<'_>,
) -> Result<Option<PageText>> {
    let [moves, structure, comments, late, layout, lengths, texts] = split::<PARTS>(page)?;
    let mut games: Vec<&mut Game> = items.iter_mut().filter_map(Item::game_mut).collect();
    let mut decoder = Decoder::new(moves);
    let mut predictor = Predictor::new(run);
    let mut jobs = main_lines(&games);
    let (mut costs, observer, wanted) = match watch {
        PageWatch::Nobody => (None, None, None),
        PageWatch::Costs(costs) => (Some(costs), None, None),
        PageWatch::Plies(observer) => (None, Some(observer), None),
        PageWatch::Surprisals(surprisals) => (None, None, Some(surprisals)),
    };
    let mut recorder = costs.is_some().then(|| CostRecorder::new(jobs.len()));
    let watching: Watching<'_> = match (&mut recorder, observer) {
        (Some(recorder), _) => Some(recorder),
        (None, Some(observer)) => Some(&mut *observer),
        (None, None) => None,
    };
    // A move takes at least two letters.
    let most = limit / 2;
    let uses = evidence.reborrow();
    let is_whole = moves::code(&mut decoder, &mut predictor, &mut jobs, most, watching, uses)?;
    if let (Some(costs), Some(recorder)) = (&mut costs, recorder) {
        let mut lines = recorder.into_lines()?.into_iter();
        let mut of_game = |game: &&mut Game| game.start().and_then(|_| lines.next());
        **costs = games.iter().map(|game| of_game(game).unwrap_or_default()).collect();
    }
    let mut jobs = jobs.into_iter();
    let mut surprisals = Vec::with_capacity(games.len());
    for game in &mut games {
        let job = if game.start().is_some() { jobs.next() } else { None };
        let (moves, surprise) = job.map(|job| (job.moves, job.surprisals)).unwrap_or_default();
        game.lines = vec![Line { branch: None, moves }];
        surprisals.push(surprise);
    }
    if !is_whole {
        return Ok(None);
    }
    let line_lengths = structure::decode(structure, &mut games, limit)?;
    let costs = costs.map(|costs| &mut costs[..]);
    variations::code(&mut decoder, &mut predictor, &mut games, &line_lengths, costs, evidence)?;
    comments::decode(comments, &mut games, &surprisals, limit)?;
    if let Some(wanted) = wanted {
        *wanted = surprisals;
    }
    tags::decode_late(late, &mut games, limit)?;
    let texts = text::EncodedTexts { lengths, bytes: texts };
    decode_text(texts, layout, items, prior, limit).map(Some)
}

/// The moves of a page, from elsewhere than the page.
pub struct KnownMoves<'a> {
    /// Those of the main lines, of all games of the page; none of a game whose start is not known.
    pub main_lines: Vec<Vec<Move>>,
    /// How they compared with their predictions, as far as [`needs_surprisals`] says that it matters.
    pub surprisals: Vec<Vec<Surprisal>>,
    /// Gives the moves of the variations, in the order of the games and their lines: so many from a position.
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

/// Decodes a page as [`decode_page`] does, without a model: its moves are known. Whether they are right shows in the
/// bytes.
///
/// # Errors
/// [`Error::Damaged`](crate::Error::Damaged) if `page` is not what an encoder writes for these items and moves, and
/// those of `known`.
pub fn decode_known_page(
    page: &[u8],
    items: &mut [Item],
    prior: &LayoutPrior,
    limit: usize,
    known: KnownMoves<'_>,
) -> Result<PageText> {
    let [_, structure, comments, late, layout, lengths, texts] = split::<PARTS>(page)?;
    let mut games: Vec<&mut Game> = items.iter_mut().filter_map(Item::game_mut).collect();
    if games.len() != known.main_lines.len() {
        return Err(Error::damaged("the moves of other games than a page has"));
    }
    for (game, moves) in games.iter_mut().zip(known.main_lines) {
        game.lines = vec![Line { branch: None, moves }];
    }
    let line_lengths = structure::decode(structure, &mut games, limit)?;
    for (game, lengths) in games.iter_mut().zip(&line_lengths) {
        fill_variations(game, lengths, known.variation)?;
    }
    comments::decode(comments, &mut games, &known.surprisals, limit)?;
    tags::decode_late(late, &mut games, limit)?;
    let texts = text::EncodedTexts { lengths, bytes: texts };
    decode_text(texts, layout, items, prior, limit)
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

/// Whether the games of a page, of which all is known, cannot be read without knowing how moves compared with their
/// predictions.
///
/// # Errors
/// [`Error::Damaged`](crate::Error::Damaged) if `page` is none.
pub fn needs_surprisals(page: &[u8], items: &[Item]) -> Result<bool> {
    let [_, _, comments, ..] = split::<PARTS>(page)?;
    let games: Vec<&Game> = items.iter().filter_map(Item::game).collect();
    // What is written without them is read without them.
    Ok(!comments.is_empty() && comments::encode(&games, &[])? != comments)
}

/// Decodes what follows when all of a page's games is known.
fn decode_text(
    texts: text::EncodedTexts<&[u8]>,
    layout: &[u8],
    items: &mut [Item],
    prior: &LayoutPrior,
    limit: usize,
) -> Result<PageText> {
    let games = items.iter_mut().filter_map(Item::game_mut);
    let places = games.flat_map(|game| &mut game.tokens).filter_map(Token::text_mut);
    text::decode(texts, places, limit)?;
    let (bytes, ends) = layout::decode(layout, items, limit, prior)?;
    let starts = [0].into_iter().chain(ends.iter().copied());
    let ranges = items.iter().zip(starts.zip(ends.iter().copied()));
    let games = ranges.filter(|(item, _)| item.game().is_some());
    let games = games.map(|(_, (start, end))| start..end).collect();
    Ok(PageText { bytes, games })
}

/// A page that nobody was to give up.
fn given_up() -> Error {
    Error::Internal("a page was given up".into())
}

/// The moves coded, and how those of each game's main line compared with their predictions.
fn encode_moves(
    games: &[&Game],
    run: &Run,
    keep: Option<&mut KeptEvidence>,
) -> Result<(Vec<u8>, Vec<Vec<Surprisal>>)> {
    let mut evidence = keep.map_or(EvidenceUse::Once, EvidenceUse::Keep);
    let mut encoder = Encoder::new();
    let mut predictor = Predictor::new(run);
    let mut jobs = main_lines(games);
    moves::code(&mut encoder, &mut predictor, &mut jobs, 0, None, evidence.reborrow())?;
    let mut jobs = jobs.into_iter();
    let surprisals = games.iter().map(|game| match game.start() {
        Some(_) => jobs.next().map(|job| job.surprisals).unwrap_or_default(),
        None => vec![],
    });
    let surprisals = surprisals.collect();
    let length = |line: &Line| line.moves.len() as u32;
    let annotated = games.iter().filter(|game| game.lines.len() > 1);
    // Without their tokens, which may take much memory and are of no use to the moves.
    let moves =
        |game: &&Game| Game { tags: game.tags.clone(), lines: game.lines.clone(), tokens: vec![] };
    let mut annotated: Vec<Game> = annotated.map(moves).collect();
    let lengths: Vec<Vec<u32>> =
        annotated.iter().map(|game| game.lines.iter().skip(1).map(length).collect()).collect();
    variations::code(&mut encoder, &mut predictor, &mut annotated, &lengths, None, evidence)?;
    Ok((encoder.finish(), surprisals))
}

/// The lines that games were played in, of all games whose start is known.
fn main_lines<G: Borrow<Game>>(games: &[G]) -> Vec<LineJob> {
    let line = |game: &G| {
        let game: &Game = game.borrow();
        let player = |side| Player::named(game.tag(side).unwrap_or_default());
        let players = ByColor { white: player("White"), black: player("Black") };
        let moves = game.lines.first().map_or_else(Vec::new, |line| line.moves.clone());
        Some(LineJob::new(game.start()?, GameContext::from_tags(game), players, moves))
    };
    games.iter().filter_map(line).collect()
}
