//! What each position of a book saves a model, so that a book of few bytes has those that save most.

use std::collections::HashMap;

use plyzip::unstable::chess::{History, legal_moves};
use plyzip::unstable::predict::book::{Book, UNIT};
use plyzip::unstable::predict::{BOOK_PRIOR, Pipeline};
use plyzip::{Model, Result};
use rayon::prelude::*;
use shakmaty::Chess;

use super::popularity::Seen;
use crate::commands::softmax::{nats, softmax};
use crate::packed::Game;

/// Games that the policy counts as, against those of a book.
const PRIOR_GAMES: f64 = BOOK_PRIOR as f64 / UNIT as f64;

/// How much each game counts, in games: in the new book, and in the one that the model has.
pub struct Weights<New, Old> {
    pub new: New,
    pub old: Old,
}

/// The bits that the model saves in all games of each group if a new book has its position: those of one key, sorted by
/// game. What a book says of a game's move is told by the counts of the other games. `old` is the book that the model
/// has for positions that are not in the new one.
///
/// # Errors
/// Those of the network.
pub fn gains<New, Old>(
    model: &Model,
    old: &Book,
    games: &[Game],
    groups: &[&[Seen]],
    weights: &Weights<New, Old>,
) -> Result<Vec<f64>>
where
    New: Fn(u32) -> f64 + Sync,
    Old: Fn(u32) -> f64 + Sync,
{
    let pipeline = Pipeline::new(model);
    // The groups by the last game of each, where its position is looked at.
    let mut by_game: Vec<(u32, usize)> = groups
        .iter()
        .enumerate()
        .filter_map(|(group, seen)| Some((seen.last()?.1, group)))
        .collect();
    by_game.sort_unstable();
    let by_game: Vec<&[(u32, usize)]> = by_game.chunk_by(|a, b| a.0 == b.0).collect();
    let found: Vec<(usize, f64)> = by_game
        .par_iter()
        .map(|wanted| {
            let wanted_groups: HashMap<u64, usize> =
                wanted.iter().map(|&(_, group)| (groups[group][0].0, group)).collect();
            let policies = policies(&pipeline, &games[wanted[0].0 as usize], &wanted_groups)?;
            let gain = |(group, policy): (usize, Vec<f64>)| {
                let old = Counts::of(old, groups[group][0].0, policy.len());
                (group, gain(groups[group], &policy, old.as_ref(), weights))
            };
            Ok(policies.into_iter().map(gain).collect::<Vec<_>>())
        })
        .collect::<Result<Vec<_>>>()?
        .concat();
    let mut gains = vec![0.0; groups.len()];
    for (group, gain) in found {
        gains[group] = gain;
    }
    Ok(gains)
}

/// The probabilities of the moves at those positions of a game that are wanted.
fn policies(
    pipeline: &Pipeline,
    game: &Game,
    wanted: &HashMap<u64, usize>,
) -> Result<Vec<(usize, Vec<f64>)>> {
    let context = game.context();
    let mut history = History::new(Chess::default());
    let mut groups = vec![];
    let mut prepared = vec![];
    for &place in game.moves {
        if let Some(&group) = wanted.get(&history.key())
            && !groups.contains(&group)
        {
            groups.push(group);
            prepared.push(pipeline.prepare(&history, &context));
        }
        if groups.len() == wanted.len() {
            break;
        }
        let legal = legal_moves(history.position());
        history.play(legal[usize::from(place)]);
    }
    let scores = pipeline.score(&prepared.iter().collect::<Vec<_>>())?;
    let policy = |logits: &[i32]| softmax(logits.iter().copied().map(nats));
    Ok(groups
        .into_iter()
        .zip(scores.iter().flatten())
        .map(|(g, s)| (g, policy(&s.moves)))
        .collect())
}

/// The counts of one position, in games.
struct Counts {
    moves: Vec<f64>,
    total: f64,
}

impl Counts {
    /// Those of a book, if it has the position.
    fn of(book: &Book, key: u64, legal: usize) -> Option<Counts> {
        let entry = book.find(key)?;
        let games = |count| f64::from(count) / f64::from(UNIT);
        let mut moves = vec![0.0; legal];
        for (index, count) in entry.moves().filter(|&(index, _)| index < legal) {
            moves[index] = games(count);
        }
        let total = moves.iter().sum::<f64>() + games(entry.rest());
        Some(Counts { moves, total })
    }

    /// The probability of a move of this policy, if a game that played it and counts so much is left out.
    fn without(&self, index: usize, weight: f64, policy: f64) -> f64 {
        let [played, total] =
            [self.moves[index], self.total].map(|games| (games - weight).max(0.0));
        (played + PRIOR_GAMES * policy) / (total + PRIOR_GAMES)
    }
}

/// The bits that one group saves, whose moves the network expects by `policy`.
fn gain<New, Old>(
    seen: &[Seen],
    policy: &[f64],
    old: Option<&Counts>,
    weights: &Weights<New, Old>,
) -> f64
where
    New: Fn(u32) -> f64,
    Old: Fn(u32) -> f64,
{
    let mut new = Counts { moves: vec![0.0; policy.len()], total: 0.0 };
    for &(_, game, place) in seen {
        new.moves[usize::from(place)] += (weights.new)(game);
        new.total += (weights.new)(game);
    }
    let saved = |&(_, game, place): &Seen| {
        let index = usize::from(place);
        let weight = (weights.new)(game);
        let before =
            old.map_or(policy[index], |old| old.without(index, (weights.old)(game), policy[index]));
        weight * (new.without(index, weight, policy[index]) / before).log2()
    };
    seen.iter().map(saved).sum()
}

#[cfg(test)]
mod tests {
    use plyzip::unstable::chess::position_key;
    use plyzip::unstable::predict::book::{Position, write_book};

    use super::*;

    fn saved(seen: &[u8], policy: &[f64], old: Option<&Counts>) -> f64 {
        let seen: Vec<Seen> = (0..).zip(seen).map(|(game, &place)| (7, game, place)).collect();
        gain(&seen, policy, old, &Weights { new: |_| 1.0, old: |_| 0.5 })
    }

    #[test]
    fn a_move_is_told_by_the_other_games() {
        // Three others played it, and the policy is two: (3 + 2 / 2) / (3 + 2) instead of 1 / 2.
        let popular = saved(&[0; 4], &[0.5, 0.5], None);
        assert!((popular - 4.0 * 1.6f64.log2()).abs() < 1e-9, "{popular}");
        // Nobody else played either of these: (0 + 1) / (1 + 2).
        let unlike = saved(&[0, 1], &[0.5, 0.5], None);
        assert!((unlike - 2.0 * (2.0f64 / 3.0).log2()).abs() < 1e-9, "{unlike}");
        // A book with these four games at a half knows much of it: (1.5 + 1) / (1.5 + 2).
        let known =
            saved(&[0; 4], &[0.5, 0.5], Some(&Counts { moves: vec![2.0, 0.0], total: 2.0 }));
        assert!((known - 4.0 * (0.8f64 / (2.5 / 3.5)).log2()).abs() < 1e-9, "{known}");
    }

    #[test]
    fn what_the_network_expects_gains_less() {
        let start = Chess::default();
        let key = position_key(&start);
        let of = |san: &str| {
            let played = san.parse::<shakmaty::san::San>().unwrap().to_move(&start).unwrap();
            let legal = legal_moves(&start);
            [legal.iter().position(|&legal| legal == played).unwrap() as u8]
        };
        let old =
            Book::from_bytes(write_book(vec![Position { key: 1, moves: vec![(0, 16)], rest: 0 }]))
                .unwrap();
        let [usual, unusual] = ["e4", "h4"].map(|san| {
            let moves = of(san);
            let game =
                Game { elo: [0; 2], result: 0, cut: false, year: 2020, pace: 0, moves: &moves };
            let seen: Vec<Seen> = (0..8).map(|number| (key, number, moves[0])).collect();
            let weights = Weights { new: |_| 1.0, old: |_| 1.0 };
            gains(&Model::embedded().unwrap(), &old, &[game; 8], &[&seen], &weights).unwrap()[0]
        });
        assert!(0.0 < usual && usual < unusual && unusual.is_finite(), "{usual}, {unusual}");
    }
}
