//! Whole files, from packed games to arrays.

use std::fs;
use std::io::Write;
use std::path::Path;

use lzma_rust2::{XzOptions, XzWriter};
use shakmaty::san::San;
use shakmaty::{Bitboard, Chess, Color, Position, Square};
use tempfile::TempDir;

use super::arrays::{Counts, expand};
use super::order::legal_moves;
use super::position::{END, NOTHING};
use super::squares::squares;
use crate::packed;

/// With a capture en passant, a promotion and both sides castling short.
const GAME: &str = "e4 Nf6 e5 d5 exd6 g6 dxc7 Bg7 Nf3 O-O cxb8=N Rxb8 Be2 a6 O-O";

/// With both sides castling long.
const LONG: &str = "d4 d5 Nc3 Nc6 Bf4 Bf5 Qd2 Qd7 O-O-O O-O-O";

const MATE: &str = "f3 e5 g4 Qh4#";

/// The arrays of a run.
#[derive(Debug, PartialEq)]
struct Arrays {
    squares: Vec<[u8; 64]>,
    state: Vec<[u8; 4]>,
    first: Vec<u32>,
    moves: Vec<u16>,
    game: Vec<u32>,
    games: Vec<[u8; 16]>,
    meta: serde_json::Value,
}

impl Arrays {
    fn moves(&self, position: usize) -> &[u16] {
        &self.moves[self.first[position] as usize..self.first[position + 1] as usize]
    }

    /// How often each position occurred before.
    fn occurrences(&self) -> Vec<u8> {
        self.state.iter().map(|state| state[0] >> 6).collect()
    }
}

fn positions(sans: &str) -> Vec<Chess> {
    let mut positions = vec![Chess::default()];
    for san in sans.split_whitespace() {
        let position = &positions[positions.len() - 1];
        let played = san.parse::<San>().unwrap().to_move(position).unwrap();
        positions.push(position.clone().play(played).unwrap());
    }
    positions
}

/// Packs a game of 2026 between players of 2500 and 2400, which White won online in blitz.
fn pack(sans: &str, cut: bool) -> Vec<u8> {
    let mut position = Chess::default();
    let mut places = vec![];
    for san in sans.split_whitespace() {
        let played = san.parse::<San>().unwrap().to_move(&position).unwrap();
        places
            .push(legal_moves(&position).iter().position(|&legal| legal == played).unwrap() as u8);
        position.play_unchecked(played);
    }
    let mut packed = vec![];
    packed.extend(2500_u16.to_le_bytes());
    packed.extend(2400_u16.to_le_bytes());
    packed.extend([1, u8::from(cut)]);
    packed.extend(2026_u16.to_le_bytes());
    packed.push(5);
    packed.extend((places.len() as u16).to_le_bytes());
    packed.extend(places);
    packed
}

fn run(packed: &[u8], folder: &Path, threads: usize) -> anyhow::Result<Counts> {
    let file = folder.join("packed");
    fs::write(&file, packed)?;
    expand(&packed::games(&packed::read(&file)?)?, folder, threads)
}

fn arrays(packed: &[u8], threads: usize) -> Arrays {
    let folder = TempDir::new().unwrap();
    let counts = run(packed, folder.path(), threads).unwrap();
    let bytes = |name: &str| fs::read(folder.path().join(name)).unwrap();
    let arrays = Arrays {
        squares: items(&bytes("squares.bin")),
        state: items(&bytes("state.bin")),
        first: items(&bytes("first.bin")).into_iter().map(u32::from_le_bytes).collect(),
        moves: items(&bytes("moves.bin")).into_iter().map(u16::from_le_bytes).collect(),
        game: items(&bytes("game.bin")).into_iter().map(u32::from_le_bytes).collect(),
        games: items(&bytes("games.bin")),
        meta: serde_json::from_slice(&bytes("meta.json")).unwrap(),
    };
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 8, "no .new is left");
    assert_eq!(arrays.squares.len(), counts.positions);
    assert_eq!(arrays.state.len(), counts.positions);
    assert_eq!(arrays.game.len(), counts.positions);
    assert_eq!(arrays.first.len(), counts.positions + 1);
    assert_eq!(arrays.moves.len() as u64, counts.moves);
    assert_eq!(arrays.first.last(), Some(&(counts.moves as u32)));
    assert_eq!(arrays.games.len(), counts.games);
    arrays
}

fn items<const SIZE: usize>(bytes: &[u8]) -> Vec<[u8; SIZE]> {
    let (items, rest) = bytes.as_chunks();
    assert!(rest.is_empty());
    items.to_vec()
}

/// A move as moves.bin has it.
fn coded(from: Square, to: Square, promotion: u16) -> u16 {
    u16::from(from) | u16::from(to) << 6 | promotion << 12
}

fn error(packed: &[u8]) -> String {
    let folder = TempDir::new().unwrap();
    let error = run(packed, folder.path(), 2).unwrap_err();
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "only the packed file is left");
    format!("{error:#}")
}

#[test]
fn the_start() {
    let arrays = arrays(&pack(GAME, false), 1);
    let at = |square: Square| arrays.squares[0][usize::from(square)];
    assert_eq!(at(Square::A1), 0x04);
    assert_eq!(at(Square::B1), 0x12);
    assert_eq!(at(Square::E1), 0x16);
    assert_eq!(at(Square::A2), 0x11);
    assert_eq!(at(Square::E2), 0x31, "four defenders count as three");
    assert_eq!(at(Square::F3), 0x30);
    assert_eq!(at(Square::A3), 0x20);
    assert_eq!(at(Square::E4), 0x00);
    assert_eq!(at(Square::E6), 0x80);
    assert_eq!(at(Square::E7), 0xc7);
    assert_eq!(at(Square::D8), 0x4b);
    assert_eq!(at(Square::E8), 0x4c);
    // e4 comes after four knight's moves and the nine pawn moves before it.
    assert_eq!(arrays.state[0], [0x0f, 0, 0, 13]);
    assert_eq!(arrays.moves(0).len(), 20);
    assert_eq!(arrays.moves(0)[0], coded(Square::B1, Square::A3, 0));
    assert_eq!(arrays.moves(0)[13], coded(Square::E2, Square::E4, 0));
}

#[test]
fn special_moves() {
    let arrays = arrays(&pack(GAME, false), 1);
    let played = |ply: usize| arrays.moves(ply)[usize::from(arrays.state[ply][3])];

    assert_eq!(arrays.state[1][..3], [0x1f, 0, 0], "no pawn can take e4 en passant");
    assert_eq!(arrays.state[4][..3], [0x0f, 4, 0], "d6 can be taken en passant");
    assert_eq!(played(4), coded(Square::E5, Square::D6, 0));
    assert_eq!(arrays.squares[5][usize::from(Square::D5)] & 0xf, 0);
    assert_eq!(arrays.squares[5][usize::from(Square::D6)] & 0xf, 1);

    assert_eq!(arrays.state[9][..3], [0x1f, 0, 2]);
    assert_eq!(played(9), coded(Square::E8, Square::G8, 0));
    assert_eq!(arrays.state[10][..3], [0x03, 0, 3]);

    let promotions: Vec<u16> =
        arrays.moves(10).iter().copied().filter(|played| played >> 12 != 0).collect();
    let expected: Vec<u16> = [Square::B8, Square::D8]
        .into_iter()
        .flat_map(|to| (1..=4).map(move |role| coded(Square::C7, to, role)))
        .collect();
    assert_eq!(promotions, expected);
    assert_eq!(played(10), coded(Square::C7, Square::B8, 1));
    assert_eq!(arrays.squares[11][usize::from(Square::B8)] & 0xf, 2);

    assert_eq!(played(14), coded(Square::E1, Square::G1, 0));
    assert_eq!(arrays.state[15], [0x10, 0, 1, END]);
}

#[test]
fn castling_long() {
    let arrays = arrays(&pack(LONG, false), 1);
    let played = |ply: usize| arrays.moves(ply)[usize::from(arrays.state[ply][3])];
    assert_eq!(arrays.state[8][0], 0x0f);
    assert_eq!(played(8), coded(Square::E1, Square::C1, 0));
    assert_eq!(arrays.state[9][0], 0x1c);
    assert_eq!(played(9), coded(Square::E8, Square::C8, 0));
    assert_eq!(arrays.state[10][0], 0x00);
}

#[test]
fn attackers_are_those_of_each_square() {
    for position in [GAME, LONG, MATE].into_iter().flat_map(positions) {
        let (board, bytes) = (position.board(), squares(position.board()));
        for square in Square::ALL {
            let attackers = |color: Color| {
                let attackers: Bitboard = board.attacks_to(square, color, board.occupied());
                attackers.count().min(3) as u8
            };
            let high = attackers(Color::White) | attackers(Color::Black) << 2;
            assert_eq!(bytes[usize::from(square)] >> 4, high, "{square} of {board}");
        }
    }
}

#[test]
fn ends_of_games() {
    let packed = [pack(MATE, false), pack("e4", true), pack("", false)].concat();
    let arrays = arrays(&packed, 1);
    assert_eq!(arrays.state[4], [0x2f, 0, 1, NOTHING], "mated");
    assert!(arrays.moves(4).is_empty());
    assert_eq!(arrays.state[6][3], NOTHING, "cut");
    assert_eq!(arrays.state[7][3], END, "no moves, all the same an end");
    assert_eq!(arrays.game, [0, 0, 0, 0, 0, 1, 1, 2]);
    let game = |start: u8, plies: u8| {
        [start, 0, 0, 0, plies, 0, 0xc4, 0x09, 0x60, 0x09, 0xea, 0x07, 1, 5, 0, 0]
    };
    assert_eq!(arrays.games, [game(0, 4), game(5, 1), game(7, 0)]);
    let moves = arrays.moves.len();
    let meta = serde_json::json!({"version": 1, "positions": 8, "moves": moves, "games": 3});
    assert_eq!(arrays.meta, meta);
}

#[test]
fn repetitions() {
    let knights = "Nf3 Nf6 Ng1 Ng8 ";
    let occurrences = arrays(&pack(&knights.repeat(3), false), 1).occurrences();
    assert_eq!(occurrences, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2]);

    let rights = "e4 e5 Ke2 Ke7 Ke1 Ke8 Ke2 Ke7";
    let occurrences = arrays(&pack(rights, false), 1).occurrences();
    assert_eq!(occurrences, [0, 0, 0, 0, 0, 0, 0, 0, 1], "Ke8 has lost the rights to castle");

    let en_passant = format!("e4 Nf6 e5 d5 {}", "Nf3 Nc6 Ng1 Nb8 ".repeat(2));
    let occurrences = arrays(&pack(&en_passant, false), 1).occurrences();
    assert_eq!(occurrences[4..], [0, 0, 0, 0, 0, 1, 1, 1, 1], "exd6 was possible only once");

    let irreversible = format!("{knights}e4 {knights}");
    let occurrences = arrays(&pack(&irreversible.replace("e4 ", "e4 a6 "), false), 1).occurrences();
    assert_eq!(occurrences, [0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1]);
}

#[test]
fn damage_is_an_error() {
    let [good, other] = [pack(GAME, false), pack(LONG, false)];
    let both = [good.clone(), other.clone()].concat();
    assert_eq!(error(&both[..good.len() + 5]), "game 1: the file ends within its header");
    assert_eq!(error(&both[..both.len() - 1]), "game 1: the file ends within its moves");

    let damaged = |at: usize, byte: u8| {
        let mut bytes = both.clone();
        bytes[good.len() + at] = byte;
        error(&bytes)
    };
    assert_eq!(damaged(4, 4), "game 1: there is no result 4");
    assert_eq!(damaged(5, 2), "game 1: 2 does not say whether moves are missing");
    assert_eq!(damaged(8, 10), "game 1: there is no pace 10");
    assert_eq!(damaged(11, 20), "game 1: ply 0 is move 20 of 20 legal moves");
}

#[test]
fn a_failed_run_leaves_no_meta_of_another() {
    let folder = TempDir::new().unwrap();
    let mut packed = pack(GAME, false);
    run(&packed, folder.path(), 1).unwrap();
    assert!(folder.path().join("meta.json").exists());
    packed[11] = 99;
    run(&packed, folder.path(), 1).unwrap_err();
    assert!(!folder.path().join("meta.json").exists());
}

#[test]
fn compressed_games_are_the_same() {
    let packed = [pack(GAME, false), pack(LONG, false)].concat();
    let mut writer = XzWriter::new(vec![], XzOptions::default()).unwrap();
    writer.write_all(&packed).unwrap();
    let compressed = writer.finish().unwrap();
    assert_eq!(arrays(&compressed, 1), arrays(&packed, 1));
    error(&compressed[..compressed.len() - 1]);
}

#[test]
fn threads_do_not_matter() {
    // More games than one thread takes at a time.
    let packed = [pack(GAME, false), pack(LONG, true), pack(MATE, false)].concat().repeat(1000);
    assert_eq!(arrays(&packed, 1), arrays(&packed, 4));
}

#[test]
fn no_games_are_no_error() {
    let arrays = arrays(&[], 2);
    assert_eq!(arrays.first, [0]);
}
