//! `evaluation-terms`: quiet positions for `training/evaluation.py`, which fits the weights of their terms.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use plyzip::unstable::chess::{History, legal_moves};
use plyzip::unstable::features::{Tactics, phase, terms};
use shakmaty::{Chess, Position};

use crate::packed;

/// Write the terms of quiet positions, for `training/evaluation.py`
///
/// Quiet is a position after the 16th ply without a check in which no exchange wins anything, for either side. Games
/// without a result are left out.
#[derive(Args)]
#[command(after_help = "\
OUT has for each position: twice what White scored in the game (u8), the phase (u8,
24 to 0), the number of terms (u8), the terms (i16: number plus one, negative for
Black).")]
pub struct Arguments {
    /// Games that `pack` packed
    packed: PathBuf,
    /// Every EVERY-th position is taken, if it is quiet
    every: usize,
    /// The terms
    out: PathBuf,
}

/// Plies before which positions are not taken.
const FIRST_PLY: usize = 16;

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let bytes = packed::read(&arguments.packed)?;
    let mut out = BufWriter::new(File::create(&arguments.out)?);
    let every = arguments.every.max(1);
    let mut count = 0;
    for game in packed::games(&bytes)? {
        let Some(result) = game.half_points() else { continue };
        let mut history = History::new(Chess::default());
        for (ply, &place) in game.moves.iter().enumerate() {
            let legal = legal_moves(history.position());
            count += 1;
            if ply >= FIRST_PLY && count % every == 0 && !history.position().is_check() {
                let tactics = Tactics::new(&history, &legal);
                if tactics.best <= 0 && tactics.fears == 0 {
                    write(&mut out, history.position(), result)?;
                }
            }
            history.play(legal[usize::from(place)]);
        }
    }
    Ok(out.flush()?)
}

fn write(out: &mut impl Write, position: &Chess, result: u8) -> anyhow::Result<()> {
    let board = position.board();
    let mut found: Vec<i16> = vec![];
    terms(board, position.turn(), |index, color| {
        let term = index as i16 + 1;
        found.push(if color.is_white() { term } else { -term });
    });
    out.write_all(&[result, phase(board) as u8, found.len() as u8])?;
    for term in found {
        out.write_all(&term.to_le_bytes())?;
    }
    Ok(())
}
