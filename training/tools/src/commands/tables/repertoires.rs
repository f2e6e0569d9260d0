//! `repertoires`: what players played lately, which is shipped with a network.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use plyzip::Player;
use plyzip::unstable::chess::{legal_moves, position_key};
use plyzip::unstable::predict::book::{Book, Position, write_book};
use shakmaty::{Chess, Position as _};

use super::popularity::{self, Seen};
use crate::commands::pgn_games::PgnGames;

/// Count what each player played lately to repertoires, for `training/equip.py --repertoires`
///
/// The last game counts 1, and others half as much for each HALF_LIFE games after them, but never less than 1/16.
#[derive(Args)]
#[command(after_help = "\
OUT is a book in the format of codec/src/predict/book; its keys are those of positions,
exclusive-ored with the player's.")]
pub struct Arguments {
    /// Games in PGN, in order of date
    games: PathBuf,
    /// The repertoires
    out: PathBuf,
    /// Games that are counted: the last ones
    #[arg(long, default_value_t = 100_000)]
    count: usize,
    /// Plies of a game that are counted
    #[arg(long, default_value_t = 20)]
    plies: usize,
    /// Games that a player must have among them
    #[arg(long, default_value_t = 3)]
    minimum: usize,
    /// Games after which a game counts half as much
    #[arg(long, default_value_t = 30_000)]
    half_life: u32,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let games = PgnGames::read(&arguments.games)?;
    let count = games.count().min(arguments.count);
    let mut players = players(&games, count, arguments.plies)?;
    players.retain(|_, (games, _)| *games >= arguments.minimum);
    let known = players.len();
    let mut seen: Vec<Seen> = players.into_values().flat_map(|(_, seen)| seen).collect();
    seen.sort_unstable();
    let weight = |game| popularity::weight(game, count as u32, arguments.half_life);
    let positions = seen.chunk_by(|a, b| a.0 == b.0);
    let positions: Vec<Position> =
        positions.map(|group| popularity::position(group, weight)).collect();
    let kept = positions.len();
    let book = write_book(positions);
    eprintln!("{count} games, {known} players, {kept} positions, {} bytes", book.len());
    fs::write(&arguments.out, &book)?;
    Book::from_bytes(book)?;
    Ok(())
}

/// By key of each player the number of games among the last `count`, and the moves played in their first `plies`.
fn players(
    games: &PgnGames,
    count: usize,
    plies: usize,
) -> anyhow::Result<HashMap<u64, (usize, Vec<Seen>)>> {
    let mut players: HashMap<u64, (usize, Vec<Seen>)> = HashMap::new();
    for (number, game) in (0..).zip(games.range(games.count() - count, count)) {
        let (Some(line), Some(mut position)) = (game.lines.first(), game.start()) else { continue };
        if position != Chess::default() {
            continue;
        }
        let keys = ["White", "Black"]
            .map(|side| Player::named(game.tag(side).unwrap_or_default()).repertoire());
        for key in keys.into_iter().flatten() {
            players.entry(key).or_default().0 += 1;
        }
        for (ply, &played) in line.moves.iter().take(plies).enumerate() {
            let legal = legal_moves(&position);
            let place = legal.iter().position(|&legal| legal == played);
            let place = place.context("an illegal move")? as u8;
            if let Some(key) = keys[ply % 2]
                && legal.len() > 1
            {
                let seen = (position_key(&position) ^ key, number, place);
                players.entry(key).or_default().1.push(seen);
            }
            position.play_unchecked(played);
        }
    }
    Ok(players)
}
