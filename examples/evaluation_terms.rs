//! Writes the terms of quiet positions for `training/evaluation.py`, which fits their weights.
//!
//! `evaluation_terms PACKED EVERY OUT` takes every EVERY-th quiet position of the games that
//! `training_data pack` has packed. For each: the result for White times two (u8), the phase (u8),
//! the number of terms (u8), the terms (i16: number plus one, negative for Black).

mod packed;

use std::io::{BufWriter, Write};

use plyzip::unstable::chess::{History, legal_moves};
use plyzip::unstable::features::{Tactics, phase, terms};
use shakmaty::{Chess, Position};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [packed, every, out] = &arguments[..] else {
        return Err("usage: evaluation_terms PACKED EVERY OUT".into());
    };
    let every: usize = every.parse()?;
    let bytes = std::fs::read(packed)?;
    let mut out = BufWriter::new(std::fs::File::create(out)?);
    let mut count = 0;
    for game in packed::games(&bytes) {
        let Some(result) = game.half_points() else { continue };
        let mut history = History::new(Chess::default());
        for (ply, &place) in game.moves.iter().enumerate() {
            let legal = legal_moves(history.position());
            count += 1;
            if ply >= 16 && count % every == 0 && !history.position().is_check() {
                let tactics = Tactics::new(&history, &legal);
                if tactics.best <= 0 && tactics.fears == 0 {
                    let board = history.position().board();
                    let mut found: Vec<i16> = vec![];
                    terms(board, history.position().turn(), |index, color| {
                        let term = index as i16 + 1;
                        found.push(if color.is_white() { term } else { -term });
                    });
                    out.write_all(&[result, phase(board) as u8, found.len() as u8])?;
                    for term in found {
                        out.write_all(&term.to_le_bytes())?;
                    }
                }
            }
            history.play(legal[usize::from(place)]);
        }
    }
    out.flush()?;
    Ok(())
}
