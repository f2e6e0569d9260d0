//! Which is shorter: a position, or the game that leads to it?
//!
//! `position_or_game GAMES.pgn [GAMES [SAMPLED]]` reads the first GAMES games (1000) that start
//! from the initial position and prints mean bits by ply for Scharnagl's and Parikh's codes and
//! for the game up to there, predicted with and without the network. The network
//! is slow, so only the first SAMPLED games (300) are coded with it, and in a second table
//! all codes are compared on those alone.

use std::{io, slice};

use plyzip::pgn::{self, Item};
use plyzip::position::{LeadingGame, Parikh, PositionCode, Scharnagl};
use plyzip::{Error, Model};
use shakmaty::{Chess, Move, Position};

/// After how many plies positions are taken.
const PLIES: [usize; 26] = [
    2, 4, 6, 8, 10, 12, 16, 20, 24, 26, 28, 32, 36, 40, 44, 48, 50, 52, 54, 56, 64, 72, 80, 100,
    120, 160,
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize, default: usize| {
        arguments.get(place).map_or(Ok(default), |text| text.parse::<usize>())
    };
    let path = arguments.first().ok_or_else(|| {
        Error::Usage("usage: position_or_game GAMES.pgn [GAMES [SAMPLED]]".into())
    })?;
    let games = games(&std::fs::read(path)?, number(1, 1000)?)?;
    let sample = &games[..number(2, 300)?.min(games.len())];

    println!("{} games", games.len());
    let none = ("RP none", LeadingGame::new(Model::none()));
    let standard = ("RP standard", LeadingGame::new(Model::embedded()?));
    table(&games, slice::from_ref(&none))?;
    println!("\nthe first {} of them", sample.len());
    table(sample, &[none, standard])?;
    Ok(())
}

/// The moves of the first games, as many as wanted.
fn games(input: &[u8], wanted: usize) -> io::Result<Vec<Vec<Move>>> {
    let starts: Vec<usize> = pgn::game_starts(input).chain([input.len()]).collect();
    let mut games = vec![];
    for range in starts.windows(2) {
        for item in pgn::parse(&input[range[0]..range[1]]).items {
            let Item::Game(game) = item else { continue };
            if games.len() == wanted {
                return Ok(games);
            }
            if let (Some(line), Some(start)) = (game.lines.first(), game.start())
                && start == Chess::default()
            {
                games.push(line.moves.clone());
            }
        }
    }
    Ok(games)
}

/// Prints mean bits by ply: of the positions' codes, then of the games'; and in how many of a hundred
/// positions the game by the last code is shorter than Scharnagl's.
fn table(
    games: &[Vec<Move>],
    codes: &[(&str, LeadingGame)],
) -> Result<(), Box<dyn std::error::Error>> {
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
