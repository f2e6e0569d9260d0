use shakmaty::{CastlingMode, fen::Fen, san::San};

use super::*;
use crate::chess::random_games::random_games;
use crate::chess::{leaves_king, legal_moves};
use crate::split_mix::split_mix;

fn is_legal(position: &Chess, candidate: Move) -> bool {
    let mut next = position.clone();
    next.play_unchecked(candidate);
    !leaves_king(&next)
}

/// All moves that are picked, without those that leave a king to be taken.
fn picked(position: &Chess, picker: &mut MovePicker, scores: &mut MoveScores) -> Vec<(i32, Move)> {
    let quiet_score = |_, from, to| (usize::from(from) * 64 + usize::from(to)) as i32 % 997 - 500;
    let all = std::iter::from_fn(|| picker.pick(position, scores, quiet_score));
    all.filter(|&(_, candidate)| is_legal(position, candidate)).collect()
}

fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<PackedMove> {
    let mut packed: Vec<PackedMove> = moves.into_iter().map(PackedMove::new).collect();
    packed.sort_unstable();
    packed
}

#[test]
fn every_legal_move_is_picked_once_those_of_highest_score_first() {
    let (mut checks, mut castles, mut losing) = (0, 0, 0);
    random_games(|position, seed| {
        let legal = legal_moves(position);
        let table_move = match seed % 3 {
            0 => PackedMove::NONE,
            // No move at all, mostly.
            1 => PackedMove::from((1 + split_mix(seed) % 28_000) as u16),
            _ => {
                let castle = legal.iter().find(|candidate| candidate.is_castle());
                let any = legal.get(split_mix(seed) as usize % legal.len().max(1));
                castle.or(any).map_or(PackedMove::NONE, |&candidate| PackedMove::new(candidate))
            }
        };
        let mut scores = vec![7, 8];
        let mut picker = MovePicker::new(table_move, &scores);
        let moves = picked(position, &mut picker, &mut scores);
        assert_eq!(sorted(moves.iter().map(|&(_, m)| m)), sorted(legal.clone()));
        assert!(moves.is_sorted_by_key(|&(score, _)| -score), "{moves:?}");
        let first = moves.first().map(|&(_, m)| m);
        if let Some(&expected) = legal.iter().find(|&&m| PackedMove::new(m) == table_move) {
            assert_eq!(first, Some(expected));
            castles += usize::from(expected.is_castle());
        }
        let quiet = moves.iter().map(|&(_, m)| m).filter(|&m| is_quiet(m));
        assert_eq!(sorted(picker.picked_quiets(&scores)), sorted(quiet));
        assert_eq!(scores[..2], [7, 8]);
        checks += usize::from(position.is_check());
        losing += moves.iter().filter(|&&(score, _)| score < BAD_CAPTURE / 2).count();
    });
    assert!(checks > 100 && castles > 0 && losing > 500);
}

#[test]
fn quiet_moves_can_be_dropped_at_any_time() {
    random_games(|position, seed| {
        let (mut scores, after) = (vec![], seed as usize % 12);
        let mut picker = MovePicker::new(PackedMove::NONE, &scores);
        let mut rest = vec![];
        for number in 0.. {
            if number == after {
                picker.drop_quiets(&mut scores);
            }
            let Some((_, candidate)) = picker.pick(position, &mut scores, |_, _, _| 0) else {
                break;
            };
            if number >= after && is_legal(position, candidate) {
                rest.push(candidate);
            }
        }
        assert!(rest.iter().all(|&candidate| !is_quiet(candidate)));
        if after == 0 {
            let loud = legal_moves(position).into_iter().filter(|&m| !is_quiet(m));
            assert_eq!(sorted(rest), sorted(loud));
        }
    });
}

#[test]
fn captures_alone_are_those_that_win_enough() {
    let mut some = 0;
    random_games(|position, seed| {
        for bound in [-1, 99, 100, 325, 800] {
            let mut scores = vec![3; seed as usize % 4];
            let mut picker = MovePicker::new(PackedMove::NONE, &scores);
            picker.only_captures(position, bound, &mut scores);
            let moves = picked(position, &mut picker, &mut scores);
            let expected = position.capture_moves().into_iter().filter(|&m| gain(m) > bound);
            let expected = sorted(expected);
            some += expected.len();
            assert_eq!(sorted(moves.into_iter().map(|(_, m)| m)), expected);
        }
    });
    assert!(some > 5_000);
}

#[test]
fn captures_that_lose_come_last() {
    let fen = "4k3/2p5/3p4/8/8/3R3p/6PP/4K3 w - - 0 1";
    let position: Chess =
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
    let mut scores = vec![];
    let mut picker = MovePicker::new(PackedMove::NONE, &scores);
    let moves = picked(&position, &mut picker, &mut scores);
    let san = |at: usize| San::from_move(&position, moves[at].1).to_string();
    assert_eq!([san(0), san(1), san(moves.len() - 1)], ["gxh3", "Rxh3", "Rxd6"]);
    assert!(moves[2].0 < GOOD_CAPTURE && moves[moves.len() - 1].0 < BAD_CAPTURE / 2);
}
