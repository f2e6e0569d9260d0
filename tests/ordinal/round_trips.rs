//! Every game comes back from every codec; nothing else is taken for a game without a fight.

use plyzip::unstable::chess::legal_moves;
use plyzip::{Error, Model};
use plyzip_history::bits::BitString;
use plyzip_history::ordinal::{self, GameCode, Ours, Parikh, Termination};
use plyzip_history::position::{self, PositionCode};
use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, Move, Position};

use crate::games::{Random, forced, position, random_game, starts};
use crate::kasparov_deep_blue;

/// The systems of the texts, Robison's under each way to tell the end too.
fn historical() -> Vec<Box<dyn GameCode>> {
    let endings = ordinal::endings().into_iter().map(|code| Box::new(code) as Box<dyn GameCode>);
    ordinal::historical().into_iter().chain(endings).collect()
}

/// Parikh's codes store the start with his code for positions; all others take any start.
fn takes(code: &dyn GameCode, start: &Chess) -> bool {
    !["P2", "P3", "P4", "P5"].contains(&code.id()) || position::Parikh.encode(start).is_ok()
}

fn come_back(code: &dyn GameCode, start: &Chess, moves: &[Move]) -> BitString {
    let bits = code.encode(start, moves).unwrap();
    assert!(code.decode(start, &bits).unwrap() == moves, "{}: {moves:?}", code.id());
    bits
}

#[test]
fn random_games_come_back() {
    let mut random = Random(1);
    for code in historical() {
        for start in starts().into_iter().filter(|start| takes(&*code, start)) {
            for longest in [0, 1, 2, 3, 60, 60, 60, 400] {
                let moves = random_game(&start, longest, &mut random);
                come_back(&*code, &start, &moves);
            }
        }
    }
}

#[test]
fn random_games_have_all_that_codecs_differ_in() {
    let mut random = Random(1);
    let mut played = vec![];
    let (mut crowded, mut forced_runs, mut over) = (0, 0, 0);
    for start in (0..4).flat_map(|_| starts()) {
        let moves = random_game(&start, 400, &mut random);
        let mut walk = start;
        let mut run = 0;
        for &next in &moves {
            let legal = legal_moves(&walk).len();
            crowded += usize::from(legal > 128);
            run = if legal == 1 { run + 1 } else { 0 };
            forced_runs += usize::from(run == 3);
            walk.play_unchecked(next);
        }
        over += usize::from(walk.is_game_over());
        played.extend(moves);
    }
    let count = |what: fn(&Move) -> bool| played.iter().filter(|&next| what(next)).count();
    assert!(count(|next| next.is_promotion()) > 20);
    assert!(count(|next| next.is_castle()) > 0);
    assert!(count(|next| next.is_en_passant()) > 0);
    assert!(crowded > 0 && forced_runs > 0 && over > 1, "{crowded} {forced_runs} {over}");
    // Without capture or pawn move for longer than any rule allows.
    let endgame = position("8/8/4k3/8/8/3K4/8/7R w - - 0 1", CastlingMode::Standard);
    assert!(random_game(&endgame, 400, &mut random).len() > 150);
}

/// 270 legal moves, as many as shakmaty lists at most, which is 14 more than a byte tells apart.
#[test]
fn moves_that_a_byte_cannot_tell_apart_are_refused() {
    let crowd = "kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1";
    let crowd = position(crowd, CastlingMode::Standard);
    let legal = legal_moves(&crowd);
    assert_eq!(legal.len(), 270);
    for code in historical() {
        let mut refused = 0;
        for &played in &legal {
            match code.encode(&crowd, &[played]) {
                Ok(bits) => {
                    assert_eq!(code.decode(&crowd, &bits).unwrap(), [played], "{}", code.id());
                }
                Err(Error::Unsupported(_)) => refused += 1,
                Err(error) => panic!("{}: {error}", code.id()),
            }
        }
        let in_bytes = code.id().contains("R0") || code.id() == "M0";
        // Scid knows sixteen pieces of a side.
        match code.id() {
            "Scid" => assert!(refused > 100, "{refused}"),
            id => assert_eq!(refused, if in_bytes { 14 } else { 0 }, "{id}"),
        }
    }
}

#[test]
fn a_very_long_game_comes_back() {
    // A wall of pawns that neither king can pass.
    let wall = position("4k3/8/p1p1p1p1/P1P1P1P1/8/8/8/4K3 w - - 0 1", CastlingMode::Standard);
    let moves = random_game(&wall, 3000, &mut Random(8));
    assert_eq!(moves.len(), 3000);
    for code in historical() {
        come_back(&*code, &wall, &moves);
    }
}

#[test]
fn parikhs_codes_store_the_start() {
    let mut random = Random(9);
    for code in [Parikh::games1(), Parikh::games2(), Parikh::games3(), Parikh::games4()] {
        for start in starts() {
            let moves = random_game(&start, 40, &mut random);
            let Ok(header) = position::Parikh.encode(&start) else {
                // Castling rights of chess960.
                let refused = code.encode(&start, &moves);
                assert!(matches!(refused, Err(Error::Unsupported(_))), "{refused:?}");
                continue;
            };
            let bits = come_back(&code, &start, &moves);
            let stored = code.read(&bits).unwrap();
            assert!(stored.start == start && stored.moves == moves);
            if start != Chess::default() {
                let mut reader = bits.reader();
                assert!(!reader.bit().unwrap());
                assert_eq!(reader.bits(64), header.reader().bits(64));
                assert!(matches!(code.decode(&Chess::default(), &bits), Err(Error::Damaged(_))));
            }
        }
        let crowd = "nnnnknnn/nnnnnnnn/n7/8/8/8/NNNNNNNN/NNNNKNNN w - - 0 1";
        let crowd = position(crowd, CastlingMode::Standard);
        assert!(matches!(code.encode(&crowd, &[]), Err(Error::Unsupported(_))));

        // The initial position has a code of its own, so it may not be spelled out.
        let mut spelled: BitString = [false].into_iter().collect();
        spelled.extend(&position::Parikh.encode(&Chess::default()).unwrap());
        spelled.push_bits(0b100000, 6);
        assert!(matches!(code.read(&spelled), Err(Error::Damaged(_))));
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
    let mut codes = ordinal::all().unwrap();
    codes.extend(historical().split_off(ordinal::historical().len()));
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
    for code in historical() {
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
    for code in historical() {
        for start in starts().into_iter().filter(|start| takes(&*code, start)) {
            let moves = random_game(&start, 30, &mut random);
            let bits = code.encode(&start, &moves).unwrap();
            // Text has no mark behind the last move: what ends with a blank (0x20) is whole.
            let is_blank = |end: usize| (0..8).all(|bit| bits.get(end - 8 + bit) == Some(bit == 2));
            let ends = |len: usize| {
                code.id() == "SAN" && len.is_multiple_of(8) && (len == 0 || is_blank(len))
            };
            for len in (0..bits.len()).filter(|&len| !ends(len)) {
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
    for start in starts().into_iter().filter(|start| takes(&code, start)) {
        let moves = random_game(&start, 200, &mut random);
        let room = code.payload_bits(&start, &moves).unwrap();
        let payload: BitString = (0..room).map(|_| random.below(2) == 1).collect();
        let bits = code.encode_with(&start, &moves, &payload).unwrap();
        let stored = code.read(&bits).unwrap();
        assert!(stored.moves == moves && stored.payload == payload);
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
        for code in historical().into_iter().filter(|code| takes(&**code, start)) {
            let bits = code.encode(start, &moves).unwrap();
            let wrong: Vec<usize> =
                (0..flips).map(|flip| place.wrapping_add(flip * 31) % bits.len().max(1)).collect();
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
        for code in historical() {
            if let Ok(game) = code.decode(start, &bits) {
                prop_assert!(code.encode(start, &game).is_ok());
            }
        }
    }

    #[test]
    fn noise_is_no_stored_game_or_one_that_comes_back(bytes: Vec<u8>, seed: u64) {
        // A sound start, and then anything.
        let mut random = Random(seed);
        let starts = starts();
        let start = &starts[random.below(starts.len())];
        let mut bits: BitString = [*start == Chess::default()].into_iter().collect();
        if let Ok(header) = position::Parikh.encode(start)
            && *start != Chess::default()
        {
            bits.extend(&header);
        }
        bits.extend(&BitString::from_bytes(bytes));
        for code in [Parikh::games1(), Parikh::games2(), Parikh::games3(), Parikh::games4()] {
            if let Ok(stored) = code.read(&bits) {
                let again =
                    code.encode_with(&stored.start, &stored.moves, &stored.payload).unwrap();
                prop_assert!(code.read(&again).unwrap() == stored);
            }
        }
    }
}

#[test]
fn noise_is_no_game_of_networks_either_or_a_legal_one() {
    let mut codes = ordinal::with_network(&Model::embedded().unwrap());
    codes.push(Box::new(Ours::new(Model::none())));
    let mut random = Random(6);
    for code in codes {
        for start in starts().iter().take(4) {
            let noise: Vec<u8> = (0..40).map(|_| random.below(256) as u8).collect();
            // Ours looks further only behind its first byte.
            for noise in [noise.clone(), [&[0x10][..], &noise].concat()] {
                match code.decode(start, &BitString::from_bytes(noise)) {
                    Ok(game) => assert!(code.encode(start, &game).is_ok()),
                    Err(Error::Damaged(_) | Error::Unsupported(_) | Error::Model(_)) => {}
                    Err(error) => panic!("{error}"),
                }
            }
        }
    }
}

#[test]
fn terminations_are_refused_if_unknown_or_cut() {
    for code in 0..64 {
        let mut bits = BitString::new();
        bits.push_bits(code, 6);
        let read = Termination::read(&mut bits.reader());
        assert_eq!(read.ok(), Termination::ALL.get(code as usize).copied());
        assert!(Termination::read(&mut bits.reader().take(5).unwrap()).is_err());
    }
}
