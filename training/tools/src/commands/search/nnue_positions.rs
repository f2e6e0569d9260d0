//! `nnue-positions`: what the search's network learns from.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use plyzip::unstable::chess::legal_moves;
use shakmaty::{Chess, Position};

use crate::commands::nnue::searcher::searcher;
use crate::commands::random::Xorshift;
use crate::packed;
use plyzip::unstable::engine::nnue;

/// Value quiet positions of games by searches, for `training/nnue.py`
///
/// Every other position comes after one to three random moves. May be stopped at any time: what was written by then
/// serves as well.
#[derive(Args)]
#[command(after_help = "\
OUT has for each position: 32 features (u16: a piece on a square as the side to move
sees it, see codec/src/engine/nnue; 768 for none), what the search finds it is worth to
the side to move (i16, centipawns), the game's result for the side to move times two
(u8; 3 after random moves), number of pieces (u8).")]
pub struct Arguments {
    /// The NNUE network to search with: numbers (i16) as training/nnue.py writes them
    nnue: PathBuf,
    /// Games that `pack` packed
    packed: PathBuf,
    /// Of the choice of positions and random moves
    seed: u64,
    /// Positions to value, at least
    count: u64,
    /// Positions that each search visits at most
    nodes: u64,
    /// The positions with their values
    out: PathBuf,
}

/// Plies before which positions are not taken, and of how many after them one is.
const FIRST_PLY: usize = 6;
const TAKEN: u64 = 6;

/// In place of a result, after random moves.
const NO_RESULT: u8 = 3;

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut searcher = searcher(&arguments.nnue)?;
    let mut random = Xorshift::new(arguments.seed);
    let bytes = packed::read(&arguments.packed)?;
    let games = packed::games(&bytes)?;
    anyhow::ensure!(games.iter().any(|game| game.half_points().is_some()), "no game has a result");
    let mut out = BufWriter::new(File::create(&arguments.out)?);
    let mut made = 0;
    while made < arguments.count {
        let game = &games[random.below(games.len() as u64) as usize];
        let Some(result) = game.half_points() else { continue };
        let mut position = Chess::default();
        for (ply, &place) in game.moves.iter().enumerate() {
            if ply >= FIRST_PLY && random.below(TAKEN) == 0 {
                let (sample, label) = sample(&position, result, &mut random);
                if let Some(value) = searcher.value(&sample, arguments.nodes)
                    && !sample.legal_moves().is_empty()
                {
                    write(&mut out, &sample, value, label)?;
                    made += 1;
                }
            }
            position.play_unchecked(legal_moves(&position)[usize::from(place)]);
        }
    }
    Ok(out.flush()?)
}

/// The position, or every other time one a few random moves later, and the result for the side to move.
fn sample(position: &Chess, result: u8, random: &mut Xorshift) -> (Chess, u8) {
    let mut sample = position.clone();
    if random.below(2) != 0 {
        return (sample, if position.turn().is_white() { result } else { 2 - result });
    }
    for _ in 0..1 + random.below(3) {
        let legal = sample.legal_moves();
        if legal.is_empty() {
            break;
        }
        let place = random.below(legal.len() as u64) as usize;
        sample.play_unchecked(legal[place]);
    }
    (sample, NO_RESULT)
}

fn write(out: &mut impl Write, sample: &Chess, value: i32, label: u8) -> anyhow::Result<()> {
    let turn = sample.turn();
    let flip = if turn.is_white() { 0 } else { 56 };
    let mut features = [nnue::FEATURES as u16; 32];
    let board = sample.board();
    for (feature, (square, piece)) in features.iter_mut().zip(board.iter()) {
        let side = if piece.color == turn { 0 } else { nnue::FEATURES as u16 / 2 };
        let role = piece.role as u16 - 1;
        *feature = side + role * 64 + (u16::from(square) ^ flip);
    }
    out.write_all(&features.map(u16::to_le_bytes).concat())?;
    out.write_all(&(value as i16).to_le_bytes())?;
    out.write_all(&[label, board.occupied().count() as u8])?;
    Ok(())
}
