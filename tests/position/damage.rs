//! Damaged codes end in an error or in another legal position.

use plyzip::{Error, Model};
use plyzip_history::bits::BitString;
use plyzip_history::position::{self, CodeError, LeadingGame, PositionCode};
use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, Position, PositionError};

use crate::random::{Material, Random, made_up, random_game};

/// The same bits, each of which `change` may turn over, up to `length`.
fn changed(bits: &BitString, length: usize, mut change: impl FnMut(usize) -> bool) -> BitString {
    let mut reader = bits.reader();
    (0..length).map(|place| reader.bit().unwrap() ^ change(place)).collect()
}

/// Whether bits are decoded to a position: a legal one, which the code stores. Otherwise they are damaged.
fn is_legal_position(code: &dyn PositionCode, bits: &BitString) -> bool {
    let position = match code.decode(bits) {
        Ok(position) => position,
        Err(CodeError::Damaged(_)) => return false,
        Err(error) => panic!("{}: {error}", code.id()),
    };
    let setup = position.to_setup(EnPassantMode::Legal);
    let legal = Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check);
    assert_eq!(legal.unwrap(), position, "{}", code.id());
    match code.encode(&position) {
        Ok(bits) => {
            let stored = code.decode(&bits).unwrap();
            assert!(code.coverage().same(&position, &stored), "{}: {position:?}", code.id());
        }
        // Two groups of a kind say together what one may not.
        Err(error) => {
            assert_eq!((code.id(), error.to_string().contains("eight pieces")), ("B4", true));
        }
    }
    true
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
    let (mut others, mut refused) = (0, 0);
    for round in 0..400 {
        let position =
            made_up(if round % 2 == 0 { Material::Any } else { Material::Full }, &mut random);
        for code in position::all() {
            let Ok(bits) = code.encode(&position) else { continue };
            for _ in 0..50 {
                let often = 1 + random.below(bits.len());
                let damaged = changed(&bits, bits.len(), |_| random.one_in(often));
                match is_legal_position(&*code, &damaged) {
                    true => others += 1,
                    false => refused += 1,
                }
            }
        }
    }
    assert!(others > 1000 && refused > 1000, "{others} {refused}");
}

#[test]
fn noise_is_refused_or_is_a_position() {
    let mut random = Random(6);
    for _ in 0..20_000 {
        let noise: BitString = (0..random.below(400)).map(|_| random.below(2) == 1).collect();
        for code in position::all() {
            is_legal_position(&*code, &noise);
        }
    }
}

#[test]
fn damaged_games_are_refused() {
    let mut random = Random(7);
    let code = LeadingGame::new(Model::none());
    let (mut others, mut refused) = (0, 0);
    for _ in 0..40 {
        let bits = code.encode(&random_game(60, &mut random)).unwrap();
        let whole = code.decode(&bits).unwrap();
        let damaged = changed(&bits, bits.len(), |_| random.one_in(30));
        for damaged in [damaged, changed(&bits, bits.len() / 16 * 8, |_| false)] {
            match code.decode(&damaged) {
                Ok(position) => others += usize::from(position != whole),
                Err(CodeError::Game(
                    Error::Damaged(_) | Error::Unsupported(_) | Error::Model(_),
                )) => refused += 1,
                Err(error) => panic!("{error}"),
            }
        }
        let part_of_a_byte = code.decode(&changed(&bits, bits.len() - 3, |_| false));
        assert!(matches!(part_of_a_byte, Err(CodeError::Damaged(_))), "{part_of_a_byte:?}");
    }
    assert_eq!((others, refused), (0, 80));
}
