use shakmaty::{Board, CastlingMode, Chess, Color, Move, Position, Role, fen::Fen};

use super::*;
use crate::split_mix::split_mix;

/// The numbers of a network with this many king buckets: feature weights and biases
/// of every size that is allowed, small output weights.
fn numbers(king_buckets: usize) -> Vec<i16> {
    let rows = king_buckets * FEATURES * WIDTH;
    let random =
        |index: usize, max: u64| (split_mix(index as u64) % (2 * max + 1)) as i16 - max as i16;
    let mut numbers: Vec<i16> = (0..rows).map(|i| random(i, 127)).collect();
    numbers.extend((0..WIDTH).map(|i| random(i, 504)));
    numbers.extend((0..OUTPUT_BUCKETS * (2 * WIDTH + 1)).map(|i| random(i, 60)));
    numbers
}

fn position(fen: &str) -> Chess {
    fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
}

/// The accumulator of a board, computed with an empty refresh table.
fn fresh(network: &Nnue, board: &Board) -> Accumulator {
    network.accumulator(board, &mut network.refresh_table())
}

#[test]
fn accumulators_follow_every_kind_of_move() {
    for king_buckets in [1, KING_BUCKETS] {
        let network = Nnue::new(&numbers(king_buckets)).unwrap();
        let mut table = network.refresh_table();
        let (mut castled, mut passed, mut promoted, mut took) = (0, 0, 0, 0);
        for fen in [
            "r3k2r/pppp2P1/8/3Pp3/8/1n6/P1PPPP2/R3K2R w KQkq e6 0 1",
            "r3k2r/ppp5/8/8/3Pp3/1n6/P1P1PPpP/R3K2R b KQkq d3 0 1",
        ] {
            let position = position(fen);
            let before = fresh(&network, position.board());
            let mut after = Accumulator::empty();
            for played in position.legal_moves() {
                let mut next = position.clone();
                next.play_unchecked(played);
                let delta = FeatureDelta::new(played, position.turn());
                network.update(&before, &delta, next.board(), &mut table, &mut after);
                assert_eq!(after, fresh(&network, next.board()), "{played:?}");
                castled += usize::from(played.is_castle());
                passed += usize::from(played.is_en_passant());
                promoted += usize::from(played.is_promotion() && played.is_capture());
                took += usize::from(played.is_capture() && !played.is_promotion());
            }
        }
        assert!(castled == 3 && passed == 2 && promoted == 8 && took > 4);
    }
}

#[test]
fn accumulators_follow_kings_all_over_the_board() {
    let network = Nnue::new(&numbers(KING_BUCKETS)).unwrap();
    let mut position = position("4k3/p6p/8/8/8/8/P6P/4K3 w - - 0 1");
    let (mut after, mut table) = (fresh(&network, position.board()), network.refresh_table());
    let mut perspectives = vec![];
    for ply in 0..1500 {
        let moves = position.legal_moves();
        let kings: Vec<Move> = moves.into_iter().filter(|m| m.role() == Role::King).collect();
        let played = kings[split_mix(ply) as usize % kings.len()];
        let delta = FeatureDelta::new(played, position.turn());
        position.play_unchecked(played);
        let before = after.clone();
        network.update(&before, &delta, position.board(), &mut table, &mut after);
        assert_eq!(after, fresh(&network, position.board()), "{ply}");
        let perspective = network.perspective_on(position.board(), Color::White);
        if !perspectives.contains(&perspective) {
            perspectives.push(perspective);
        }
    }
    assert_eq!(perspectives.len(), 2 * KING_BUCKETS);
}

/// The evaluations of a board with White and with Black to move.
fn evaluations(network: &Nnue, fen: &str) -> [i32; 2] {
    let accumulator = fresh(network, &Board::from_ascii_board_fen(fen.as_bytes()).unwrap());
    Color::ALL.map(|turn| network.evaluate(&accumulator, turn, 20))
}

#[test]
fn evaluations_do_not_change_with_colors_nor_with_a_large_network_when_mirrored() {
    let [small, large] =
        [1, KING_BUCKETS].map(|king_buckets| Nnue::new(&numbers(king_buckets)).unwrap());
    let board = "r3k3/pppp4/8/3Pp3/8/1n6/P1PPPPPP/1K5R";
    let turned = "1k5r/p1pppppp/1N6/8/3pP3/8/PPPP4/R3K3";
    let mirrored = "3k3r/4pppp/8/3pP3/8/6n1/PPPPPP1P/R5K1";
    for network in [&small, &large] {
        let [white, black] = evaluations(network, board);
        assert_eq!(evaluations(network, turned), [black, white]);
    }
    assert_ne!(evaluations(&small, mirrored), evaluations(&small, board));
    assert_eq!(evaluations(&large, mirrored), evaluations(&large, board));
}

#[test]
fn nothing_overflows_on_a_full_board_and_larger_numbers_are_refused() {
    let mut numbers = numbers(1);
    numbers[..FEATURES * WIDTH].fill(MAX_FEATURE_WEIGHT);
    numbers[FEATURES * WIDTH..][..WIDTH].fill(MAX_ACCUMULATOR_BIAS);
    let network = Nnue::new(&numbers).unwrap();
    let board = "qqqqkqqq/qqqqqqqq/qqqqqqqq/QQQQqqqq/QQQQqqqq/QQQQQQQQ/QQQQQQQQ/QQQQKQQQ";
    let accumulator = fresh(&network, &Board::from_ascii_board_fen(board.as_bytes()).unwrap());
    assert_eq!(
        accumulator.sides,
        [HiddenVector([64 * MAX_FEATURE_WEIGHT + MAX_ACCUMULATOR_BIAS; WIDTH]); 2]
    );
    assert!(network.evaluate(&accumulator, Color::White, 64).abs() <= MAX_EVAL);
    for (place, number) in [
        (5, MAX_FEATURE_WEIGHT + 1),
        (5, -128),
        (5, i16::MIN),
        (FEATURES * WIDTH, -MAX_ACCUMULATOR_BIAS - 1),
        (FEATURES * WIDTH + WIDTH, MAX_OUTPUT_WEIGHT + 1),
    ] {
        let mut damaged = numbers.clone();
        damaged[place] = number;
        assert_eq!(Nnue::new(&damaged), None, "{place}");
    }
    let mut heavy = numbers.clone();
    heavy[FEATURES * WIDTH + WIDTH..].fill(MAX_OUTPUT_WEIGHT);
    assert_eq!(Nnue::new(&heavy), None);
    assert_eq!(Nnue::new(&numbers[1..]), None);
}
