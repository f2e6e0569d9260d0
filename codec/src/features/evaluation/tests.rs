use shakmaty::{Board, Chess, Color, Position, Square};

use super::terms::{KNIGHT_MOBILITY, PASSED, SHIELD};
use super::*;

/// The evaluation by a plain sum over all terms, in centipawns for the side to move.
fn evaluate(board: &Board, turn: Color) -> i32 {
    let mut sum = 0i32;
    terms(board, turn, |index, color| {
        let weight = PACKED[index];
        sum = if color == turn { sum.wrapping_add(weight) } else { sum.wrapping_sub(weight) };
    });
    taper(sum, phase(board))
}

#[test]
fn parts_belong_to_the_whole() {
    // White: a passed pawn and a king without a shield; Black: a shield and no mobility.
    let setup = "6k1/5ppp/8/3P4/8/8/8/3RK3 w - - 0 1".parse::<shakmaty::fen::Fen>().unwrap();
    let board = setup.into_setup().board;
    let structure = PawnStructure::new(&board);
    let parts = Evaluation::new(&board, &AttackMap::new(&board), Color::White, &structure);
    assert_eq!(parts.total, evaluate(&board, Color::White));
    // The weights of the terms in a range, for White less for Black or for White alone.
    let sum = |range: std::ops::Range<usize>, black: i32| {
        let mut sum = 0;
        terms(&board, Color::White, |index, color| {
            if range.contains(&index) {
                sum += if color.is_white() { PACKED[index] } else { black * PACKED[index] };
            }
        });
        taper(sum, phase(&board))
    };
    assert_ne!((parts.structure, parts.own_mobility, parts.kings), (0, 0, 0));
    assert_eq!(parts.structure, sum(PASSED..KNIGHT_MOBILITY, -1));
    assert_eq!(parts.own_mobility, sum(KNIGHT_MOBILITY..TURN, 0));
    assert_eq!(parts.kings, sum(SHIELD..TERMS, -1));
    assert_eq!(parts.enemy_mobility, 0);
    let unlike = PawnStructure::new(Chess::default().board());
    assert_eq!(parts, Evaluation::new(&board, &AttackMap::new(&board), Color::White, &unlike));
    let other = Evaluation::new(&board, &AttackMap::new(&board), Color::Black, &structure);
    assert_eq!(other.total, evaluate(&board, Color::Black));
    assert_eq!((other.structure, other.kings), (-parts.structure, -parts.kings));
    assert_eq!((other.own_mobility, other.enemy_mobility), (0, parts.own_mobility));
}

#[test]
fn the_start_is_nearly_even_and_a_queen_is_worth_more_than_a_rook() {
    let start = Chess::default();
    assert!(evaluate(start.board(), Color::White).abs() < 60);
    let mut board = start.board().clone();
    board.discard_piece_at(Square::D8);
    let without_queen = evaluate(&board, Color::White);
    board = start.board().clone();
    board.discard_piece_at(Square::A8);
    assert!(without_queen > evaluate(&board, Color::White) && without_queen > 500);
    assert_eq!(evaluate(&board, Color::White), {
        let mut mirrored = board.clone();
        mirrored.flip_vertical();
        mirrored.swap_colors();
        evaluate(&mirrored, Color::Black)
    });
}
