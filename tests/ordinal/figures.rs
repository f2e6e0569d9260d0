//! What the texts say, and whether it is so.

use plyzip::ordinal::{
    Baeldung, GameCode, Mallett, Order, Parikh, Robison, Walk, count_bits, group_bits, spare_codes,
    whole_bits,
};
use plyzip::pgn::Game;
use shakmaty::{Chess, Move};

use crate::games::{Random, forced, kasparov_deep_blue, random_game};

fn moves(game: &Game) -> &[Move] {
    &game.lines[0].moves
}

/// Bits of the moves alone of a code with the number of plies in front.
fn without_count(code: &Baeldung, moves: &[Move]) -> usize {
    let bits = code.encode(&Chess::default(), moves).unwrap();
    bits.len() - count_bits(moves.len() as u32) as usize
}

/// The numbers of legal moves in the positions of a game.
fn legal_moves_in(moves: &[Move]) -> Vec<u32> {
    let mut walk = Walk::new(&Chess::default(), &Order::Canonical);
    let mut numbers = vec![];
    for &played in moves {
        numbers.push(walk.legal().unwrap().len() as u32);
        walk.play(played);
    }
    numbers
}

#[test]
fn print() {
    for game in kasparov_deep_blue() {
        let m = moves(&game);
        println!("{:?} {:?} plies {} B7 {} B8 {} R2 {} R1 {}", game.tag("Date").map(String::from_utf8_lossy), game.tag("Round").map(String::from_utf8_lossy), m.len(), without_count(&Baeldung::algebraic(), m), without_count(&Baeldung::target_first(), m),
        Robison::integer().encode(&Chess::default(), m).unwrap().len(), Robison::bits().encode(&Chess::default(), m).unwrap().len());
    }
}
