//! Every game comes back from every codec; nothing else is taken for a game without a fight.

use plyzip::Model;
use plyzip::bits::BitString;
use plyzip::ordinal::{self, GameCode, Parikh};
use plyzip::predict::legal_moves;
use proptest::prelude::*;
use shakmaty::Chess;

use crate::games::{Random, forced, random_game, starts};
use crate::kasparov_deep_blue;

fn come_back(code: &dyn GameCode, start: &Chess, moves: &[shakmaty::Move]) -> BitString {
    let bits = code.encode(start, moves).unwrap();
    assert!(code.decode(start, &bits).unwrap() == moves, "{}: {moves:?}", code.id());
    bits
}

#[test]
fn random_games_come_back() {
    let mut random = Random(1);
    for code in ordinal::historical() {
        for start in starts() {
            for longest in [0, 1, 2, 3, 60, 400] {
                let moves = random_game(&start, longest, &mut random);
                come_back(&*code, &start, &moves);
            }
        }
    }
}

#[test]
fn games_with_networks_come_back() {
    let model = Model::embedded().unwrap();
    let mut codes = ordinal::with_network(&model);
    codes.extend(ordinal::all().unwrap().split_off(ordinal::historical().len()));
    let mut random = Random(2);
    for code in codes {
        for start in starts() {
            for longest in [0, 1, 6] {
                come_back(&*code, &start, &random_game(&start, longest, &mut random));
            }
        }
    }
}

#[test]
fn master_games_come_back_under_distinct_ids() {
    let codes = ordinal::all().unwrap();
    for code in &codes {
        assert_eq!(codes.iter().filter(|other| other.id() == code.id()).count(), 1);
        for game in kasparov_deep_blue().iter().take(2) {
            come_back(&**code, &game.start().unwrap(), &game.lines[0].moves);
        }
    }
}

#[test]
fn runs_of_forced_moves_come_back() {
    let start = forced();
    assert_eq!(legal_moves(&start).len(), 1);
    for code in ordinal::historical() {
        for plies in 0..12 {
            let moves = random_game(&start, plies, &mut Random(3));
            come_back(&*code, &start, &moves);
        }
    }
}

#[test]
fn illegal_moves_and_endless_games_are_refused() {
    let start = Chess::default();
    let e4 = legal_moves(&start)[9];
    let endless = vec![e4; 20_001];
    for code in ordinal::all().unwrap() {
        assert!(code.encode(&start, &[e4, e4]).is_err(), "{}", code.id());
        assert!(code.encode(&start, &endless).is_err(), "{}", code.id());
    }
}

#[test]
fn games_that_lack_bits_or_go_on_are_refused() {
    let mut random = Random(4);
    for code in ordinal::historical() {
        for start in starts() {
            let moves = random_game(&start, 30, &mut random);
            let bits = code.encode(&start, &moves).unwrap();
            for len in 0..bits.len() {
                let cut: BitString = (0..len).filter_map(|index| bits.get(index)).collect();
                assert!(code.decode(&start, &cut).is_err(), "{} {len}", code.id());
            }
            let mut longer = bits.clone();
            longer.push(false);
            assert!(code.decode(&start, &longer).is_err(), "{}", code.id());
        }
    }
}

#[test]
fn payloads_come_back_whole() {
    let mut random = Random(5);
    let code = Parikh::games3();
    for start in starts() {
        let moves = random_game(&start, 200, &mut random);
        let room = code.payload_bits(&start, &moves).unwrap();
        let payload: BitString = (0..room).map(|_| random.below(2) == 1).collect();
        let bits = code.encode_with(&start, &moves, &payload).unwrap();
        let (game, hidden) = code.decode_with(&start, &bits).unwrap();
        assert!(game == moves && hidden == payload);
        assert_eq!(bits.len(), Parikh::games1().encode(&start, &moves).unwrap().len());
    }
}

proptest! {
    #[test]
    fn damaged_games_end_in_an_error_or_in_other_games_but_soon(
        seed: u64, place: usize, flips in 1usize..4,
    ) {
        let mut random = Random(seed);
        let starts = starts();
        let start = &starts[random.below(starts.len())];
        let moves = random_game(start, 40, &mut random);
        for code in ordinal::historical() {
            let bits = code.encode(start, &moves).unwrap();
            let wrong: Vec<usize> =
                (0..flips).map(|flip| place.wrapping_add(flip * 31) % bits.len()).collect();
            let damaged: BitString = (0..bits.len())
                .filter_map(|index| Some(bits.get(index)? ^ wrong.contains(&index)))
                .collect();
            if let Ok(game) = code.decode(start, &damaged) {
                prop_assert!(code.decode(start, &code.encode(start, &game).unwrap()).unwrap() == game);
            }
        }
    }

    #[test]
    fn noise_is_no_game_or_a_legal_one(bytes: Vec<u8>, which: usize) {
        let starts = starts();
        let start = &starts[which % starts.len()];
        let bits = BitString::from_bytes(bytes);
        for code in ordinal::historical() {
            if let Ok(game) = code.decode(start, &bits) {
                prop_assert!(code.encode(start, &game).is_ok());
            }
        }
    }
}
