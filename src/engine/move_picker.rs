//! The moves of a position of the search, one after the other, those first that promise most.
//!
//! Most positions are left after one move or two, so moves are found when their turn comes: first
//! the one that the transposition table knows, then captures and promotions, then all others.

use shakmaty::{Bitboard, Board, CastlingSide, Chess, Move, MoveList, Position, Role, Square};

use crate::chess::{captures, castles, exchange, gain, is_quiet, quiets, role_value};

/// Ranks of the table's move, of captures and promotions that lose nothing, and of killers. Other
/// quiet moves have less than the last of these, and captures that lose material less than all
/// others.
const FROM_TABLE: i32 = 1_000_000;
pub const WINNING: i32 = 200_000;
pub const KILLER: i32 = 150_000;
pub const LOSING: i32 = -200_000;

/// What stands for a move that was picked, and for one that will not be.
const PICKED: i32 = i32::MIN;
const DROPPED: i32 = i32::MIN + 1;

/// What is to be found next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The move that the table knows.
    Known,
    Captures,
    /// Quiet moves, when no capture is left that loses nothing.
    Quiet,
    Nothing,
}

/// Picks the moves of one position.
#[derive(Debug)]
pub struct MovePicker {
    stage: Stage,
    /// Whether quiet moves are picked.
    quiet: bool,
    /// The hint of the table's move, 0 for none.
    known: u16,
    moves: MoveList,
    /// Where the ranks of the moves begin.
    first: usize,
}

/// The ranks of the moves of all positions of a line, one position after the other.
pub type Ranks = Vec<i32>;

impl MovePicker {
    /// A picker of the moves of a position, the one with the hint `known` first.
    pub fn new(known: u16, ranks: &Ranks) -> MovePicker {
        let stage = if known == 0 { Stage::Captures } else { Stage::Known };
        MovePicker { stage, quiet: true, known, moves: MoveList::new(), first: ranks.len() }
    }

    /// Picks nothing but captures that win more than `bound` centipawns at once.
    pub fn only_captures(&mut self, position: &Chess, bound: i32, ranks: &mut Ranks) {
        self.stage = Stage::Nothing;
        let board = position.board();
        let prey = Role::ALL.into_iter().filter(|&role| role_value(role) > bound);
        let prey = prey.fold(Bitboard::EMPTY, |prey, role| prey | board.by_role(role));
        captures(position, prey, false, &mut self.moves);
        for (place, &candidate) in self.moves.iter().enumerate() {
            let gain = gain(candidate);
            let rank = WINNING + capture_rank(candidate, gain);
            ranks.push(if gain > bound { pack(rank, place) } else { DROPPED });
        }
    }

    /// The next move and its rank, `None` if there is no other. `quiet_rank` says what a quiet
    /// move, given as role, departure and what [`Move::to`] says, promises: between [`LOSING`] and
    /// [`KILLER`].
    pub fn pick(
        &mut self,
        position: &Chess,
        ranks: &mut Ranks,
        quiet_rank: impl Fn(Role, Square, Square) -> i32,
    ) -> Option<(i32, Move)> {
        if self.stage == Stage::Known {
            self.stage = Stage::Captures;
            if let Some(known) = find(position, self.known) {
                return Some((FROM_TABLE, known));
            }
        }
        if self.stage == Stage::Captures {
            self.stage = Stage::Quiet;
            self.add_captures(position, ranks);
        }
        loop {
            let left = &mut ranks[self.first..];
            let most = left.iter().copied().fold(DROPPED, i32::max);
            let (rank, place) = unpack(most);
            if rank < WINNING && self.stage == Stage::Quiet {
                self.stage = Stage::Nothing;
                if self.quiet {
                    self.add_quiet(position, ranks, &quiet_rank);
                    continue;
                }
            }
            if most == DROPPED {
                return None;
            }
            let candidate = self.moves[place];
            // Whether a capture loses material is found out when its turn comes, which it seldom
            // does; if so, it has another turn.
            if rank >= WINNING && loses_more(position, candidate, 0) {
                left[place] = pack(rank - WINNING + LOSING, place);
                continue;
            }
            left[place] = PICKED;
            return Some((rank, candidate));
        }
    }

    #[inline(never)]
    fn add_captures(&mut self, position: &Chess, ranks: &mut Ranks) {
        captures(position, position.them(), true, &mut self.moves);
        for (place, &candidate) in self.moves.iter().enumerate() {
            let rank = WINNING + capture_rank(candidate, gain(candidate));
            let known = hint(candidate) == self.known;
            ranks.push(if known { PICKED } else { pack(rank, place) });
        }
    }

    #[inline(never)]
    fn add_quiet(
        &mut self,
        position: &Chess,
        ranks: &mut Ranks,
        quiet_rank: impl Fn(Role, Square, Square) -> i32,
    ) {
        let (moves, known) = (&mut self.moves, self.known);
        let mut add = |candidate, role, from, to| {
            let place = moves.len();
            // Boards with more moves than a list has room for cannot come about.
            if moves.try_push(candidate).is_ok() {
                let rank = quiet_rank(role, from, to);
                let known = squares_hint(from, to) == known;
                ranks.push(if known { PICKED } else { pack(rank, place) });
            }
        };
        quiets(position, |role, from, to| {
            let (capture, promotion) = (None, None);
            add(Move::Normal { role, from, capture, to, promotion }, role, from, to);
        });
        castles(position, |castle| {
            if let Move::Castle { king, rook } = castle {
                add(castle, Role::King, king, rook);
            }
        });
    }

    /// Quiet moves are not picked from now on.
    pub fn drop_quiet(&mut self, ranks: &mut Ranks) {
        if std::mem::replace(&mut self.quiet, false) && self.stage == Stage::Nothing {
            for (rank, &candidate) in ranks[self.first..].iter_mut().zip(&self.moves) {
                if is_quiet(candidate) && *rank != PICKED {
                    *rank = DROPPED;
                }
            }
        }
    }

    /// The quiet moves that were picked.
    pub fn picked<'a>(&'a self, ranks: &'a Ranks) -> impl Iterator<Item = Move> + 'a {
        let moves = ranks[self.first..].iter().zip(&self.moves);
        moves.filter(|(rank, m)| **rank == PICKED && is_quiet(**m)).map(|(_, &m)| m)
    }
}

/// A move's rank and its place among the moves of a position: the greater number is picked first,
/// the first of equals.
fn pack(rank: i32, place: usize) -> i32 {
    rank << 9 | (511 - place) as i32
}

/// The rank and place that [`pack`] was given.
fn unpack(packed: i32) -> (i32, usize) {
    (packed >> 9, 511 - (packed & 511) as usize)
}

/// A move as squares and promotion in 15 bits, never 0.
pub fn hint(played: Move) -> u16 {
    let from = played.from().unwrap_or(Square::A1);
    let promotion = played.promotion().map_or(0, |role| role as u16);
    squares_hint(from, played.to()) + (promotion << 12)
}

/// The hint of a move that does not promote, by its departure and what [`Move::to`] says.
pub fn squares_hint(from: Square, to: Square) -> u16 {
    1 + (u16::from(from) | u16::from(to) << 6)
}

/// The squares of a hint that is not 0.
fn squares(hint: u16) -> (Square, Square) {
    let square = |bits: u16| Square::new(u32::from(bits & 63));
    (square(hint - 1), square((hint - 1) >> 6))
}

/// The legal move of `position` with this hint.
fn find(position: &Chess, hint: u16) -> Option<Move> {
    let (from, to) = squares(hint);
    let role = position.board().role_at(from)?;
    let moves = if role == Role::King && (position.us() & position.board().rooks()).contains(to) {
        position.castling_moves(CastlingSide::from_king_side(from < to))
    } else {
        position.san_candidates(role, to)
    };
    moves.into_iter().find(|&candidate| self::hint(candidate) == hint)
}

/// The rank among captures and promotions of one that wins `gain`: what is worth most first, taken
/// by what is worth least. At least 0, and less than there is between [`WINNING`] and
/// [`FROM_TABLE`].
fn capture_rank(candidate: Move, gain: i32) -> i32 {
    16 * gain - role_value(candidate.role()).min(1000)
}

/// Whether the move with this hint takes something on its arrival; castling seems to.
pub fn takes(board: &Board, hint: u16) -> bool {
    hint != 0 && board.occupied().contains(squares(hint).1)
}

/// Whether a move loses more than `most` of material, at least 0, in centipawns.
pub fn loses_more(position: &Chess, candidate: Move, most: i32) -> bool {
    let gain = gain(candidate);
    let placed = candidate.promotion().unwrap_or(candidate.role());
    // No more is lost than the piece that moves, and a king goes where nothing takes it.
    if role_value(placed) - gain <= most || placed == Role::King {
        return false;
    }
    let Some(from) = candidate.from() else { return false };
    let turn = position.turn();
    exchange(position.board(), from, candidate.to(), turn, role_value(placed), gain) < -most
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen, san::San};

    use super::*;
    use crate::chess::random_games::random_games;
    use crate::chess::{leaves_king, legal_moves, split_mix};

    fn is_legal(position: &Chess, candidate: Move) -> bool {
        let mut next = position.clone();
        next.play_unchecked(candidate);
        !leaves_king(&next)
    }

    /// All moves that are picked, without those that leave a king to be taken.
    fn picked(position: &Chess, picker: &mut MovePicker, ranks: &mut Ranks) -> Vec<(i32, Move)> {
        let quiet_rank = |_, from, to| i32::from(squares_hint(from, to)) % 997 - 500;
        let all = std::iter::from_fn(|| picker.pick(position, ranks, quiet_rank));
        all.filter(|&(_, candidate)| is_legal(position, candidate)).collect()
    }

    fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<u16> {
        let mut hints: Vec<u16> = moves.into_iter().map(hint).collect();
        hints.sort_unstable();
        hints
    }

    #[test]
    fn every_legal_move_is_picked_once_those_of_greatest_rank_first() {
        let (mut checks, mut known_castles, mut losing) = (0, 0, 0);
        random_games(|position, seed| {
            let legal = legal_moves(position);
            let known = match seed % 3 {
                0 => 0,
                // No move at all, mostly.
                1 => (1 + split_mix(seed) % 28_000) as u16,
                _ => {
                    let castle = legal.iter().find(|candidate| candidate.is_castle());
                    let any = legal.get(split_mix(seed) as usize % legal.len().max(1));
                    castle.or(any).map_or(0, |&candidate| hint(candidate))
                }
            };
            let mut ranks = vec![7, 8];
            let mut picker = MovePicker::new(known, &ranks);
            let moves = picked(position, &mut picker, &mut ranks);
            assert_eq!(sorted(moves.iter().map(|&(_, m)| m)), sorted(legal.clone()));
            assert!(moves.is_sorted_by_key(|&(rank, _)| -rank), "{moves:?}");
            let first = moves.first().map(|&(_, m)| m);
            if let Some(&expected) = legal.iter().find(|&&m| hint(m) == known) {
                assert_eq!(first, Some(expected));
                known_castles += usize::from(expected.is_castle());
            }
            let quiet = moves.iter().map(|&(_, m)| m).filter(|&m| is_quiet(m));
            assert_eq!(sorted(picker.picked(&ranks)), sorted(quiet));
            assert_eq!(ranks[..2], [7, 8]);
            checks += usize::from(position.is_check());
            losing += moves.iter().filter(|&&(rank, _)| rank < LOSING / 2).count();
        });
        assert!(checks > 100 && known_castles > 0 && losing > 500);
    }

    #[test]
    fn quiet_moves_can_be_dropped_at_any_time() {
        random_games(|position, seed| {
            let (mut ranks, after) = (vec![], seed as usize % 12);
            let mut picker = MovePicker::new(0, &ranks);
            let mut rest = vec![];
            for number in 0.. {
                if number == after {
                    picker.drop_quiet(&mut ranks);
                }
                let Some((_, candidate)) = picker.pick(position, &mut ranks, |_, _, _| 0) else {
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
                let mut ranks = vec![3; seed as usize % 4];
                let mut picker = MovePicker::new(0, &ranks);
                picker.only_captures(position, bound, &mut ranks);
                let moves = picked(position, &mut picker, &mut ranks);
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
        let mut ranks = vec![];
        let mut picker = MovePicker::new(0, &ranks);
        let moves = picked(&position, &mut picker, &mut ranks);
        let san = |at: usize| San::from_move(&position, moves[at].1).to_string();
        assert_eq!([san(0), san(1), san(moves.len() - 1)], ["gxh3", "Rxh3", "Rxd6"]);
        assert!(moves[2].0 < WINNING && moves[moves.len() - 1].0 < LOSING / 2);
    }

    #[test]
    fn what_a_move_loses_and_takes() {
        let fen = "4k3/2p5/3p4/8/8/3R3p/6PP/R3K3 w Q - 0 1";
        let position: Chess =
            fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let of = |san: &str| san.parse::<San>().unwrap().to_move(&position).unwrap();
        // A rook for a pawn, and nothing.
        for (san, lost) in [("Rxd6", 400), ("Rd5", 0), ("gxh3", 0), ("g4", 0), ("Kf1", 0)] {
            let loses = |most| loses_more(&position, of(san), most);
            assert!(!loses(lost), "{san}");
            assert_eq!(loses(lost.max(1) - 1), lost > 0, "{san}");
        }
        let board = position.board();
        assert!(takes(board, hint(of("Rxd6"))) && takes(board, hint(of("O-O-O"))));
        assert!(!takes(board, hint(of("Rd5"))) && !takes(board, 0));
        let attacked = "4k3/8/2p5/8/8/3R4/8/4K3 w - - 0 1";
        let position: Chess =
            attacked.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let quiet = "Rd5".parse::<San>().unwrap().to_move(&position).unwrap();
        assert!(loses_more(&position, quiet, 499) && !loses_more(&position, quiet, 500));
    }
}
