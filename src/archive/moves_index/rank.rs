//! Moves as ranks: the place of a move among the legal ones, with those first that rules of thumb take to be likely.
//!
//! The order is part of the form of an index (`docs/format/index-file.md`).

use shakmaty::{Bitboard, Chess, Color, Move, Position, Role, Square, attacks};

/// A line of moves, as far as it was played.
#[derive(Debug, Clone)]
pub struct Walk {
    position: Chess,
    /// The target of the last move, if it has captured something.
    captured_on: Option<Square>,
}

/// No board has more legal moves.
const MOST_MOVES: usize = 512;

/// What pieces are worth, in hundredths of a pawn, by role.
const VALUES: [i32; 6] = [100, 300, 310, 500, 900, 0];

/// Pieces but for pawns and kings that an endgame has at most.
const ENDGAME: usize = 6;

/// Scores are cut to this distance from 0.
const MOST: i32 = 4_000;

impl Walk {
    /// A line from `start`.
    pub fn new(start: Chess) -> Walk {
        Walk { position: start, captured_on: None }
    }

    /// The position on the board.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// Plays a legal move.
    pub fn play(&mut self, played: Move) {
        self.captured_on = played.is_capture().then(|| played.to());
        self.position.play_unchecked(played);
    }

    /// The rank of a move, from 0 on; `None` if it is not legal.
    pub fn rank(&self, played: Move) -> Option<usize> {
        let legal = self.position.legal_moves();
        let order = Order::new(self);
        let own = legal.contains(&played).then(|| order.key(played))?;
        Some(legal.iter().filter(|&&other| order.key(other) < own).count())
    }

    /// The legal move of a rank; `None` if there are not so many.
    pub fn at(&self, rank: usize) -> Option<Move> {
        let legal = self.position.legal_moves();
        if rank >= legal.len() {
            return None;
        }
        let order = Order::new(self);
        let mut keys = [0u64; MOST_MOVES];
        let keys = keys.get_mut(..legal.len())?;
        for (place, (key, &candidate)) in keys.iter_mut().zip(&legal).enumerate() {
            *key = u64::from(order.key(candidate)) << 9 | place as u64;
        }
        let found = nth(keys, rank)?;
        legal.get((found & 0x1ff) as usize).copied()
    }
}

/// The key that is larger than `rank` others. Ranks are low, mostly.
fn nth(keys: &mut [u64], rank: usize) -> Option<u64> {
    if rank > FEW {
        return Some(*keys.select_nth_unstable(rank).1);
    }
    let mut found = *keys.iter().min()?;
    for _ in 0..rank {
        found = keys.iter().copied().filter(|&key| key > found).min()?;
    }
    Some(found)
}

/// As many passes over the keys are sooner done than a selection.
const FEW: usize = 4;

/// What the rules of thumb look at, once for all moves of a position.
struct Order {
    captured_on: Option<Square>,
    /// What the enemy's pawns attack; or his knights and bishops, too; or his rooks, too; or any of his pieces.
    attacked: [Bitboard; 4],
    /// The squares from which a piece attacks the enemy's king, by role.
    checks: [Bitboard; 6],
    /// What squares are worth now.
    squares: &'static [[i16; 64]; 6],
    /// Turns the number of a square into that from the mover's side.
    flip: usize,
}

impl Order {
    fn new(walk: &Walk) -> Order {
        let position = &walk.position;
        let (board, turn) = (position.board(), position.turn());
        let (occupied, enemy) = (board.occupied(), board.by_color(!turn));
        let pawns = enemy & board.pawns();
        let no = |file: u64| Bitboard(!file);
        let (not_a, not_h) = (no(0x0101_0101_0101_0101), no(0x8080_8080_8080_8080));
        let by_pawns = match turn {
            Color::White => (pawns & not_a).0 >> 9 | (pawns & not_h).0 >> 7,
            Color::Black => (pawns & not_a).0 << 7 | (pawns & not_h).0 << 9,
        };
        let mut all = Bitboard(by_pawns);
        let mut attacked = [all; 4];
        for square in enemy & board.knights() {
            all |= attacks::knight_attacks(square);
        }
        for square in enemy & board.bishops() {
            all |= attacks::bishop_attacks(square, occupied);
        }
        attacked[1] = all;
        for square in enemy & board.rooks() {
            all |= attacks::rook_attacks(square, occupied);
        }
        attacked[2] = all;
        for square in enemy & board.queens() {
            all |= attacks::queen_attacks(square, occupied);
        }
        let mut checks = [Bitboard::EMPTY; 6];
        if let Some(king) = board.king_of(!turn) {
            all |= attacks::king_attacks(king);
            let bishop = attacks::bishop_attacks(king, occupied);
            let rook = attacks::rook_attacks(king, occupied);
            let (pawn, knight) =
                (attacks::pawn_attacks(!turn, king), attacks::knight_attacks(king));
            checks = [pawn, knight, bishop, rook, bishop | rook, Bitboard::EMPTY];
        }
        attacked[3] = all;
        let pieces = occupied & !board.pawns() & !board.kings();
        Order {
            captured_on: walk.captured_on,
            attacked,
            checks,
            squares: &SQUARES[usize::from(pieces.count() <= ENDGAME)],
            flip: turn.fold_wb(0, 56),
        }
    }

    /// A number that is lower for likelier moves, and differs from that of all other moves of the position.
    fn key(&self, candidate: Move) -> u32 {
        let from = candidate.from().map_or(0, u32::from);
        let promotion = candidate.promotion().map_or(0, u32::from);
        let canonical = from << 9 | u32::from(candidate.to()) << 3 | promotion;
        let score = self.score(candidate).clamp(-MOST, MOST);
        ((MOST - score) as u32) << 15 | canonical
    }

    fn score(&self, candidate: Move) -> i32 {
        let (role, to) = (candidate.role(), candidate.to());
        let Some(from) = candidate.from() else { return 0 };
        if candidate.is_castle() {
            return 150;
        }
        let leaving = self.loss(role, from) * 3 / 4 - self.square(role, from);
        let arrived = candidate.promotion().unwrap_or(role);
        let gain = candidate.capture().map_or(0, value) + value(arrived) - value(role);
        let mut score = gain - self.loss(arrived, to);
        if self.captured_on == Some(to) && score >= -50 {
            score += 250;
        }
        let checks = self.checks[index(arrived)].0 >> u32::from(to) & 1;
        score + 60 * checks as i32 + leaving + self.square(arrived, to)
    }

    /// What a piece may lose on a square, in hundredths of a pawn. What may come next cannot be foretold by a processor,
    /// so nothing branches.
    fn loss(&self, role: Role, square: Square) -> i32 {
        let attacked = self.attacked.iter().map(|set| (set.0 >> u32::from(square) & 1) as usize);
        i32::from(LOSSES[index(role)][attacked.sum::<usize>()])
    }

    /// What a square is worth to a piece, in hundredths of a pawn.
    fn square(&self, role: Role, square: Square) -> i32 {
        i32::from(self.squares[index(role)][usize::from(square) ^ self.flip])
    }
}

/// What a piece may lose, by its role and by how many of the sets of [`Order::attacked`] its square is in: none, any
/// piece, rooks, knights and bishops, pawns.
static LOSSES: [[i16; 5]; 6] = {
    let mut table = [[0; 5]; 6];
    let mut role = 0;
    // A king loses nothing.
    while role < 5 {
        let mut sets = 1;
        while sets < 5 {
            let loss = VALUES[role] - [900, 500, 300, 100][sets - 1];
            let least = VALUES[role] / 4;
            table[role][sets] = if loss > least { loss } else { least } as i16;
            sets += 1;
        }
        role += 1;
    }
    table
};

fn value(role: Role) -> i32 {
    VALUES[index(role)]
}

fn index(role: Role) -> usize {
    usize::from(role) - 1
}

/// What squares are worth in the opening and in the endgame, by role, as White sees them.
static SQUARES: [[[i16; 64]; 6]; 2] = {
    let mut table = [[[0; 64]; 6]; 2];
    let mut endgame = 0;
    while endgame < 2 {
        let mut square = 0;
        while square < 64 {
            let (file, forward) = (square as i16 % 8, square as i16 / 8);
            let inner = if file < 4 { file } else { 7 - file };
            let central = inner + if forward < 4 { forward } else { 7 - forward };
            let home = (forward == 0) as i16;
            let pawn = forward * if endgame == 1 { 10 } else { 4 } + inner * forward * 2;
            let king = if endgame == 1 { central * 8 } else { -forward * 20 - inner * 12 };
            table[endgame][0][square] = pawn;
            table[endgame][1][square] = central * 10 - home * 20;
            table[endgame][2][square] = central * 5 - home * 25;
            table[endgame][3][square] = inner * 6 + forward;
            table[endgame][4][square] = central * 2;
            table[endgame][5][square] = king;
            square += 1;
        }
        endgame += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_games::random_games;

    #[test]
    fn ranks_tell_all_moves_apart() {
        let mut hasher = blake3::Hasher::new();
        random_games(|position, seed| {
            let mut walk = Walk::new(position.clone());
            walk.captured_on = Some(Square::new(seed as u32 % 64));
            let legal = position.legal_moves();
            let mut seen = vec![false; legal.len()];
            for &candidate in &legal {
                let rank = walk.rank(candidate).unwrap();
                assert!(!std::mem::replace(&mut seen[rank], true));
                assert_eq!(walk.at(rank), Some(candidate));
            }
            assert_eq!(walk.at(legal.len()), None);
            let ranks = (0..legal.len()).filter_map(|rank| walk.at(rank));
            let text: Vec<String> = ranks.map(|played| format!("{played:?}")).collect();
            hasher.update(text.concat().as_bytes());
        });
        // The order is the same for ever: indexes are made of it.
        assert_eq!(hasher.finalize().to_hex()[..16], *"6d902a17c8a8b060");
    }
}
