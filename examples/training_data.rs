//! Turns games into training data for `training/train.py`.
//!
//! `pack GAMES.pgn OUT` keeps what training needs, one byte a ply: the move's
//! place in the canonical order. Games that do not start from the usual
//! position are left out.
//!
//! `split PACKED HELD TRAIN CHOOSE` writes the last HELD games, which are the latest, to CHOOSE, and the others to TRAIN.
//!
//! `batches PACKED SEED SIZE FIRST` writes an endless sequence of batches of SIZE positions
//! to standard output, little-endian, beginning about where batch number FIRST
//! would be, so that training can go on where it stopped.
//!
//! `lessons` is `batches` for training: later games come more often, and some games are shown without
//! their year or pace.
//!
//! A batch is: number of positions and of moves (u32 each); then, all u16, the board
//! features of each position, the number of its legal moves, the place of the one played
//! (65535: the game ended here), the ply; then the features of all moves.
//!
//! `taught PACKED LABELS SEED SIZE FIRST` writes batches of the positions in a folder of labels
//! (`training/board/label.py`), with the share of each move (u16, 65535 in all but for rounding) after
//! the features. It shows each game as it is.

mod labels;
mod packed;

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use packed::PackedGame;
use plyzip::pgn::{self, Item, Token};
use plyzip::unstable::chess::{History, legal_moves};
use plyzip::unstable::features::{
    BoardIndices, MoveIndices, Tactics, board_features, move_features,
};
use plyzip::{GameContext, Pace};
use shakmaty::Chess;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let number = |text: &str| text.parse::<u64>().map_err(io::Error::other);
    match arguments[..] {
        ["pack", games, out] => pack(games, out),
        ["split", packed, held, train, choose] => {
            let packed = std::fs::read(packed)?;
            let (rest, last) =
                packed.split_at(packed::start_of_last(&packed, number(held)? as usize));
            std::fs::write(train, rest)?;
            std::fs::write(choose, last)
        }
        [what @ ("batches" | "lessons"), packed, seed, size, first] => {
            let (packed, training) = (std::fs::read(packed)?, what == "lessons");
            batches(&packed, number(seed)?, number(size)? as usize, number(first)?, training)
        }
        ["taught", packed, folder, seed, size, first] => {
            let (packed, games) = (std::fs::read(packed)?, labels::read(Path::new(folder))?);
            taught(&packed, &games, number(seed)?, number(size)? as usize, number(first)?)
        }
        _ => {
            eprintln!("usage: training_data pack GAMES.pgn OUT");
            eprintln!("       training_data split PACKED HELD TRAIN CHOOSE");
            eprintln!("       training_data batches|lessons PACKED SEED SIZE FIRST");
            eprintln!("       training_data taught PACKED LABELS SEED SIZE FIRST");
            std::process::exit(2)
        }
    }
}

/// Bytes of PGN that are parsed at a time.
const CHUNK: usize = 16 << 20;

fn pack(games: &str, out: &str) -> io::Result<()> {
    let input = std::fs::read(games)?;
    let mut out = BufWriter::new(std::fs::File::create(out)?);
    let (mut count, mut plies) = (0, 0);
    let mut from = 0;
    for start in pgn::game_starts(&input).chain([input.len()]) {
        if start - from < CHUNK && start < input.len() {
            continue;
        }
        for item in pgn::parse(&input[from..start]).items {
            let Item::Game(game) = item else { continue };
            let (Some(line), Some(position)) = (game.lines.first(), game.start()) else { continue };
            if line.moves.is_empty() || position != Chess::default() {
                continue;
            }
            let cut = game.tokens.iter().any(|token| matches!(token, Token::Text(_)));
            packed::write_game(&mut out, &GameContext::from_tags(&game), cut, &line.moves)?;
            count += 1;
            plies += line.moves.len();
        }
        from = start;
    }
    eprintln!("{count} games, {plies} plies");
    out.flush()
}

/// One position with everything that training looks at.
struct Sample {
    board: BoardIndices,
    ply: u16,
    target: u16,
    moves: Vec<MoveIndices>,
    /// What a teacher would play: the share of each move; empty without a teacher.
    shares: Vec<u16>,
}

/// No move was played: the game ended here.
const END: u16 = u16::MAX;

fn samples(game: &PackedGame, out: &mut Vec<Sample>) {
    let mut history = History::new(Chess::default());
    let moves = game.moves;
    for ply in 0..=moves.len() {
        let legal = legal_moves(history.position());
        if legal.is_empty() || (ply == moves.len() && game.cut) {
            break;
        }
        let tactics = Tactics::new(&history, &legal);
        let mut sample = Sample {
            board: board_features(&history, &game.context, &tactics),
            ply: ply as u16,
            target: moves.get(ply).map_or(END, |&place| place.into()),
            moves: vec![],
            shares: vec![],
        };
        move_features(&history, &legal, Some(&tactics), &mut sample.moves);
        out.push(sample);
        if let Some(&place) = moves.get(ply) {
            history.play(legal[usize::from(place)]);
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
            items.swap(index, (self.next() % (index as u64 + 1)) as usize);
        }
    }
}

/// Games whose positions are mixed with each other.
const POOL: usize = 3000;

/// Of the games at the end of the file, which are the latest, this many come twice in a pass.
const RECENT: usize = 150_000;

/// Of this many games, one is shown without its year and one without its pace.
const HIDDEN: u64 = 16;

fn batches(bytes: &[u8], seed: u64, size: usize, first: u64, training: bool) -> io::Result<()> {
    let games = packed::games(bytes);
    let recent = if training { games.len().saturating_sub(RECENT) } else { games.len() };
    // Each game, and whether it comes twice in a pass.
    let mut games: Vec<(PackedGame, bool)> =
        games.into_iter().enumerate().map(|(index, game)| (game, index >= recent)).collect();
    let mut random = Random(seed.wrapping_mul(1_000_003));
    random.shuffle(&mut games);
    // All passes have one order, and the games that come twice come half a pass apart: a network
    // remembers a game that it has just seen, and learns little from it.
    let halves = if training { 2 } else { 1 };
    let mut order: Vec<&PackedGame> = vec![];
    for half in 0..halves {
        let games = games.iter().enumerate();
        order.extend(games.filter_map(|(index, (game, twice))| {
            (*twice || index % halves == half).then_some(game)
        }));
    }
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    let mut number = 0;
    let mut pool: Vec<Sample> = vec![];
    loop {
        for group in order.chunks(POOL) {
            let positions: usize = group.iter().map(|game| game.moves.len() + 1).sum();
            let skipped = (positions / size) as u64;
            if number + skipped < first {
                number += skipped;
                continue;
            }
            for &game in group {
                let mut game = game.clone();
                if training && random.next().is_multiple_of(HIDDEN) {
                    game.context.year = 0;
                }
                if training && random.next().is_multiple_of(HIDDEN) {
                    (game.context.pace, game.context.online) = (Pace::Slow, false);
                }
                samples(&game, &mut pool);
            }
            random.shuffle(&mut pool);
            while pool.len() >= size {
                number += 1;
                write_batch(&mut out, &pool.split_off(pool.len() - size))?;
            }
        }
    }
}

/// Endless batches of the labelled positions, game by game in an order of the seed's choosing.
fn taught(
    bytes: &[u8],
    labelled: &BTreeMap<usize, Vec<labels::Label>>,
    seed: u64,
    size: usize,
    first: u64,
) -> io::Result<()> {
    let games = packed::games(bytes);
    let mut random = Random(seed.wrapping_mul(1_000_003));
    let mut order: Vec<usize> = labelled.keys().copied().collect();
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    let mut number = 0;
    let mut pool: Vec<Sample> = vec![];
    loop {
        random.shuffle(&mut order);
        for group in order.chunks(POOL) {
            let positions: usize = group.iter().map(|game| labelled[game].len()).sum();
            let skipped = (positions / size) as u64;
            if number + skipped < first {
                number += skipped;
                continue;
            }
            for game_number in group {
                let game =
                    games.get(*game_number).ok_or_else(|| io::Error::other("labels of no game"))?;
                let mut all = vec![];
                samples(game, &mut all);
                for label in &labelled[game_number] {
                    let ply = usize::from(label.ply);
                    let Some(sample) = all.get_mut(ply) else {
                        return Err(io::Error::other("a label of no position"));
                    };
                    let total: u32 = label.shares.iter().map(|&(_, share)| u32::from(share)).sum();
                    let mut shares = vec![0; sample.moves.len()];
                    for &(place, share) in &label.shares {
                        let share = u32::from(share) * u32::from(u16::MAX) / total.max(1);
                        let entry = shares.get_mut(usize::from(place));
                        *entry.ok_or_else(|| io::Error::other("a label of no move"))? =
                            share as u16;
                    }
                    sample.shares = shares;
                }
                pool.extend(all.into_iter().filter(|sample| !sample.shares.is_empty()));
            }
            random.shuffle(&mut pool);
            while pool.len() >= size {
                number += 1;
                write_batch(&mut out, &pool.split_off(pool.len() - size))?;
            }
        }
    }
}

fn write_batch(out: &mut impl Write, samples: &[Sample]) -> io::Result<()> {
    let rows: usize = samples.iter().map(|sample| sample.moves.len()).sum();
    let mut buffer: Vec<u8> = vec![];
    buffer.extend((samples.len() as u32).to_le_bytes());
    buffer.extend((rows as u32).to_le_bytes());
    let boards = samples.iter().flat_map(|sample| sample.board);
    let counts = samples.iter().map(|sample| sample.moves.len() as u16);
    let targets = samples.iter().map(|sample| sample.target);
    let plies = samples.iter().map(|sample| sample.ply);
    let moves = samples.iter().flat_map(|sample| &sample.moves).flatten().copied();
    let shares = samples.iter().flat_map(|sample| &sample.shares).copied();
    let all = boards.chain(counts).chain(targets).chain(plies).chain(moves).chain(shares);
    buffer.extend(all.flat_map(u16::to_le_bytes));
    out.write_all(&buffer)
}
