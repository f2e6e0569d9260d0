//! The tactics of each legal move: what it wins, concedes and threatens, by quiescence search.

use shakmaty::{Board, Chess, Color, Move, Position, Square};

use super::attack_map::AttackMap;
use super::evaluation::{Evaluation, PawnStructure, phase};
use super::quiescence::{KING_TAKEN, after, quiesce};
use crate::chess::{History, attackers, role_value};

/// The tactics of a move, in centipawns for its side.
#[derive(Debug, Clone, Copy)]
pub struct MoveTactics {
    /// The material that it wins after the enemy's best captures; 10,000 for mate.
    pub value: i32,
    /// The material that the enemy wins by captures after it, ≥ 0.
    pub concession: i32,
    /// The material that the side would win by captures after it if the enemy passed, ≥ 0.
    pub threat: i32,
    /// The change of the evaluation, less the concession; 10,000 for mate.
    pub eval_delta: i32,
    /// The evaluation after it, for its own side.
    pub after: Evaluation,
    /// True if it gives check.
    pub check: bool,
    /// True if it captures.
    pub capture: bool,
}

/// The tactics of a position.
#[derive(Debug, Clone)]
pub struct Tactics {
    /// Of each legal move, in their order.
    pub moves: Vec<MoveTactics>,
    /// The greatest value of a move.
    pub best: i32,
    /// The greatest change of the evaluation by a move.
    pub best_eval_delta: i32,
    /// The evaluation of the position.
    pub evaluation: Evaluation,
    /// Of the position: see [`phase`].
    pub phase: i32,
    /// The material that the enemy would win by captures if it were its turn, ≥ 0.
    pub fears: i32,
    /// Own material less the enemy's.
    pub balance: i32,
}

impl Tactics {
    /// The tactics of a position and of its legal moves.
    pub fn new(history: &History, legal: &[Move]) -> Tactics {
        let position = history.position();
        let own = position.turn();
        let board = position.board();
        let structure = PawnStructure::new(board);
        let map = AttackMap::new(board);
        let evaluation = Evaluation::new(board, &map, own, &structure);
        let mut next_map = map.clone();
        let mut tactics_of = |candidate: &Move| {
            let (next, gain) = after(board, own, *candidate);
            next_map.follow(&map, board, &next);
            let next = Next { candidate: *candidate, board: next, map: &next_map, gain };
            move_tactics(position, &structure, &evaluation, &next)
        };
        let moves: Vec<MoveTactics> = legal.iter().map(&mut tactics_of).collect();
        let worth = |color: Color| -> i32 {
            let pieces = board.by_color(color) & !board.kings();
            pieces.into_iter().map(|square| board.role_at(square).map_or(0, role_value)).sum()
        };
        Tactics {
            best: moves.iter().map(|of_move| of_move.value).max().unwrap_or(0),
            best_eval_delta: moves.iter().map(|of_move| of_move.eval_delta).max().unwrap_or(0),
            evaluation,
            phase: phase(board),
            moves,
            fears: quiesce(board, &map, !own, true),
            balance: worth(own) - worth(!own),
        }
    }
}

/// What a move leads to.
struct Next<'a> {
    candidate: Move,
    board: Board,
    /// The squares that the pieces of the board attack.
    map: &'a AttackMap,
    /// The material that the move wins in centipawns.
    gain: i32,
}

fn move_tactics(
    position: &Chess,
    structure: &PawnStructure,
    evaluation: &Evaluation,
    next: &Next,
) -> MoveTactics {
    let &Next { candidate, board: ref next, map, gain } = next;
    let own = position.turn();
    let worth = Evaluation::new(next, map, own, structure);
    let enemy_king = next.king_of(!own).unwrap_or(Square::A1);
    let check = (attackers(next, enemy_king, next.occupied()) & next.by_color(own)).any();
    if check {
        let mut answered = position.clone();
        answered.play_unchecked(candidate);
        if answered.is_checkmate() {
            let mate = KING_TAKEN;
            return MoveTactics {
                value: mate,
                concession: 0,
                threat: mate,
                eval_delta: mate,
                after: worth,
                check,
                capture: candidate.is_capture(),
            };
        }
    }
    // After a legal move the own king cannot be captured.
    let concession = quiesce(next, map, !own, true);
    let threat = quiesce(next, map, own, true);
    MoveTactics {
        value: gain - concession,
        concession,
        threat,
        eval_delta: worth.total - evaluation.total - concession,
        after: worth,
        check,
        capture: candidate.is_capture(),
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen, san::San};

    use super::*;
    use crate::chess::legal_moves;

    /// The tactics of one move.
    fn tactics_of(fen: &str, san: &str) -> MoveTactics {
        let position: Chess =
            fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let played = san.parse::<San>().unwrap().to_move(&position).unwrap();
        let history = History::new(position);
        let legal = legal_moves(history.position());
        let place = legal.iter().position(|&candidate| candidate == played).unwrap();
        Tactics::new(&history, &legal).moves[place]
    }

    #[test]
    fn tactics_tell_what_moves_win_risk_and_threaten() {
        let fork = tactics_of("r3k3/8/8/3N4/8/8/6PP/6K1 w - - 0 1", "Nc7");
        assert_eq!((fork.value, fork.concession, fork.threat, fork.check), (0, 0, 500, true));
        let blunder = tactics_of("4k3/8/2p5/8/8/5Q2/8/4K3 w - - 0 1", "Qd5");
        assert_eq!((blunder.value, blunder.concession, blunder.capture), (-900, 900, false));
        let mate = tactics_of("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "Rd8");
        assert_eq!((mate.value, mate.eval_delta), (KING_TAKEN, KING_TAKEN));
        let trade = tactics_of("3r2k1/5ppp/8/8/8/3r4/5PPP/3R2K1 w - - 0 1", "Rxd3");
        assert_eq!((trade.value, trade.capture), (0, true));
    }
}
