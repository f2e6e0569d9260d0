//! `plyzip compare --policy`: policy networks of others, held against plyzip's models.
//!
//! Both tell how likely each legal move is, so both have a price in bits for the move that was played, and a favourite.
//! Here each game stands alone; in an archive games help each other, and game ends cost something, too.

mod network;
mod planes;
mod policy_map;

use std::path::Path;
use std::time::Instant;

use ndarray::Array4;
use plyzip::pgn;
use plyzip::{GameHeader, Model, Result};
use rayon::prelude::*;
use shakmaty::{Move, Position};

use super::row::{Row, Size};
use network::{BATCH, PolicyNetwork};
use planes::{PLANES, SeenGame};
use policy_map::PolicyMap;

/// What the moves of games cost.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    plies: u64,
    bits: f64,
    /// Moves that no other was likelier than.
    hits: u64,
}

impl Tally {
    fn and(self, other: Tally) -> Tally {
        Tally {
            plies: self.plies + other.plies,
            bits: self.bits + other.bits,
            hits: self.hits + other.hits,
        }
    }
}

/// A row for the network at `path`, and one for each of the models.
///
/// # Errors
/// [`Error::Model`](plyzip::Error::Model) if a network cannot be used.
pub fn measure<'a>(
    path: &Path,
    models: impl Iterator<Item = &'a Model>,
    bytes: &[u8],
) -> Result<Vec<Row>> {
    let document = pgn::parse(bytes);
    let games: Vec<(GameHeader, Vec<Move>)> = document
        .games()
        .filter_map(|game| Some((GameHeader::from_tags(game)?, game.lines.first()?.moves.clone())))
        .collect();
    let (network, map) = (PolicyNetwork::open(path)?, PolicyMap::new());
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut rows =
        vec![row(format!("policy-{name}"), "a policy network, moves alone", &games, |game| {
            of_network(&network, &map, game)
        })?];
    for model in models {
        let id = format!("policy-plyzip-{}", model.name());
        rows.push(row(id, "plyzip's model, moves alone, each game by itself", &games, |game| {
            of_model(model, game)
        })?);
    }
    Ok(rows)
}

/// The row of what tells the price of a game's moves.
fn row(
    id: String,
    name: &str,
    games: &[(GameHeader, Vec<Move>)],
    of_game: impl Fn(&(GameHeader, Vec<Move>)) -> Result<Tally> + Send + Sync,
) -> Result<Row> {
    let started = Instant::now();
    // One after the other in the order of games, so that the sum is the same whoever computed them.
    let tallies: Vec<Tally> = games.par_iter().map(of_game).collect::<Result<_>>()?;
    let sum = tallies.into_iter().fold(Tally::default(), Tally::and);
    let plies = sum.plies as f64;
    Ok(Row {
        id,
        name: name.into(),
        size: Some(Size::Move { bits_per_move: sum.bits / plies }),
        hits: Some(sum.hits as f64 / plies),
        encode_plies_per_s: Some(plies / started.elapsed().as_secs_f64()),
        games: games.len() as u64,
        ..Row::default()
    })
}

fn of_model(model: &Model, (header, moves): &(GameHeader, Vec<Move>)) -> Result<Tally> {
    let costs = model.costs(header, moves)?;
    Ok(Tally {
        plies: costs.plies.len() as u64,
        bits: costs.move_bits(),
        hits: costs.plies.iter().filter(|ply| ply.rank == 0).count() as u64,
    })
}

fn of_network(
    network: &PolicyNetwork,
    map: &PolicyMap,
    (header, moves): &(GameHeader, Vec<Move>),
) -> Result<Tally> {
    let mut game = SeenGame::new(header.start.clone());
    let mut tally = Tally::default();
    for moves in moves.chunks(BATCH) {
        let mut planes = Array4::zeros([BATCH, PLANES, 8, 8]);
        // The places of the legal moves, and which of them was played.
        let mut questions = vec![];
        for (mut planes, &played) in planes.outer_iter_mut().zip(moves) {
            if let Some(planes) = planes.as_slice_mut() {
                game.write_planes(planes);
            }
            let (turn, legal) = (game.position().turn(), game.position().legal_moves());
            let places = legal.iter().filter_map(|&legal| map.place(turn, legal));
            questions.push((places.collect::<Vec<_>>(), map.place(turn, played)));
            game.play(played);
        }
        let answered = network.logits(planes, |logits| {
            // The last batch of a game may have rows to spare.
            logits.outer_iter().zip(&questions).fold(
                Tally::default(),
                |tally, (row, (legal, played))| {
                    let played = played.map_or(f64::NEG_INFINITY, |place| row[place].into());
                    let logits = legal.iter().map(|&place| f64::from(row[place]));
                    tally.and(price(logits, played))
                },
            )
        })?;
        tally = tally.and(answered);
    }
    Ok(tally)
}

/// What a move costs: the softmax of the legal moves' logits is how likely they are.
fn price(logits: impl Iterator<Item = f64> + Clone, played: f64) -> Tally {
    let largest = logits.clone().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = logits.map(|logit| (logit - largest).exp()).sum();
    let bits = sum.log2() - (played - largest) * std::f64::consts::LOG2_E;
    Tally { plies: 1, bits, hits: (played >= largest).into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_surprisals() {
        let equal = price([3.0; 4].into_iter(), 3.0);
        assert_eq!((equal.bits, equal.hits), (2.0, 1));
        let twice = price([0.0, f64::ln(2.0)].into_iter(), 0.0);
        assert!((twice.bits - f64::log2(3.0)).abs() < 1e-12 && twice.hits == 0);
    }
}
