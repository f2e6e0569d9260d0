//! The openings that positions belong to, by the games' tags.

use std::collections::{BTreeMap, HashMap};

use plyzip::pgn::Game;
use plyzip::unstable::chess::position_key;
use plyzip::unstable::streams::tags::{column, path};
use plyzip::unstable::streams::warm::Positions;
use shakmaty::san::San;
use shakmaty::{Chess, Position};

/// The openings of Lichess: code, name and moves, typed in.
const LICHESS: &str = include_str!("openings.txt");

/// Counts of the values of positions, by column.
#[derive(Debug, Default)]
pub struct Openings {
    seen: HashMap<&'static str, HashMap<u64, HashMap<Vec<u8>, u32>>>,
    /// A position that came before.
    before: HashMap<u64, u64>,
}

/// Deeper in a game, openings are no more named.
const PLIES: usize = 26;
/// A position counts if so many games had it, by column.
const COLUMNS: [(&str, u32); 3] = [("ECO", 32), ("Opening", 2), ("Variation", 1)];

impl Openings {
    /// Takes note of a game's openings.
    pub fn count(&mut self, game: &Game) {
        let path = path(game);
        for pair in path.windows(2) {
            self.before.entry(pair[1]).or_insert(pair[0]);
        }
        for (name, _) in COLUMNS {
            let Some(value) = game.tag(name).filter(|value| !value.is_empty()) else { continue };
            let column = self.seen.entry(name).or_default();
            for &position in path.iter().take(PLIES) {
                let counts = column.entry(position).or_default();
                *counts.entry(value.to_vec()).or_default() += 1;
            }
        }
    }

    /// The positions that are named, and the names.
    pub fn named(&self) -> BTreeMap<(u32, u64), (Vec<u8>, u8)> {
        let mut named = BTreeMap::new();
        for (name, least) in COLUMNS {
            let Some(positions) = self.seen.get(name) else { continue };
            let column = column(name.as_bytes(), false);
            for (&position, counts) in positions {
                let games: u32 = counts.values().sum();
                let best = counts.iter().max_by_key(|&(value, &count)| (count, value));
                let Some((value, &count)) = best.filter(|_| games >= least) else { continue };
                let share = u64::from(count) * 100 / u64::from(games);
                let certainty = match share {
                    99.. if games < 3 => 6,
                    99.. => 15 - u8::from(games < 20) * 3,
                    96.. => 11,
                    90.. => 8,
                    75.. => 5,
                    50.. => 3,
                    25.. => 2,
                    _ => 1,
                };
                named.insert((column, position), (value.clone(), certainty));
            }
        }
        for (code, opening, position) in lichess() {
            for (name, value) in [("ECO", code), ("Opening", opening)] {
                let column = column(name.as_bytes(), true);
                named.insert((column, position), (value.into(), 8));
            }
        }
        named
    }

    /// The section of the tables: positions whose name does not follow from what came before.
    pub fn section(&self) -> Vec<u8> {
        let all = self.named();
        let mut named = all.clone();
        named.retain(|&(column, position), (name, certainty)| {
            let before = self.before.get(&position).and_then(|&before| all.get(&(column, before)));
            let follows =
                before.is_some_and(|(other, sure)| other == name && *certainty <= sure + 2);
            *certainty > 1 && !follows
        });
        Positions::write(&named)
    }
}

/// The openings of Lichess: code, name, [`position_key`].
pub fn lichess() -> impl Iterator<Item = (&'static str, &'static str, u64)> {
    LICHESS.lines().filter_map(|line| {
        let mut parts = line.split('|');
        let (code, name, moves) = (parts.next()?, parts.next()?, parts.next()?);
        let mut position = Chess::default();
        for san in moves.split(' ') {
            let san: San = san.parse().unwrap_or_else(|_| panic!("{line}: {san}"));
            let played = san.to_move(&position).unwrap_or_else(|_| panic!("{line}: {san}"));
            position.play_unchecked(played);
        }
        Some((code, name, position_key(&position)))
    })
}
