//! Makes the repertoires that are shipped with a network: what players played lately.
//!
//! `repertoires GAMES.pgn OUT [GAMES PLIES SIDES HALF]` counts what is played in the first PLIES plies (20) of the last GAMES games
//! (100,000) of GAMES.pgn, which are in order of date, by players who have SIDES games or more (3) among them. A game counts 1 if it is the
//! last and half as much for each HALF games (30,000) after it. `training/equip.py --repertoires OUT` puts the result into a model.

use std::collections::HashMap;

use plyzip::Player;
use plyzip::pgn::{self, Item};
use plyzip::unstable::chess::{legal_moves, position_key};
use plyzip::unstable::entropy::fixed;
use plyzip::unstable::predict::book::{Book, Position, write_book};
use shakmaty::{Chess, Position as _};

/// A move in a game: the key of position and player, the game, and the move's place in the canonical order.
type Seen = (u64, usize, u8);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (games, out, numbers) = match &arguments[..] {
        [games, out, numbers @ ..] if numbers.len() <= 4 => (games, out, numbers),
        _ => return Err("usage: repertoires GAMES.pgn OUT [GAMES PLIES SIDES HALF]".into()),
    };
    let number =
        |index: usize, default: usize| numbers.get(index).map_or(Ok(default), |n| n.parse());
    let (count, plies) = (number(0, 100_000)?, number(1, 20)?);
    let (sides, half) = (number(2, 3)?, number(3, 30_000)?.max(1));

    let input = std::fs::read(games)?;
    let starts: Vec<usize> = pgn::game_starts(&input).collect();
    let first = starts.len().saturating_sub(count);
    let last = starts.len() - first;
    // Of each player the number of games, and the moves played.
    let mut players: HashMap<u64, (usize, Vec<Seen>)> = HashMap::new();
    let items = pgn::parse(&input[starts.get(first).copied().unwrap_or(0)..]).items;
    for (number, item) in items.into_iter().enumerate() {
        let Item::Game(game) = item else { continue };
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
            let place = legal.iter().position(|&legal| legal == played).ok_or("an illegal move")?;
            if let Some(player) =
                keys[ply % 2].and_then(|key| players.get_mut(&key).map(|p| (key, p)))
                && legal.len() > 1
            {
                let (key, (_, seen)) = player;
                seen.push((position_key(&position) ^ key, number, place as u8));
            }
            position.play_unchecked(played);
        }
    }
    // in sixteenths of a game
    let weight = |game: usize| {
        let age = last.saturating_sub(1 + game) as u64 * fixed::ONE as u64 / half as u64;
        ((fixed::exp2(u32::try_from(age).unwrap_or(u32::MAX)) + (1 << 26)) >> 27).max(1)
    };
    players.retain(|_, (games, _)| *games >= sides);
    let known = players.len();
    let mut seen: Vec<Seen> = players.into_values().flat_map(|(_, s)| s).collect();
    seen.sort_unstable();
    let positions = seen.chunk_by(|a, b| a.0 == b.0).map(|group| {
        let mut counts = [0; 256];
        for &(_, game, place) in group {
            counts[usize::from(place)] += weight(game);
        }
        let mut moves: Vec<(u8, u32)> =
            (0..=u8::MAX).zip(counts).filter(|&(_, count)| count > 0).collect();
        moves.sort_by_key(|&(place, count)| (std::cmp::Reverse(count), place));
        Position { key: group[0].0, moves, rest: 0 }
    });
    let positions: Vec<Position> = positions.collect();
    let count = positions.len();
    let book = write_book(positions);
    eprintln!("{last} games, {known} players, {count} positions, {} bytes", book.len());
    std::fs::write(out, &book)?;
    Book::from_bytes(book)?;
    Ok(())
}
