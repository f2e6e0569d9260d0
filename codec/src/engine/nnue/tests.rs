use shakmaty::{Board, CastlingMode, Chess, Color, Move, Position, Role, fen::Fen};

use super::*;
use crate::split_mix::split_mix;

/// The numbers of a network of one of the first two shapes: feature weights and biases
/// of every size that is allowed, small output weights.
fn numbers(king_buckets: usize) -> Vec<i16> {
    numbers_of_width(WIDTH, king_buckets)
}

/// A layout of seven king buckets.
const LAYOUT: [i16; 32] = [
    0, 0, 1, 2, 3, 3, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
];

/// The numbers of a network with a header.
fn shaped(width: usize, layout: Option<[i16; 32]>) -> Vec<i16> {
    let mut numbers = vec![1, width as i16, i16::from(layout.is_some())];
    numbers.extend(layout.iter().flatten());
    numbers.extend(numbers_of_width(width, layout.map_or(1, |_| 7)));
    numbers
}

fn numbers_of_width(width: usize, king_buckets: usize) -> Vec<i16> {
    let rows = king_buckets * FEATURES * width;
    let random =
        |index: usize, max: u64| (split_mix(index as u64) % (2 * max + 1)) as i16 - max as i16;
    let mut numbers: Vec<i16> = (0..rows).map(|i| random(i, 127)).collect();
    numbers.extend((0..width).map(|i| random(i, 504)));
    numbers.extend((0..OUTPUT_BUCKETS * (2 * width + 1)).map(|i| random(i, 15)));
    numbers
}

fn position(fen: &str) -> Chess {
    fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
}

/// The accumulator of a board, computed with an empty refresh table.
fn fresh(network: &Nnue, board: &Board) -> Accumulator {
    let mut accumulator = network.empty_accumulator();
    network.accumulate(board, &mut network.refresh_table(), &mut accumulator);
    accumulator
}

#[test]
fn accumulators_follow_every_kind_of_move() {
    let shapes = [numbers(1), numbers(KING_BUCKETS), shaped(64, None), shaped(512, Some(LAYOUT))];
    for numbers in shapes {
        let network = Nnue::new(&numbers).unwrap();
        let mut table = network.refresh_table();
        let (mut castled, mut passed, mut promoted, mut took) = (0, 0, 0, 0);
        for fen in [
            "r3k2r/pppp2P1/8/3Pp3/8/1n6/P1PPPP2/R3K2R w KQkq e6 0 1",
            "r3k2r/ppp5/8/8/3Pp3/1n6/P1P1PPpP/R3K2R b KQkq d3 0 1",
        ] {
            let position = position(fen);
            let before = fresh(&network, position.board());
            let mut after = network.empty_accumulator();
            for played in position.legal_moves() {
                let mut next = position.clone();
                next.play_unchecked(played);
                let delta = FeatureDelta::new(played, position.turn());
                let seen = Some((next.board(), &mut table));
                network.update(&before, &delta, seen, &mut after);
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
        let seen = Some((position.board(), &mut table));
        network.update(&before, &delta, seen, &mut after);
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
fn a_header_of_a_first_shape_changes_nothing() {
    let layout: [i16; 32] =
        std::array::from_fn(|i| KING_BUCKET_OF_RANK[i / 4][1 - i % 4 / 2].into());
    for (layout, king_buckets) in [(None, 1), (Some(layout), KING_BUCKETS)] {
        let numbers = numbers(king_buckets);
        let mut with_header = vec![1, WIDTH as i16, i16::from(layout.is_some())];
        with_header.extend(layout.iter().flatten());
        with_header.extend(&numbers);
        assert_eq!(Nnue::new(&with_header), Nnue::new(&numbers));
    }
}

#[test]
fn shapes_that_are_not_known_are_refused() {
    let good = shaped(128, Some(LAYOUT));
    assert!(Nnue::new(&good).is_some());
    assert!(good.len() < MAX_NUMBERS);
    for (place, number) in [
        (0, 0),
        (0, 2),
        (1, 0),
        (1, 64),
        (1, 129),
        (1, -128),
        (1, 2048),
        (2, 0),
        (2, 2),
        (3, 7),
        (3, -1),
        (3, 16),
    ] {
        let mut damaged = good.clone();
        damaged[place] = number;
        assert_eq!(Nnue::new(&damaged), None, "{place}: {number}");
    }
    for length in [0, 1, 2, 3, 34, 35, good.len() - 1] {
        assert_eq!(Nnue::new(&good[..length]), None, "{length}");
    }
}

#[test]
fn nothing_overflows_on_a_full_board_and_larger_numbers_are_refused() {
    let mut numbers = numbers(1);
    numbers[..FEATURES * WIDTH].fill(MAX_FEATURE_WEIGHT);
    numbers[FEATURES * WIDTH..][..WIDTH].fill(MAX_ACCUMULATOR_BIAS);
    let network = Nnue::new(&numbers).unwrap();
    let board = "qqqqkqqq/qqqqqqqq/qqqqqqqq/QQQQqqqq/QQQQqqqq/QQQQQQQQ/QQQQQQQQ/QQQQKQQQ";
    let accumulator = fresh(&network, &Board::from_ascii_board_fen(board.as_bytes()).unwrap());
    let most = HiddenBlock([64 * MAX_FEATURE_WEIGHT + MAX_ACCUMULATOR_BIAS; LANES]);
    assert_eq!([accumulator.side(0), accumulator.side(1)], [&[most; WIDTH / LANES]; 2]);
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
