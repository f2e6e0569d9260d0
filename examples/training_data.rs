//! Turns games into training data for `training/train.py`.
//!
//! `pack GAMES.pgn OUT` keeps what training needs, one byte a ply: the
//! move's index in the canonical order. Games that start from another
//! position, and moves from where a game stops making sense, are left out.
//!
//! `batches PACKED SEED BATCH FIRST` writes an endless sequence of batches to standard
//! output, little-endian, beginning with batch number FIRST, so that
//! training can go on where it stopped. Every pass over the games is in another order.

use std::io::{self, BufWriter, Read, Write};

use plyzip::pgn::Outcome;
use plyzip::predict::features::{
    BoardIndices, GameContext, MoveIndices, board_features, move_features,
};
use plyzip::predict::{History, legal_moves};
use shakmaty::san::San;
use shakmaty::{Chess, Position};

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["pack", games, out] => pack(games, out),
        ["batches", packed, seed, batch, first] => {
            let number = |text: &str| text.parse::<u64>().map_err(io::Error::other);
            batches(packed, number(seed)?, number(batch)? as usize, number(first)?)
        }
        _ => {
            eprintln!("usage: training_data pack GAMES.pgn OUT | batches PACKED SEED BATCH FIRST");
            std::process::exit(2)
        }
    }
}

fn pack(games: &str, out: &str) -> io::Result<()> {
    let input = std::fs::read(games)?;
    let mut out = BufWriter::new(std::fs::File::create(out)?);
    let mut context = GameContext::default();
    let mut moves: Vec<u8> = vec![];
    let mut position = Chess::default();
    let mut dead = false;
    let mut count = (0, 0);
    let flush = |context: &mut GameContext,
                 moves: &mut Vec<u8>,
                 position: &mut Chess,
                 dead: &mut bool,
                 out: &mut BufWriter<std::fs::File>,
                 count: &mut (usize, usize)|
     -> io::Result<()> {
        if !moves.is_empty() {
            let result = match context.result {
                None | Some(Outcome::Unknown) => 0u8,
                Some(Outcome::White) => 1,
                Some(Outcome::Black) => 2,
                Some(Outcome::Draw) => 3,
            };
            out.write_all(&context.elo[0].to_le_bytes())?;
            out.write_all(&context.elo[1].to_le_bytes())?;
            out.write_all(&[result, u8::from(*dead)])?;
            out.write_all(&(moves.len() as u16).to_le_bytes())?;
            out.write_all(moves)?;
            count.0 += 1;
            count.1 += moves.len();
        }
        moves.clear();
        *position = Chess::default();
        *context = GameContext::default();
        *dead = false;
        Ok(())
    };
    let mut skip = false;
    for line in input.split(|b| *b == b'\n') {
        if line.starts_with(b"[") {
            let line = String::from_utf8_lossy(line);
            if line.starts_with("[Event ") {
                flush(&mut context, &mut moves, &mut position, &mut dead, &mut out, &mut count)?;
                skip = false;
            }
            let value = line.split('"').nth(1).unwrap_or("");
            if line.starts_with("[WhiteElo ") {
                context.elo[0] = value.parse().unwrap_or(0);
            }
            if line.starts_with("[BlackElo ") {
                context.elo[1] = value.parse().unwrap_or(0);
            }
            if line.starts_with("[Result ") {
                context.result = Outcome::from_bytes(value.as_bytes());
            }
            if line.starts_with("[FEN ") {
                skip = true;
            }
        } else {
            if skip {
                continue;
            }
            for token in line.split(|b| *b == b' ') {
                let token = if token.first().is_some_and(u8::is_ascii_digit) {
                    match token.iter().position(|b| *b == b'.') {
                        Some(p) => &token[p + 1..],
                        None => continue,
                    }
                } else {
                    token
                };
                if token.is_empty() || token == b"*" || dead {
                    continue;
                }
                let Some(played) = San::from_ascii(
                    token.strip_suffix(b"+").or(token.strip_suffix(b"#")).unwrap_or(token),
                )
                .ok()
                .and_then(|s| s.to_move(&position).ok()) else {
                    dead = true;
                    continue;
                };
                let legal = legal_moves(&position);
                moves.push(legal.iter().position(|m| *m == played).unwrap() as u8);
                position.play_unchecked(played);
            }
        }
    }
    flush(&mut context, &mut moves, &mut position, &mut dead, &mut out, &mut count)?;
    eprintln!("{} games, {} plies", count.0, count.1);
    Ok(())
}

struct Packed {
    context: GameContext,
    cut: bool,
    moves: std::ops::Range<usize>,
}

/// One position with everything that training looks at.
struct Sample {
    board: BoardIndices,
    ply: u16,
    target: u16,
    moves: Vec<MoveIndices>,
}

/// No move was played: the game ended here.
const END: u16 = u16::MAX;

fn samples(game: &Packed, bytes: &[u8], out: &mut Vec<Sample>) {
    let mut history = History::new(Chess::default());
    let moves = &bytes[game.moves.clone()];
    for ply in 0..=moves.len() {
        let legal = legal_moves(history.position());
        if legal.is_empty() || (ply == moves.len() && game.cut) {
            break;
        }
        let mut sample = Sample {
            board: board_features(&history, &game.context),
            ply: ply as u16,
            target: moves.get(ply).map_or(END, |&m| m.into()),
            moves: vec![],
        };
        move_features(&history, &legal, &mut sample.moves);
        out.push(sample);
        if let Some(&played) = moves.get(ply) {
            history.play(legal[usize::from(played)])
        }
    }
}

/// SplitMix64.
struct Random(u64);
impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    fn shuffle<T>(&mut self, items: &mut [T]) {
        for index in (1..items.len()).rev() {
            items.swap(index, (self.next() % (index as u64 + 1)) as usize)
        }
    }
}

/// Games whose positions are mixed with each other.
const POOL: usize = 3000;

fn batches(packed: &str, seed: u64, batch: usize, first: u64) -> io::Result<()> {
    let mut bytes = vec![];
    std::fs::File::open(packed)?.read_to_end(&mut bytes)?;
    let mut games = vec![];
    let mut at = 0;
    while at < bytes.len() {
        let u16_at = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let result = [None, Some(Outcome::White), Some(Outcome::Black), Some(Outcome::Draw)]
            [usize::from(bytes[at + 4])];
        let length = usize::from(u16_at(at + 6));
        games.push(Packed {
            context: GameContext { elo: [u16_at(at), u16_at(at + 2)], result },
            cut: bytes[at + 5] != 0,
            moves: at + 8..at + 8 + length,
        });
        at += 8 + length;
    }
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    let mut number = 0;
    let mut pool: Vec<Sample> = vec![];
    for pass in 0.. {
        let mut random = Random(seed.wrapping_mul(1_000_003).wrapping_add(pass));
        random.shuffle(&mut games);
        for group in games.chunks(POOL) {
            // Skipped batches cost nothing but counting.
            let positions: usize = group.iter().map(|g| g.moves.len() + 1).sum();
            if number + ((positions / batch) as u64) < first {
                number += (positions / batch) as u64;
                continue;
            }
            for game in group {
                samples(game, &bytes, &mut pool)
            }
            random.shuffle(&mut pool);
            while pool.len() >= batch {
                let chosen = pool.split_off(pool.len() - batch);
                number += 1;
                write_batch(&mut out, &chosen)?;
            }
        }
    }
    Ok(())
}

fn write_batch(out: &mut impl Write, samples: &[Sample]) -> io::Result<()> {
    let rows: usize = samples.iter().map(|s| s.moves.len()).sum();
    let mut buffer: Vec<u8> = vec![];
    buffer.extend((samples.len() as u32).to_le_bytes());
    buffer.extend((rows as u32).to_le_bytes());
    let mut push = |value: u16| buffer.extend(value.to_le_bytes());
    samples.iter().for_each(|s| s.board.iter().for_each(|&i| push(i)));
    samples.iter().for_each(|s| push(s.moves.len() as u16));
    samples.iter().for_each(|s| push(s.target));
    samples.iter().for_each(|s| push(s.ply));
    samples.iter().for_each(|s| s.moves.iter().for_each(|m| m.iter().for_each(|&i| push(i))));
    out.write_all(&buffer)
}
