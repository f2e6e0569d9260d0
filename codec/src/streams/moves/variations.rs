//! The moves of variations, coded after the main lines that they branch from.

use std::borrow::{Borrow, BorrowMut};
use std::collections::HashMap;

use shakmaty::ByColor;

use super::{EvidenceUse, LineJob, PlyObserver, VariationRecorder};
use crate::chess::History;
use crate::entropy::Coder;
use crate::features::GameContext;
use crate::pgn::{Game, MAX_LINES};
use crate::predict::{GameCosts, Predictor};
use crate::{Error, Result};

/// Codes the moves of all variations, some games at a time, so that memory stays bounded. When reading, fills in the
/// moves, `lengths` of them for each game. Adds what they cost to `costs`, if these are wanted: one for each game.
pub fn code<C: Coder, G: BorrowMut<Game>>(
    coder: &mut C,
    predictor: &mut Predictor,
    games: &mut [G],
    lengths: &[Vec<u32>],
    costs: Option<&mut [GameCosts]>,
    mut evidence: EvidenceUse<'_>,
) -> Result<()> {
    let mut rest = (games, lengths);
    let mut costs = costs.unwrap_or_default();
    while !rest.0.is_empty() {
        let mut lines = 0;
        let group = rest.0.iter().take_while(|game| {
            let fits = lines < MAX_LINES;
            lines += (*game).borrow().lines.len().saturating_sub(1);
            fits
        });
        let count = group.count();
        let (games, other_games) = rest.0.split_at_mut(count);
        let (lengths, other_lengths) = rest
            .1
            .split_at_checked(count)
            .ok_or_else(|| Error::damaged("games without lengths"))?;
        let (own_costs, other_costs) = costs.split_at_mut(count.min(costs.len()));
        code_group(coder, predictor, games, lengths, own_costs, evidence.reborrow())?;
        costs = other_costs;
        rest = (other_games, other_lengths);
    }
    Ok(())
}

/// Codes the variations of some games, those nearest to the game as played first, since a
/// variation starts from a position of its parent.
fn code_group<C: Coder, G: BorrowMut<Game>>(
    coder: &mut C,
    predictor: &mut Predictor,
    games: &mut [G],
    lengths: &[Vec<u32>],
    costs: &mut [GameCosts],
    mut evidence: EvidenceUse<'_>,
) -> Result<()> {
    // (game, line) of all variations by depth
    let mut levels: Vec<Vec<(usize, usize)>> = vec![];
    for (number, game) in games.iter().enumerate() {
        let game: &Game = game.borrow();
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
        .filter_map(|&(game, _)| Some(((game, 0), History::new(games[game].borrow().start()?))))
        .collect();
    for level in levels {
        let (next_starts, mut jobs) = branch_off(games, lengths, &level, &starts)?;
        let total = jobs.iter().filter_map(|job| job.length).sum();
        let mut recorder = (!costs.is_empty()).then(|| VariationRecorder {
            games: &mut *costs,
            game_of_job: level.iter().map(|&(game, _)| game).collect(),
        });
        let watching = recorder.as_mut().map(|recorder| recorder as &mut dyn PlyObserver);
        super::code(coder, predictor, &mut jobs, total, watching, evidence.reborrow())?;
        for (&(game, line), job) in level.iter().zip(jobs) {
            games[game].borrow_mut().lines[line].moves = job.moves;
        }
        starts = next_starts;
    }
    Ok(())
}

type Starts = HashMap<(usize, usize), History>;

/// Jobs for the variations of one level, and where they start. Each parent is played through
/// once for all its variations, which stand in the order of their branching.
fn branch_off<G: Borrow<Game>>(
    games: &[G],
    lengths: &[Vec<u32>],
    level: &[(usize, usize)],
    starts: &Starts,
) -> Result<(Starts, Vec<LineJob>)> {
    let mut next_starts = Starts::new();
    let mut jobs = Vec::with_capacity(level.len());
    let mut walk: Option<((usize, usize), History, usize)> = None;
    for &(number, line) in level {
        let game: &Game = games[number].borrow();
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
            players: ByColor::default(),
            length: Some(length.map_or(0, |&length| length as usize)),
            moves: game.lines[line].moves.clone(),
            surprisals: None,
        });
        next_starts.insert((number, line), branched);
    }
    Ok((next_starts, jobs))
}
