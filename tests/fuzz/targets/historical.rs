//! The codes of the past.

use arbitrary::Unstructured;
use plyzip_history::bits::BitString;
use plyzip_history::{ordinal, position};
use shakmaty::{Chess, Position};

use super::script;

/// The bit of the last byte by which the rest are choices, and not the code.
pub const SCRIPT: u8 = 0x80;

/// Any bits are a game or a position of each code, or an error; a game has bits, and a position, too.
pub fn historical(data: &[u8]) {
    let Some((&last, rest)) = data.split_last() else { return };
    if last & SCRIPT != 0 {
        return games(&mut Unstructured::new(rest));
    }
    let mut bits = BitString::from_bytes(rest.to_vec());
    // Not always whole bytes.
    bits.push_bits(u64::from(last >> 2) & ((1 << (last & 3)) - 1), u32::from(last & 3));
    let start = Chess::default();
    for code in codes() {
        read_game(&*code, &start, &bits);
    }
    for code in position::all() {
        read_position(&*code, &bits);
    }
}

/// A game and its last position, under each code, whole and with a bit changed.
fn games(choices: &mut Unstructured) {
    let place: u16 = choices.arbitrary().unwrap();
    let start = script::start(choices);
    let moves = script::moves(choices, &start, 300);
    for code in codes() {
        if let Ok(bits) = code.encode(&start, &moves) {
            assert_eq!(code.decode(&start, &bits).unwrap(), moves, "{}", code.id());
            read_game(&*code, &start, &changed(&bits, place));
        }
    }
    let mut last = start;
    moves.iter().for_each(|&played| last.play_unchecked(played));
    for code in position::all() {
        if let Ok(bits) = code.encode(&last) {
            let stored = code.decode(&bits).unwrap();
            assert!(code.coverage().same(&last, &stored), "{}", code.id());
            read_position(&*code, &changed(&bits, place));
        }
    }
}

fn codes() -> impl Iterator<Item = Box<dyn ordinal::GameCode>> {
    let endings = ordinal::endings().into_iter().map(|code| Box::new(code) as Box<_>);
    ordinal::historical().into_iter().chain(endings)
}

/// `bits` with another one at `place`.
fn changed(bits: &BitString, place: u16) -> BitString {
    let place = usize::from(place) % bits.len().max(1);
    let mut changed = BitString::new();
    for at in 0..bits.len() {
        changed.push(bits.get(at).unwrap() ^ (at == place));
    }
    changed
}

fn read_game(code: &dyn ordinal::GameCode, start: &Chess, bits: &BitString) {
    if let Ok(moves) = code.decode(start, bits) {
        let bits = code.encode(start, &moves).unwrap();
        assert_eq!(code.decode(start, &bits).unwrap(), moves, "{}", code.id());
    }
}

fn read_position(code: &dyn position::PositionCode, bits: &BitString) {
    if let Ok(position) = code.decode(bits)
        && let Ok(bits) = code.encode(&position)
    {
        let stored = code.decode(&bits).unwrap();
        assert!(code.coverage().same(&position, &stored), "{}", code.id());
    }
}
