//! Summaries of games, which tell without playing a game through that it does not come to a position.

use shakmaty::{Bitboard, Board, ByColor, Chess, Color, Position, Rank};

/// What an index knows of a game as played: its length, and what is left when it ends. Men and pawns never come back, so
/// a game that ends with more of them than a position has does not come to it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameSummary {
    /// Plies, without those of variations.
    pub plies: u64,
    /// Men of each side at the end, kings and pawns included.
    pub men: ByColor<u8>,
    /// Pawns of each side at the end.
    pub pawns: ByColor<u8>,
    /// Files of the pawns of each side that stand on its second rank at the end: bit 0 is the a-file.
    pub home_pawns: ByColor<u8>,
}

impl GameSummary {
    /// Of a game of so many plies that ends in `position`.
    pub(crate) fn new(plies: u64, position: &Chess) -> GameSummary {
        let board = position.board();
        let of =
            |set: Bitboard| ByColor::new_with(|side| (board.by_color(side) & set).count() as u8);
        GameSummary {
            plies,
            men: of(Bitboard::FULL),
            pawns: of(board.pawns()),
            home_pawns: home_pawns(board),
        }
    }

    /// Whether a game that ends so may have come to `position`, as far as men and pawns tell.
    #[cfg(feature = "filters")]
    pub(crate) fn may_follow(&self, position: &Chess) -> bool {
        let before = GameSummary::new(0, position);
        Color::ALL.into_iter().all(|side| {
            self.men[side] <= before.men[side]
                && self.pawns[side] <= before.pawns[side]
                && self.home_pawns[side] & !before.home_pawns[side] == 0
        })
    }
}

fn home_pawns(board: &Board) -> ByColor<u8> {
    let of = |side: Color, rank: Rank| {
        let pawns = board.by_color(side) & board.pawns() & Bitboard::from(rank);
        (pawns.0 >> (8 * rank as u32)) as u8
    };
    ByColor { white: of(Color::White, Rank::Second), black: of(Color::Black, Rank::Seventh) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_games::random_games;

    #[test]
    fn ends_follow_all_positions_before() {
        let start = GameSummary::new(0, &Chess::default());
        let both = |number: u8| ByColor::new_with(|_| number);
        assert_eq!((start.men, start.pawns, start.home_pawns), (both(16), both(8), both(255)));
        #[cfg(feature = "filters")]
        {
            let mut before: Vec<Chess> = vec![];
            random_games(|position, seed| {
                if seed % 1000 == 0 {
                    before.clear();
                }
                before.push(position.clone());
                let end = GameSummary::new(before.len() as u64, position);
                assert!(before.iter().all(|earlier| end.may_follow(earlier)));
            });
        }
    }
}
