//! Games to test with: legal, random and always the same.

use shakmaty::{Chess, Move, Position, san::SanPlus};

/// `count` games of up to 80 random moves, laid out like a database exports them.
pub fn games(count: u64) -> Vec<Vec<u8>> {
    (0..count).map(game).collect()
}

fn game(number: u64) -> Vec<u8> {
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut below = |bound: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    let mut position = Chess::default();
    let mut movetext = String::new();
    for ply in 0..10 + below(71) {
        let mut moves: Vec<Move> = position.legal_moves().into_iter().collect();
        if moves.is_empty() {
            break;
        }
        moves.sort_unstable_by_key(|m| (m.from(), m.to(), m.promotion()));
        let chosen = moves[below(moves.len())];
        if ply % 2 == 0 {
            movetext += &format!("{}. ", ply / 2 + 1);
        }
        movetext += &format!("{} ", SanPlus::from_move_and_play_unchecked(&mut position, chosen));
    }
    let result = ["1-0", "0-1", "1/2-1/2"][below(3)];
    movetext += result;
    let (white, black) = (below(20), below(20));
    let mut pgn = format!(
        "[Event \"Random {}\"]\n[Site \"?\"]\n[Date \"2024.01.{:02}\"]\n[Round \"{}\"]\n\
         [White \"Player {white}\"]\n[Black \"Player {black}\"]\n[Result \"{result}\"]\n\n",
        number / 10,
        1 + number / 10 % 28,
        1 + number % 10,
    );
    let mut column = 0;
    for word in movetext.split(' ') {
        if column + 1 + word.len() > 80 {
            pgn.push('\n');
            column = 0;
        } else if column > 0 {
            pgn.push(' ');
            column += 1;
        }
        pgn += word;
        column += word.len();
    }
    pgn += "\n\n";
    pgn.into_bytes()
}
