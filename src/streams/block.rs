//! A block: its streams, one after the other.
//!
//! Each stream is preceded by its length in bytes, except the last.

use std::collections::HashMap;

use serde::Serialize;

use super::{bytes, comments, layout, moves, structure, tags, text};
use crate::chess::History;
use crate::entropy::{Coder, Decoder, Encoder};
use crate::features::GameContext;
use crate::pgn::{self, Game, Item, MAX_LINES};
use crate::predict::{Model, Player, Predictor, Surprisal};
use crate::{Error, Result, varint};
use moves::LineJob;

/// Bytes that each stream takes, and what it holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct BlockStats {
    /// Games in the block.
    pub games: u64,
    /// Moves in the block, those of variations included.
    pub moves: u64,
    /// Bytes of each stream.
    pub streams: StreamSizes,
}

/// Bytes of each stream.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct StreamSizes {
    /// Tag pairs, late ones included.
    pub tags: u64,
    /// Game starts, moves and game ends.
    pub moves: u64,
    /// What stands between the moves: the kinds of tokens.
    pub structure: u64,
    /// Clocks, evaluations and comment text.
    pub comments: u64,
    /// White space, move numbers, spellings.
    pub layout: u64,
    /// What is no PGN, and which items are games.
    pub text: u64,
}

/// Compresses one block.
///
/// # Errors
/// [`Error::Model`] if the network fails.
pub fn encode_block(input: &[u8], model: &Model) -> Result<(Vec<u8>, BlockStats)> {
    let mut document = pgn::parse(input);
    let layout = layout::encode(input, &mut document)?;
    let items = text::encode_items(&document.items)?;
    let raw = text::collect(&document.items)?;
    let games: Vec<Game> = document.items.into_iter().filter_map(into_game).collect();

    // The moves keep one thread busy for longest; the rest is coded beside them, but for clocks and
    // evaluations, which depend on how surprising the moves were.
    let wait = comments::depend_on_moves(&games);
    let (others, moves) = rayon::join(
        || -> Result<_> {
            let tags = (tags::encode_early(&games)?, tags::encode_late(&games)?);
            let comments = if wait { vec![] } else { comments::encode(&games, &[])? };
            Ok((tags, comments, structure::encode(&games)?))
        },
        || encode_moves(&games, model),
    );
    let (((early, late), mut comments, structure), (moves, surprisals)) = (others?, moves?);
    if wait {
        comments = comments::encode(&games, &surprisals)?;
    }

    let mut raw_text = vec![];
    if !raw.bytes.is_empty() {
        varint::put_length(&mut raw_text, raw.bytes.len());
        raw_text.extend(bytes::compress(&raw.bytes)?);
    }
    let parts: [&[u8]; PARTS] =
        [&items, &early, &moves, &structure, &comments, &late, &layout, &raw.lengths, &raw_text];
    let mut block = vec![];
    for part in &parts[..PARTS - 1] {
        varint::put_length(&mut block, part.len());
        block.extend_from_slice(part);
    }
    block.extend_from_slice(parts[PARTS - 1]);

    let size = |bytes: &[u8]| bytes.len() as u64;
    let streams = StreamSizes {
        tags: size(&early) + size(&late),
        moves: size(&moves),
        structure: size(&structure),
        comments: size(&comments),
        layout: size(&layout),
        text: size(&items) + size(&raw.lengths) + size(&raw_text),
    };
    let stats = BlockStats {
        games: games.len() as u64,
        moves: games.iter().map(|game| game.plies() as u64).sum(),
        streams,
    };
    Ok((block, stats))
}

/// The moves coded, and how those of each game's main line compared with their predictions.
fn encode_moves(games: &[Game], model: &Model) -> Result<(Vec<u8>, Vec<Vec<Surprisal>>)> {
    let mut encoder = Encoder::new();
    let mut predictor = Predictor::new(model);
    let mut jobs = main_lines(games);
    moves::code(&mut encoder, &mut predictor, &mut jobs, 0)?;
    let mut jobs = jobs.into_iter();
    let surprisals = games.iter().map(|game| match game.start() {
        Some(_) => jobs.next().map(|job| job.surprisals).unwrap_or_default(),
        None => vec![],
    });
    let surprisals = surprisals.collect();
    let length = |line: &pgn::Line| line.moves.len() as u32;
    let mut annotated: Vec<Game> =
        games.iter().filter(|game| game.lines.len() > 1).cloned().collect();
    let lengths: Vec<Vec<u32>> =
        annotated.iter().map(|game| game.lines.iter().skip(1).map(length).collect()).collect();
    code_variations(&mut encoder, &mut predictor, &mut annotated, &lengths)?;
    Ok((encoder.finish(), surprisals))
}

/// The bytes that [`encode_block`] was given; `original_len` is how many they are.
///
/// # Errors
/// [`Error::Damaged`] if `block` is not what `encode_block` writes, [`Error::Model`] if the
/// network fails.
pub fn decode_block(block: &[u8], original_len: usize, model: &Model) -> Result<Vec<u8>> {
    let mut rest = block;
    let mut parts: [&[u8]; PARTS] = [&[]; PARTS];
    for part in &mut parts[..PARTS - 1] {
        *part = read_part(&mut rest)?;
    }
    parts[PARTS - 1] = rest;
    let [items, early, moves, structure, comments, late, layout, raw_lengths, raw_text] = parts;

    // No part of a block is larger than what it decodes to: all limits follow from that.
    let limit = original_len;
    let mut items = text::decode_items(items, limit)?;
    let mut games: Vec<Game> = items
        .iter_mut()
        .filter_map(|item| match item {
            Item::Game(game) => Some(std::mem::take(game)),
            Item::Text(_) => None,
        })
        .collect();
    tags::decode_early(early, &mut games, limit)?;

    let mut decoder = Decoder::new(moves);
    let mut predictor = Predictor::new(model);
    let mut jobs = main_lines(&games);
    // A move takes at least two letters.
    moves::code(&mut decoder, &mut predictor, &mut jobs, limit / 2)?;
    let mut jobs = jobs.into_iter();
    let mut surprisals = Vec::with_capacity(games.len());
    for game in &mut games {
        let job = if game.start().is_some() { jobs.next() } else { None };
        let (moves, surprise) = job.map(|job| (job.moves, job.surprisals)).unwrap_or_default();
        game.lines = vec![pgn::Line { branch: None, moves }];
        surprisals.push(surprise);
    }
    let lengths = structure::decode(structure, &mut games, limit)?;
    code_variations(&mut decoder, &mut predictor, &mut games, &lengths)?;
    comments::decode(comments, &mut games, &surprisals, limit)?;
    tags::decode_late(late, &mut games, limit)?;

    let mut games = games.into_iter();
    for item in &mut items {
        if let Item::Game(game) = item {
            *game = games.next().unwrap_or_default();
        }
    }
    let mut raw = text::RawText { lengths: raw_lengths.to_vec(), bytes: vec![] };
    let mut packed = raw_text;
    if !packed.is_empty() {
        let length = varint::take_length(&mut packed)?;
        if length > limit {
            return Err(Error::damaged("more text than the block holds"));
        }
        raw.bytes = bytes::decompress(packed, length)?;
    }
    text::distribute(&raw, &mut items)?;
    layout::decode(layout, &items, original_len)
}

/// Number of streams in a block.
const PARTS: usize = 9;

fn into_game(item: Item) -> Option<Game> {
    match item {
        Item::Game(game) => Some(game),
        Item::Text(_) => None,
    }
}

fn read_part<'a>(rest: &mut &'a [u8]) -> Result<&'a [u8]> {
    let length = varint::take_length(rest)?;
    let (part, tail) = rest
        .split_at_checked(length)
        .ok_or_else(|| Error::damaged("a stream longer than its block"))?;
    *rest = tail;
    Ok(part)
}

/// The lines that games were played in, of all games whose start is known.
fn main_lines(games: &[Game]) -> Vec<LineJob> {
    games
        .iter()
        .filter_map(|game| {
            let players =
                ["White", "Black"].map(|side| Player::named(game.tag(side).unwrap_or_default()));
            let moves = game.lines.first().map_or_else(Vec::new, |line| line.moves.clone());
            Some(LineJob::new(game.start()?, GameContext::from_tags(game), players, moves))
        })
        .collect()
}

/// Codes the moves of all variations, some games at a time, so that memory stays bounded. When
/// reading, fills in the moves, `lengths` of them for each game.
fn code_variations<C: Coder>(
    coder: &mut C,
    predictor: &mut Predictor,
    games: &mut [Game],
    lengths: &[Vec<u32>],
) -> Result<()> {
    let mut rest = (games, lengths);
    while !rest.0.is_empty() {
        let mut lines = 0;
        let group = rest.0.iter().take_while(|game| {
            let fits = lines < MAX_LINES;
            lines += game.lines.len() - game.lines.len().min(1);
            fits
        });
        let count = group.count();
        let (games, other_games) = rest.0.split_at_mut(count);
        let (lengths, other_lengths) = rest
            .1
            .split_at_checked(count)
            .ok_or_else(|| Error::damaged("games without lengths"))?;
        code_group(coder, predictor, games, lengths)?;
        rest = (other_games, other_lengths);
    }
    Ok(())
}

/// Codes the variations of some games, those nearest to the game as played first, since a
/// variation starts from a position of its parent.
fn code_group<C: Coder>(
    coder: &mut C,
    predictor: &mut Predictor,
    games: &mut [Game],
    lengths: &[Vec<u32>],
) -> Result<()> {
    // (game, line) of all variations by depth
    let mut levels: Vec<Vec<(usize, usize)>> = vec![];
    for (number, game) in games.iter().enumerate() {
        let mut depths = vec![0usize; game.lines.len()];
        for (line, variation) in game.lines.iter().enumerate().skip(1) {
            let parent = variation.branch.map_or(0, |branch| branch.line as usize);
            if parent >= line {
                return Err(Error::damaged("a variation before its parent"));
            }
            depths[line] = depths[parent] + 1;
            if levels.len() < depths[line] {
                levels.push(vec![]);
            }
            levels[depths[line] - 1].push((number, line));
        }
    }
    // Where the lines of the level before start, by (game, line).
    let mut starts: Starts = levels
        .first()
        .into_iter()
        .flatten()
        .filter_map(|&(game, _)| Some(((game, 0), History::new(games[game].start()?))))
        .collect();
    for level in levels {
        let (next_starts, mut jobs) = branch_off(games, lengths, &level, &starts)?;
        let total = jobs.iter().filter_map(|job| job.length).sum();
        moves::code(coder, predictor, &mut jobs, total)?;
        for (&(game, line), job) in level.iter().zip(jobs) {
            games[game].lines[line].moves = job.moves;
        }
        starts = next_starts;
    }
    Ok(())
}

type Starts = HashMap<(usize, usize), History>;

/// Jobs for the variations of one level, and where they start. Each parent is played through
/// once for all its variations, which stand in the order of their branching.
fn branch_off(
    games: &[Game],
    lengths: &[Vec<u32>],
    level: &[(usize, usize)],
    starts: &Starts,
) -> Result<(Starts, Vec<LineJob>)> {
    let mut next_starts = Starts::new();
    let mut jobs = Vec::with_capacity(level.len());
    let mut walk: Option<((usize, usize), History, usize)> = None;
    for &(number, line) in level {
        let game = &games[number];
        let branch =
            game.lines[line].branch.ok_or_else(|| Error::damaged("a variation of nothing"))?;
        let parent = (number, branch.line as usize);
        let ply = branch.ply as usize;
        let (history, at) = match &mut walk {
            Some((walked, history, at)) if *walked == parent && *at <= ply => (history, at),
            _ => {
                let start = starts
                    .get(&parent)
                    .ok_or_else(|| Error::damaged("a variation without a start"))?;
                let (_, history, at) = walk.insert((parent, start.clone(), 0));
                (history, at)
            }
        };
        let moves = &game.lines[parent.1].moves;
        if ply > moves.len() {
            return Err(Error::damaged("a variation beyond the end of its parent"));
        }
        for &played in &moves[*at..ply] {
            history.play(played);
        }
        *at = ply;
        let branched = history.branch();
        let length = lengths.get(number).and_then(|lengths| lengths.get(line - 1));
        jobs.push(LineJob {
            history: branched.clone(),
            context: GameContext::from_tags(game),
            players: [Player::default(); 2],
            length: Some(length.map_or(0, |&length| length as usize)),
            moves: game.lines[line].moves.clone(),
            surprisals: vec![],
        });
        next_starts.insert((number, line), branched);
    }
    Ok((next_starts, jobs))
}
