use std::sync::Arc;

use shakmaty::{CastlingMode, Chess, FromSetup, fen::Fen, san::San};

use super::parameters::MATE;
use super::*;
use crate::chess::{History, legal_moves};
use crate::network::{model_file, onnx, take_numbers};

fn searcher() -> Searcher {
    let mut model = onnx::decode(&model_file("max-1.onnx")).unwrap();
    let numbers = take_numbers(&mut model, "plyzip.values", &NNUE_SIZES).unwrap().unwrap();
    Searcher::new(Arc::new(Nnue::new(&numbers).unwrap()))
}

fn position(fen: &str) -> Chess {
    let setup = fen.parse::<Fen>().unwrap().into_setup();
    Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(shakmaty::PositionError::ignore_too_much_material)
        .unwrap()
}

/// The result of a search of all moves.
fn search(searcher: &mut Searcher, game: &History, budget: u64) -> RootScores {
    search_on(searcher, &mut SearchState::new(budget), game, budget)
}

fn search_on(
    searcher: &mut Searcher,
    state: &mut SearchState,
    game: &History,
    budget: u64,
) -> RootScores {
    let legal = legal_moves(game.position());
    let likely: Vec<usize> = (0..legal.len()).collect();
    let limits = SearchLimits { nodes: budget, width: 255, scout_margin: None };
    searcher.search(state, game, &legal, &likely, limits)
}

/// The move of greatest value, and its values.
fn best(fen: &str) -> (String, Vec<i32>) {
    let game = History::new(position(fen));
    let found = search(&mut searcher(), &game, 30_000);
    let last = found.values.last().unwrap();
    let place = (0..last.len()).max_by_key(|&place| last[place]).unwrap();
    let san = San::from_move(game.position(), legal_moves(game.position())[place]);
    (san.to_string(), found.values.iter().map(|values| values[place]).collect())
}

#[test]
fn mates_and_forks_are_found() {
    assert_eq!(best("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1").0, "Rd8");
    assert_eq!(best("r3k3/8/8/3N4/8/8/6PP/6K1 w - - 0 1").0, "Nc7");
    assert_eq!(best("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1").0, "Qg7");
}

#[test]
fn scouting_finds_good_moves_among_unlikely_ones() {
    let game = History::new(position("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"));
    let legal = legal_moves(game.position());
    let mate = San::from_ascii(b"Rd8").unwrap().to_move(game.position()).unwrap();
    let mate = legal.iter().position(|&m| m == mate).unwrap();
    let mut likely: Vec<usize> = (0..legal.len()).filter(|&place| place != mate).collect();
    likely.push(mate);
    for (scout_margin, width) in [(None, 2), (Some(30), 2), (Some(30), 5)] {
        let mut state = SearchState::new(20_000);
        let limits = SearchLimits { nodes: 20_000, width, scout_margin };
        let found = searcher().search(&mut state, &game, &legal, &likely, limits);
        assert!(found.nodes <= 20_000);
        let last = found.values.last().unwrap();
        let best =
            likely.iter().filter(|&&m| found.fully_searched[m]).map(|&m| last[m]).max().unwrap();
        for &place in &likely {
            let likely_enough = likely[..width].contains(&place);
            if scout_margin.is_none() {
                assert_eq!(found.fully_searched[place], likely_enough);
                assert_eq!(last[place] > -INFINITE, likely_enough);
            } else {
                assert!(found.fully_searched[place] || !likely_enough && place != mate);
                assert!(last[place] > -INFINITE);
                assert!(found.fully_searched[place] || last[place] < best - 30);
            }
        }
        assert_eq!(best > MATE / 2, scout_margin.is_some());
    }
}

#[test]
fn positions_of_the_game_count_as_draws() {
    // Black is a queen ahead, but Kg8 repeats.
    let mut game = History::new(position("6k1/5ppp/8/8/8/8/1q4PP/7K w - - 0 1"));
    for san in ["Kg1", "Kf8", "Kh1", "Kg8", "Kg1", "Kf8", "Kh1"] {
        let played = san.parse::<San>().unwrap().to_move(game.position()).unwrap();
        game.play(played);
    }
    let legal = legal_moves(game.position());
    let back = San::from_ascii(b"Kg8").unwrap().to_move(game.position()).unwrap();
    let place = legal.iter().position(|&m| m == back).unwrap();
    let found = search(&mut searcher(), &game, 3_000);
    assert!(found.values.len() > 1 && found.values.iter().all(|values| values[place] == 0));
    assert!(found.values.iter().all(|values| values.iter().any(|&value| value > 300)));
}

#[test]
fn a_repetition_within_the_line_is_a_draw() {
    // White is a rook behind and is mated unless it checks for ever.
    let (san, values) = best("6k1/6p1/8/7Q/8/8/rq6/7K w - - 0 1");
    assert_eq!((&san[..], values.last()), ("Qe8", Some(&0)));
}

/// Boards with so many captures that quiescence could go on and on, and the one with the most
/// moves.
const FULL: [&str; 4] = [
    "rrrrkrrr/nnnnnnnn/bbbbbbbb/8/8/BBBBBBBB/NNNNNNNN/RRRRKRRR w - - 0 1",
    "qqqqqqqk/pppppppp/qqqqqqqq/8/8/QQQQQQQQ/PPPPPPPP/QQQQQQQK w - - 0 1",
    "kqrqqqqq/ppqqqqqq/qqqqqqqq/NNNNNNNN/nnnnnnnn/QQQQQQQQ/PPPPPPPP/KRRRRRRR w - - 0 1",
    "kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1",
];

#[test]
fn boards_full_of_pieces_are_searched() {
    let mut used = searcher();
    for fen in FULL {
        let game = History::new(position(fen));
        for budget in [1, 2, 7, 100, 3_000] {
            let found = search(&mut used, &game, budget);
            assert!(found.nodes <= budget, "{fen} {budget}: {}", found.nodes);
            let width = legal_moves(game.position()).len().min(255).min(budget as usize);
            assert_eq!(found.fully_searched.iter().filter(|&&full| full).count(), width);
            for (values, place) in
                found.values.iter().flat_map(|v| v.iter().zip(&found.fully_searched))
            {
                assert_eq!(*values > -INFINITE, *place, "{fen}");
            }
            assert!(!found.values.is_empty());
            // Searches for other games change nothing.
            let fresh = search(&mut searcher(), &game, budget);
            assert_eq!((fresh.values, fresh.nodes), (found.values, found.nodes));
            let legal = legal_moves(game.position());
            let likely: Vec<usize> = (0..legal.len()).collect();
            let limits = SearchLimits { nodes: budget, width: 2, scout_margin: Some(1000) };
            let mut state = SearchState::new(budget);
            let found = used.search(&mut state, &game, &legal, &likely, limits);
            assert!(found.nodes <= budget && !found.values.is_empty());
        }
    }
}

#[test]
fn later_searches_of_a_game_reach_deeper() {
    let (mut searcher, mut state) = (searcher(), SearchState::new(40_000));
    let mut game = History::new(position(
        "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 1",
    ));
    let mut depths = [0; 2];
    for _ in 0..16 {
        let first = search(&mut searcher, &game, 40_000);
        let again = search_on(&mut searcher, &mut state, &game, 40_000);
        // The first depth uses no entries of earlier searches.
        assert_eq!(again.values[0], first.values[0]);
        depths[0] += first.values.len();
        depths[1] += again.values.len();
        let last = first.values.last().unwrap();
        let best = (0..last.len()).max_by_key(|&place| last[place]).unwrap();
        game.play(legal_moves(game.position())[best]);
    }
    assert!(depths[1] > depths[0], "{depths:?}");
}

#[test]
fn nodes_are_bounded_whatever_the_limit() {
    let mut used = searcher();
    let game = History::new(position(
        "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 1",
    ));
    for budget in (1..200).chain([1_000, 5_000, 10_001]) {
        let found = search(&mut used, &game, budget);
        assert!(found.nodes <= budget && !found.values.is_empty());
    }
    for fen in FULL {
        for budget in [1, 50, 1_000] {
            used.value(&position(fen), budget);
            assert!(used.nodes <= budget);
        }
    }
}

#[cfg(feature = "training")]
#[test]
fn sampled_positions_are_those_that_are_evaluated() {
    let (mut searcher, start) = (searcher(), Chess::default());
    let all = searcher.evaluated(&start, 300, 1, 0);
    assert!(all.len() > 50 && all.iter().all(|position| !shakmaty::Position::is_check(position)));
    let some = searcher.evaluated(&start, 300, 7, 2);
    let expected: Vec<Chess> = all.into_iter().skip(2).step_by(7).collect();
    assert_eq!(some, expected);
    assert_eq!(searcher.evaluated(&start, 300, 0, 0), []);
}
