//! Damaged codes end in an error or in another legal position.

use plyzip::bits::BitString;
use plyzip::position::{self, LeadingGame};
use plyzip::{Model, position::CodeError};
use shakmaty::{EnPassantMode, Position};

use crate::random::{Material, Random, made_up, random_game};

/// The same bits, each of which `change` may turn over, up to `length`.
fn changed(bits: &BitString, length: usize, mut change: impl FnMut(usize) -> bool) -> BitString {
    let mut reader = bits.reader();
    (0..length).map(|place| reader.bit().unwrap() ^ change(place)).collect()
}

#[test]
fn truncated_codes_are_refused() {
    let mut random = Random(4);
    for _ in 0..40 {
        let position = made_up(Material::Any, &mut random);
        for code in position::all() {
            let Ok(bits) = code.encode(&position) else { continue };
            for length in 0..bits.len() {
                match code.decode(&changed(&bits, length, |_| false)) {
                    Err(CodeError::Damaged(_)) => {}
                    // These two end where the bits do: what is left of them is a position
                    // if both kings are.
                    Ok(_) if ["B3", "B4"].contains(&code.id()) => {}
                    other => panic!("{}: {other:?}", code.id()),
                }
            }
            let mut longer = bits.clone();
            longer.push(false);
            assert!(code.decode(&longer).is_err());
        }
    }
}

#[test]
fn damaged_codes_are_refused_or_are_other_positions() {
    let mut random = Random(5);
    for round in 0..400 {
        let position =
            made_up(if round % 2 == 0 { Material::Any } else { Material::Full }, &mut random);
        for code in position::all() {
            let Ok(bits) = code.encode(&position) else { continue };
            for _ in 0..50 {
                let often = 1 + random.below(bits.len());
                let damaged = changed(&bits, bits.len(), |_| random.one_in(often));
                if let Ok(other) = code.decode(&damaged) {
                    // A legal position, which can be played on.
                    let _ = other.legal_moves();
                    let _ = other.to_setup(EnPassantMode::Legal);
                }
            }
        }
    }
}

#[test]
fn noise_is_refused_or_is_a_position() {
    let mut random = Random(6);
    for _ in 0..20_000 {
        let noise: BitString = (0..random.below(400)).map(|_| random.below(2) == 1).collect();
        for code in position::all() {
            if let Ok(position) = code.decode(&noise) {
                let _ = position.legal_moves();
            }
        }
    }
}

#[test]
fn damaged_games_are_refused_or_are_other_games() {
    let mut random = Random(7);
    let code = LeadingGame::new(Model::none());
    for _ in 0..40 {
        let bits = code.encode(&random_game(60, &mut random)).unwrap();
        let damaged = changed(&bits, bits.len(), |_| random.one_in(30));
        let _ = code.decode(&damaged);
        let _ = code.decode(&changed(&bits, bits.len() / 16 * 8, |_| false));
        assert!(code.decode(&changed(&bits, bits.len() - 3, |_| false)).is_err());
    }
}
