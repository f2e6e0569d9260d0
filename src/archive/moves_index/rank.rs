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

/// Most boards have no more.
const FEW_MOVES: usize = 64;

/// What pieces are worth, in hundredths of a pawn, by role; none is worth nothing.
static VALUES: [i32; ROLES] = [0, 100, 300, 310, 500, 900, 0, 0];

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
        // Room for all moves that a board can have takes time to clear, and few boards have many.
        let (mut few, mut most);
        let keys = if legal.len() <= FEW_MOVES {
            few = [0u64; FEW_MOVES];
            few.get_mut(..legal.len())?
        } else {
            most = [0u64; MOST_MOVES];
            most.get_mut(..legal.len())?
        };
        for (place, (key, &candidate)) in keys.iter_mut().zip(&legal).enumerate() {
            *key = u64::from(order.key(candidate)) << 9 | place as u64;
        }
        let found = nth(keys, rank)?;
        legal.get((found & 0x1ff) as usize).copied()
    }
}

/// The key that is larger than `rank` others. Ranks are low, mostly.
fn nth(keys: &mut [u64], rank: usize) -> Option<u64> {
    if rank > FEW_RANKS {
        return Some(*keys.select_nth_unstable(rank).1);
    }
    let mut found = *keys.iter().min()?;
    for _ in 0..rank {
        found = keys.iter().copied().filter(|&key| key > found).min()?;
    }
    Some(found)
}

/// As many passes over the keys are sooner done than a selection.
const FEW_RANKS: usize = 4;

/// What the rules of thumb look at, once for all moves of a position. What comes next cannot be foretold by a processor:
/// moves are scored by tables, without branches.
struct Order {
    /// By target: what a move there gets for taking back.
    taking_back: Option<Square>,
    /// By square: how many of the sets of the enemy's attacks it is in, which grow: what any piece attacks; all but queens
    /// and king; pawns, knights and bishops; pawns.
    attacked: [u8; 64],
    /// The squares from which a piece attacks the enemy's king, by role.
    checks: [Bitboard; ROLES],
    /// What squares are worth now.
    squares: &'static [[i16; 64]; ROLES],
}

/// One more than there are roles, whose numbers begin with 1: none is 0. One more makes it a power of two.
const ROLES: usize = 8;

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
        let mut sets = [all; 4];
        for square in enemy & board.knights() {
            all |= attacks::knight_attacks(square);
        }
        for square in enemy & board.bishops() {
            all |= attacks::bishop_attacks(square, occupied);
        }
        sets[1] = all;
        for square in enemy & board.rooks() {
            all |= attacks::rook_attacks(square, occupied);
        }
        sets[2] = all;
        for square in enemy & board.queens() {
            all |= attacks::queen_attacks(square, occupied);
        }
        let mut checks = [Bitboard::EMPTY; ROLES];
        if let Some(king) = board.king_of(!turn) {
            all |= attacks::king_attacks(king);
            let bishop = attacks::bishop_attacks(king, occupied);
            let rook = attacks::rook_attacks(king, occupied);
            checks[index(Role::Pawn)] = attacks::pawn_attacks(!turn, king);
            checks[index(Role::Knight)] = attacks::knight_attacks(king);
            checks[index(Role::Bishop)] = bishop;
            checks[index(Role::Rook)] = rook;
            checks[index(Role::Queen)] = bishop | rook;
        }
        sets[3] = all;
        let pieces = occupied & !board.pawns() & !board.kings();
        let is_endgame = usize::from(pieces.count() <= ENDGAME);
        Order {
            taking_back: walk.captured_on,
            attacked: memberships(sets),
            checks,
            squares: &SQUARES[turn.fold_wb(0, 2) + is_endgame],
        }
    }

    /// A number that is lower for likelier moves, and differs from that of all other moves of the position.
    fn key(&self, candidate: Move) -> u32 {
        let (score, from, to, promotion) = match candidate {
            Move::Normal { role, from, capture, to, promotion } => {
                (self.score(role, from, to, capture, promotion), from, to, promotion)
            }
            Move::EnPassant { from, to } => {
                (self.score(Role::Pawn, from, to, Some(Role::Pawn), None), from, to, None)
            }
            Move::Castle { king, rook } => (150, king, rook, None),
            // Not of this game.
            Move::Put { to, .. } => (0, Square::A1, to, None),
        };
        let promotion = promotion.map_or(0, u32::from);
        let canonical = u32::from(from) << 9 | u32::from(to) << 3 | promotion;
        ((MOST - score.clamp(-MOST, MOST)) as u32) << 15 | canonical
    }

    fn score(
        &self,
        role: Role,
        from: Square,
        to: Square,
        capture: Option<Role>,
        promotion: Option<Role>,
    ) -> i32 {
        let arrived = promotion.unwrap_or(role);
        let leaving = self.loss(role, from) * 3 / 4 - self.square(role, from);
        let gain = VALUES[capture.map_or(0, index)] + VALUES[index(arrived)] - VALUES[index(role)];
        let score = gain - self.loss(arrived, to);
        let taking_back = i32::from(self.taking_back == Some(to) && score >= -50);
        let checks = (self.checks[index(arrived)].0 >> u32::from(to) & 1) as i32;
        score + 250 * taking_back + 60 * checks + leaving + self.square(arrived, to)
    }

    /// What a piece may lose on a square, in hundredths of a pawn.
    fn loss(&self, role: Role, square: Square) -> i32 {
        let attacked = self.attacked[usize::from(square)];
        i32::from(LOSSES[index(role)][usize::from(attacked) % SETS])
    }

    /// What a square is worth to a piece, in hundredths of a pawn.
    fn square(&self, role: Role, square: Square) -> i32 {
        i32::from(self.squares[index(role)][usize::from(square)])
    }
}

/// For each square, in how many of the sets it is: a row of eight squares at a time, a byte for each.
fn memberships(sets: [Bitboard; 4]) -> [u8; 64] {
    let mut squares = [0; 64];
    let rows = sets.map(|set| set.0.to_le_bytes());
    for (row, squares) in squares.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let sum: u64 = rows.iter().map(|rows| SPREAD[usize::from(rows[row])]).sum();
        *squares = sum.to_le_bytes();
    }
    squares
}

/// The bits of a byte as eight bytes, the lowest first.
static SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte] |= (byte as u64 >> bit & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Numbers of sets that a square can be in, 0 to 4, as a power of two.
const SETS: usize = 8;

/// What a piece may lose, by its role and by how many of the sets of attacks its square is in: none, any piece, rooks,
/// knights and bishops, pawns.
static LOSSES: [[i16; SETS]; ROLES] = {
    let mut table = [[0; SETS]; ROLES];
    // A king loses nothing.
    let mut role = Role::Pawn as usize;
    while role < Role::King as usize {
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

fn index(role: Role) -> usize {
    role as usize % ROLES
}

/// What squares are worth by role: to White in the opening and in the endgame, and to Black.
static SQUARES: [[[i16; 64]; ROLES]; 4] = {
    let mut table = [[[0; 64]; ROLES]; 4];
    let mut place = 0;
    while place < 4 {
        let (turn, endgame) = (place / 2, place % 2);
        let squares = &mut table[place];
        let mut square = 0;
        while square < 64 {
            let (file, row) = (square as i16 % 8, square as i16 / 8);
            let forward = if turn == 0 { row } else { 7 - row };
            let inner = if file < 4 { file } else { 7 - file };
            let central = inner + if forward < 4 { forward } else { 7 - forward };
            let home = (forward == 0) as i16;
            squares[Role::Pawn as usize][square] =
                forward * if endgame == 1 { 10 } else { 4 } + inner * forward * 2;
            squares[Role::Knight as usize][square] = central * 10 - home * 20;
            squares[Role::Bishop as usize][square] = central * 5 - home * 25;
            squares[Role::Rook as usize][square] = inner * 6 + forward;
            squares[Role::Queen as usize][square] = central * 2;
            squares[Role::King as usize][square] =
                if endgame == 1 { central * 8 } else { -forward * 20 - inner * 12 };
            square += 1;
        }
        place += 1;
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
