//! `position-or-game`: which is shorter, a position or the game that leads to it?

use std::path::PathBuf;
use std::slice;

use clap::Args;
use plyzip::Model;
use plyzip_history::position::{LeadingGame, Parikh, PositionCode, Scharnagl};
use shakmaty::{Chess, Move, Position};

use crate::commands::pgn_games::PgnGames;

/// Compare codes of positions with codes of the games that lead to them
///
/// Prints mean bits by ply for Scharnagl's and Parikh's codes (S1, P1) and for the game up to there, predicted without
/// and with the network (RP none, RP standard).
#[derive(Args)]
pub struct Arguments {
    /// Games in PGN
    games: PathBuf,
    /// Games that are read: the first ones that start from the usual position
    #[arg(long, default_value_t = 1000)]
    count: usize,
    /// Games that are coded with the network too, which is slow; a second table compares all codes on them
    #[arg(long, default_value_t = 300)]
    sampled: usize,
}

/// After how many plies positions are taken.
const PLIES: [usize; 26] = [
    2, 4, 6, 8, 10, 12, 16, 20, 24, 26, 28, 32, 36, 40, 44, 48, 50, 52, 54, 56, 64, 72, 80, 100,
    120, 160,
];

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let games: Vec<Vec<Move>> = PgnGames::read(&arguments.games)?
        .range(0, usize::MAX)
        .filter(|game| game.start() == Some(Chess::default()))
        .filter_map(|game| game.lines.into_iter().next())
        .map(|line| line.moves)
        .take(arguments.count)
        .collect();
    let sample = &games[..arguments.sampled.min(games.len())];

    println!("{} games", games.len());
    let none = ("RP none", LeadingGame::new(Model::none()));
    let standard = ("RP standard", LeadingGame::new(Model::embedded()?));
    table(&games, slice::from_ref(&none))?;
    println!("\nthe first {} of them", sample.len());
    table(sample, &[none, standard])
}

/// Prints mean bits by ply: of the positions' codes, then of the games'; and in how many of a hundred
/// positions the game by the last code is shorter than Scharnagl's.
fn table(games: &[Vec<Move>], codes: &[(&str, LeadingGame)]) -> anyhow::Result<()> {
    print!("| ply | games | S1 | P1 |");
    codes.iter().for_each(|(name, _)| print!(" {name} |"));
    println!(" game shorter than S1 |");
    println!("|{}", " --: |".repeat(5 + codes.len()));
    for ply in PLIES {
        let games: Vec<&[Move]> = games.iter().filter_map(|game| game.get(..ply)).collect();
        let mut totals = vec![0; 2 + codes.len()];
        let mut shorter = 0;
        for game in &games {
            let mut position = Chess::default();
            game.iter().for_each(|&played| position.play_unchecked(played));
            let mut bits =
                vec![Scharnagl.encode(&position)?.len(), Parikh.encode(&position)?.len()];
            for (_, code) in codes {
                bits.push(code.encode(game)?.len());
            }
            shorter += usize::from(bits[bits.len() - 1] < bits[0]);
            totals.iter_mut().zip(bits).for_each(|(total, bits)| *total += bits);
        }
        print!("| {ply} | {} |", games.len());
        for total in totals {
            print!(" {:.1} |", total as f64 / games.len().max(1) as f64);
        }
        println!(" {:.0}% |", 100.0 * shorter as f64 / games.len().max(1) as f64);
    }
    Ok(())
}
