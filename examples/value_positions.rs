//! Makes the positions from which `training/values.py` trains the network of the search.
//!
//! `value_positions VALUES PACKED SEED COUNT NODES OUT` takes COUNT quiet positions of the games that
//! `training_data pack` has packed, every other one after one to three random moves. For each: up
//! to 32 features (u16: see `src/engine/nnue/mod.rs`; 768 for none), what a search of NODES nodes finds it is worth to
//! the side to move (i16), its result for the side to move times two (u8; 3 after random moves), and how many
//! pieces there are (u8). The search is that of `max` over the network VALUES.

mod packed;

use std::io::{BufWriter, Write};
use std::sync::Arc;

use plyzip::unstable::chess::legal_moves;
use plyzip::unstable::engine::{Nnue, Searcher};
use shakmaty::{Chess, Position};

/// A xorshift generator.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) % bound
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [values, packed, seed, count, nodes, out] = &arguments[..] else {
        return Err("usage: value_positions VALUES PACKED SEED COUNT NODES OUT".into());
    };
    let numbers: Vec<i16> = std::fs::read(values)?
        .chunks_exact(2)
        .map(|number| i16::from_le_bytes([number[0], number[1]]))
        .collect();
    let values = Arc::new(Nnue::new(&numbers).ok_or("not a network of values")?);
    let (count, nodes): (u64, u64) = (count.parse()?, nodes.parse()?);
    let mut random = Random(seed.parse::<u64>()? * 2 + 1);
    for _ in 0..20 {
        random.below(2);
    }
    let bytes = std::fs::read(packed)?;
    let games = packed::games(&bytes);
    let mut out = BufWriter::new(std::fs::File::create(out)?);
    let mut searcher = Searcher::new(values);
    let mut made = 0;
    while made < count {
        let game = &games[random.below(games.len() as u64) as usize];
        let Some(result) = game.half_points() else { continue };
        let mut position = Chess::default();
        for (ply, &place) in game.moves.iter().enumerate() {
            if ply >= 6 && random.below(6) == 0 {
                let mut sample = position.clone();
                let mut label = if position.turn().is_white() { result } else { 2 - result };
                if random.below(2) == 0 {
                    label = 3;
                    for _ in 0..1 + random.below(3) {
                        let legal = sample.legal_moves();
                        if legal.is_empty() {
                            break;
                        }
                        let place = random.below(legal.len() as u64) as usize;
                        sample.play_unchecked(legal[place]);
                    }
                }
                if let Some(value) = searcher.value(&sample, nodes)
                    && !sample.legal_moves().is_empty()
                {
                    let turn = sample.turn();
                    let flip = if turn.is_white() { 0 } else { 56 };
                    let mut features = [768u16; 32];
                    let board = sample.board();
                    for (feature, (square, piece)) in features.iter_mut().zip(board.iter()) {
                        let side = if piece.color == turn { 0 } else { 384 };
                        let role = piece.role as u16 - 1;
                        *feature = side + role * 64 + (u16::from(square) ^ flip);
                    }
                    for feature in features {
                        out.write_all(&feature.to_le_bytes())?;
                    }
                    out.write_all(&(value as i16).to_le_bytes())?;
                    out.write_all(&[label, board.occupied().count() as u8])?;
                    made += 1;
                }
            }
            position.play_unchecked(legal_moves(&position)[usize::from(place)]);
        }
    }
    out.flush()?;
    Ok(())
}
