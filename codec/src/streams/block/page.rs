//! A page: games of a block that decode alone once the block's columns are known.

use std::borrow::Borrow;
use std::fmt;
use std::ops::Range;

use shakmaty::ByColor;

use super::parts::{join, split};
use super::repeated::{Repeated, numbered};
use super::{BlockStats, StreamSizes};
use crate::entropy::{Decoder, Encoder};
use crate::features::GameContext;
use crate::pgn::{Game, Item, Line, Token};
use crate::predict::{GameCosts, KeptEvidence, Player, PlyCounter, Predictor, Run, Surprisal};
use crate::streams::layout::LayoutPrior;
use crate::streams::moves::{
    self, CostRecorder, EvidenceUse, LineJob, PlyObserver, Watching, variations,
};
use crate::streams::repeats::Repeat;
use crate::streams::{comments, layout, structure, tags, text};
use crate::{Error, Result};

/// The streams: moves, structure, comments, late tags, layout, lengths of texts in games, these texts.
pub(super) const PARTS: usize = 7;

/// A stretch of a document.
#[derive(Debug)]
pub(super) struct Stretch<'a> {
    /// Its items.
    pub items: &'a [Item],
    /// For each game what it repeats; empty if none does.
    pub repeats: &'a [Option<Repeat>],
    /// Its layout, coded.
    pub layout: Vec<u8>,
}

/// Codes a page of a document. If it is to be checked, the evidence on its plies is kept in `keep`.
///
/// # Errors
/// [`Error::Model`](crate::Error::Model) if the network fails.
pub(super) fn encode(
    stretch: &Stretch<'_>,
    run: &Run,
    keep: Option<&mut KeptEvidence>,
) -> Result<(Vec<u8>, BlockStats)> {
    let Stretch { items, repeats, layout } = stretch;
    let games: Vec<&Game> = items.iter().filter_map(Item::game).collect();
    let (moves, surprisals) = encode_moves(&games, repeats, run, keep)?;
    let own = without_repeated(games.iter().copied(), repeats);
    let structure = structure::encode(&own)?;
    let comments = comments::encode(&own, &without_repeated(surprisals, repeats))?;
    let late = tags::encode_late(&games)?;
    let texts = own.iter().flat_map(|game| &game.tokens).filter_map(Token::text);
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
            layout: size(layout),
            text: size(&texts.lengths) + size(&texts.bytes),
        },
    };
    let page =
        join::<PARTS>([&moves, &structure, &comments, &late, layout, &texts.lengths, &texts.bytes]);
    Ok((page, stats))
}

/// Of a value for each game those of games that have tokens of their own.
pub(super) fn without_repeated<T>(
    of_games: impl IntoIterator<Item = T>,
    repeats: &[Option<Repeat>],
) -> Vec<T> {
    numbered(of_games, |number| repeat_of(repeats, number).is_none_or(|repeat| !repeat.has_tokens))
}

/// What a game repeats.
fn repeat_of(repeats: &[Option<Repeat>], number: usize) -> Option<&Repeat> {
    repeats.get(number).and_then(Option::as_ref)
}

/// A page's original bytes, and where its games lie in them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageText {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The range of each game.
    pub games: Vec<Range<usize>>,
}

/// Decodes a page none of whose games repeats another: `items` are its items as the columns have them, `prior` is what its
/// layout begins with, and `limit` is how many bytes its original has. [`decode_watched_page`] decodes any page.
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
    let nothing = Repeated::default();
    let text = decode_watched_page(page, items, &nothing, prior, limit, run, PageWatch::Nobody)?;
    text.ok_or_else(given_up)
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
/// last move of the main lines: then `items` have the moves until there. What its games repeat is given; no observer sees
/// moves that are repeated, and they cost nothing.
///
/// # Errors
/// Those of [`decode_page`].
pub fn decode_watched_page(
    page: &[u8],
    items: &mut [Item],
    repeated: &Repeated,
    prior: &LayoutPrior,
    limit: usize,
    run: impl Into<Run>,
    watch: PageWatch<'_>,
) -> Result<Option<PageText>> {
    let mut decoding = Decoding { page, repeated, limit, watch, evidence: EvidenceUse::Once };
    match decoding.contents(items, &run.into())? {
        true => decoding.text(items, prior).map(Some),
        false => Ok(None),
    }
}

/// Decodes a page as far as others may repeat it: the moves of the main lines, and if they want `tokens`, too,
/// variations, comments and all else that stands between the moves. Its own games that repeat others get only what that
/// takes.
///
/// # Errors
/// Those of [`decode_page`].
pub fn decode_repeated_page(
    page: &[u8],
    items: &mut [Item],
    repeated: &Repeated,
    limit: usize,
    run: impl Into<Run>,
    tokens: bool,
) -> Result<()> {
    // Its plies are counted when all of it is decoded.
    let run = Run { plies: PlyCounter::default(), ..run.into() };
    let (watch, evidence) = (PageWatch::Nobody, EvidenceUse::Once);
    let mut decoding = Decoding { page, repeated, limit, watch, evidence };
    match tokens {
        true => decoding.contents(items, &run).map(drop),
        false => decoding.main_lines(items, &mut Predictor::new(&run)).map(drop),
    }
}

/// Decodes a page as [`decode_page`] does, with the evidence that was kept when it was encoded.
///
/// # Errors
/// Those of [`decode_page`], and [`Error::Verification`](crate::Error::Verification) if it is not the page that was
/// encoded.
pub(super) fn decode_kept(
    page: &[u8],
    items: &mut [Item],
    repeated: &Repeated,
    prior: &LayoutPrior,
    limit: usize,
    run: &Run,
    kept: &mut KeptEvidence,
) -> Result<PageText> {
    let (watch, evidence) = (PageWatch::Nobody, EvidenceUse::Kept(kept));
    let mut decoding = Decoding { page, repeated, limit, watch, evidence };
    decoding.contents(items, run)?;
    let text = decoding.text(items, prior)?;
    match kept.is_empty() {
        true => Ok(text),
        false => Err(Error::Verification("fewer plies are decoded than were encoded".into())),
    }
}

/// A page that is being decoded.
struct Decoding<'a, 'w, 'e> {
    page: &'a [u8],
    repeated: &'a Repeated,
    /// Bytes of its original.
    limit: usize,
    watch: PageWatch<'w>,
    evidence: EvidenceUse<'e>,
}

/// What is known of a page when its main lines are decoded.
struct MainLines<'a> {
    /// What decodes the variations.
    decoder: Decoder,
    /// For each game how its moves compared with their predictions.
    surprisals: Vec<Vec<Surprisal>>,
    /// The other streams.
    parts: [&'a [u8]; PARTS],
    is_whole: bool,
}

impl<'a> Decoding<'a, '_, '_> {
    /// Decodes the main lines, but for those that are repeated.
    fn main_lines(
        &mut self,
        items: &mut [Item],
        predictor: &mut Predictor,
    ) -> Result<MainLines<'a>> {
        let parts = split::<PARTS>(self.page)?;
        let mut decoder = Decoder::new(parts[0]);
        let mut games: Vec<&mut Game> = items.iter_mut().filter_map(Item::game_mut).collect();
        let with_surprisals = match &self.evidence {
            EvidenceUse::Kept(kept) => kept.needs_surprisals(),
            EvidenceUse::Keep(_) | EvidenceUse::Once => true,
        };
        let is_repeated = |number| self.repeated.game(number).is_some();
        let (mut jobs, numbers) = main_lines(&games, is_repeated, with_surprisals);
        let mut recorder =
            matches!(self.watch, PageWatch::Costs(_)).then(|| CostRecorder::new(jobs.len()));
        let watching: Watching<'_> = match (&mut recorder, &mut self.watch) {
            (Some(recorder), _) => Some(recorder),
            (None, PageWatch::Plies(observer)) => Some(&mut **observer),
            (None, _) => None,
        };
        let uses = self.evidence.reborrow();
        let most = most_moves(self.limit);
        let is_whole = moves::code(&mut decoder, predictor, &mut jobs, most, watching, uses)?;
        if let (PageWatch::Costs(costs), Some(recorder)) = (&mut self.watch, recorder) {
            **costs = vec![GameCosts::default(); games.len()];
            for (&number, line) in numbers.iter().zip(recorder.into_lines()?) {
                costs[number] = line;
            }
        }
        let mut surprisals = vec![vec![]; games.len()];
        games.iter_mut().for_each(|game| game.lines = vec![Line::default()]);
        for (number, job) in numbers.into_iter().zip(jobs) {
            games[number].lines[0].moves = job.moves;
            surprisals[number] = job.surprisals.unwrap_or_default();
        }
        Ok(MainLines { decoder, surprisals, parts, is_whole })
    }

    /// Decodes all that games say, but for late tags and what is repeated of their tokens; not all of it if who watches is
    /// done before.
    fn contents(&mut self, items: &mut [Item], run: &Run) -> Result<bool> {
        let mut predictor = Predictor::new(run);
        let MainLines { mut decoder, mut surprisals, parts, is_whole } =
            self.main_lines(items, &mut predictor)?;
        if !is_whole {
            return Ok(false);
        }
        let [_, structure, comments, _, _, lengths, bytes] = parts;
        let (repeated, limit) = (self.repeated, self.limit);
        let mut games: Vec<&mut Game> = items.iter_mut().filter_map(Item::game_mut).collect();
        run.plies.add(repeated.fill_lines(&mut games, most_moves(limit))?);
        for (number, game) in games.iter().enumerate() {
            // Nothing was predicted.
            if repeated.game(number).is_some() {
                surprisals[number] = vec![Surprisal::default(); game.lines[0].moves.len()];
            }
        }
        if let PageWatch::Surprisals(wanted) = &mut self.watch {
            **wanted = surprisals.clone();
        }
        let surprisals = repeated.own(surprisals);
        let mut games = repeated.own(games);
        let line_lengths = structure::decode(structure, &mut games, limit)?;
        let mut costs = match &mut self.watch {
            PageWatch::Costs(costs) => Some(repeated.own(costs.iter_mut())),
            _ => None,
        };
        let mut own_costs: Option<Vec<GameCosts>> = costs
            .as_mut()
            .map(|costs| costs.iter_mut().map(|costs| std::mem::take(*costs)).collect());
        let uses = self.evidence.reborrow();
        let wanted = own_costs.as_deref_mut();
        variations::code(&mut decoder, &mut predictor, &mut games, &line_lengths, wanted, uses)?;
        for (place, costs) in costs.into_iter().flatten().zip(own_costs.into_iter().flatten()) {
            *place = costs;
        }
        comments::decode(comments, &mut games, &surprisals, limit)?;
        let texts = text::EncodedTexts { lengths, bytes };
        let places =
            games.into_iter().flat_map(|game| &mut game.tokens).filter_map(Token::text_mut);
        text::decode(texts, places, limit)?;
        Ok(true)
    }

    /// Decodes the rest, once all else is known of the items.
    fn text(&self, items: &mut [Item], prior: &LayoutPrior) -> Result<PageText> {
        finish(self.page, items, self.repeated, prior, self.limit)
    }
}

/// A move takes at least two letters.
fn most_moves(limit: usize) -> usize {
    limit / 2
}

/// Decodes late tags and the layout of a page, of which all else is known but the tokens that its games repeat.
pub(super) fn finish(
    page: &[u8],
    items: &mut [Item],
    repeated: &Repeated,
    prior: &LayoutPrior,
    limit: usize,
) -> Result<PageText> {
    let [_, _, _, late, layout, ..] = split::<PARTS>(page)?;
    let mut games: Vec<&mut Game> = items.iter_mut().filter_map(Item::game_mut).collect();
    repeated.fill_tokens(&mut games, limit)?;
    tags::decode_late(late, &mut games, limit)?;
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

/// The moves coded, and how those of each game's main line compared with their predictions, if any comment is coded with
/// that.
fn encode_moves(
    games: &[&Game],
    repeats: &[Option<Repeat>],
    run: &Run,
    keep: Option<&mut KeptEvidence>,
) -> Result<(Vec<u8>, Vec<Vec<Surprisal>>)> {
    let own = without_repeated(games.iter().copied(), repeats);
    let with_surprisals = comments::comments(&own) > 0;
    let mut evidence = match keep {
        Some(keep) => {
            keep.keep_surprisals(with_surprisals);
            EvidenceUse::Keep(keep)
        }
        None => EvidenceUse::Once,
    };
    let mut encoder = Encoder::new();
    let mut predictor = Predictor::new(run);
    let is_repeated = |number| repeat_of(repeats, number).is_some();
    let (mut jobs, numbers) = main_lines(games, is_repeated, with_surprisals);
    moves::code(&mut encoder, &mut predictor, &mut jobs, 0, None, evidence.reborrow())?;
    let mut surprisals = vec![vec![]; games.len()];
    for (number, job) in numbers.into_iter().zip(jobs) {
        surprisals[number] = job.surprisals.unwrap_or_default();
    }
    for (number, game) in games.iter().enumerate() {
        if repeat_of(repeats, number).is_some() {
            let plies = game.lines.first().map_or(0, |line| line.moves.len());
            // Nothing is predicted.
            surprisals[number] = vec![Surprisal::default(); plies];
            run.plies.add(plies);
        }
    }
    let length = |line: &Line| line.moves.len() as u32;
    let annotated = own.into_iter().filter(|game| game.lines.len() > 1);
    // Without their tokens, which may take much memory and are of no use to the moves.
    let moves =
        |game: &Game| Game { tags: game.tags.clone(), lines: game.lines.clone(), tokens: vec![] };
    let mut annotated: Vec<Game> = annotated.map(moves).collect();
    let lengths: Vec<Vec<u32>> =
        annotated.iter().map(|game| game.lines.iter().skip(1).map(length).collect()).collect();
    variations::code(&mut encoder, &mut predictor, &mut annotated, &lengths, None, evidence)?;
    Ok((encoder.finish(), surprisals))
}

/// The lines that games were played in, of all games whose start is known, but for those that are repeated; and the
/// numbers of these games.
fn main_lines<G: Borrow<Game>>(
    games: &[G],
    is_repeated: impl Fn(usize) -> bool,
    with_surprisals: bool,
) -> (Vec<LineJob>, Vec<usize>) {
    let line = |(number, game): (usize, &G)| {
        if is_repeated(number) {
            return None;
        }
        let game: &Game = game.borrow();
        let player = |side| Player::named(game.tag(side).unwrap_or_default());
        let players = ByColor { white: player("White"), black: player("Black") };
        let moves = game.lines.first().map_or_else(Vec::new, |line| line.moves.clone());
        let context = GameContext::from_tags(game);
        let surprisals = with_surprisals.then(Vec::new);
        let job = LineJob { surprisals, ..LineJob::new(game.start()?, context, players, moves) };
        Some((job, number))
    };
    games.iter().enumerate().filter_map(line).unzip()
}
