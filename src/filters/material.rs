//! The pieces that are left on the board.

use shakmaty::{Board, ByRole, Chess, Color, Move, Position, Role};

use crate::archive::{Follower, GameSummary, Verdict};

/// Pieces of the one side and of the other, whichever is White.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Material([ByRole<u8>; 2]);

/// A game that has not come to this material so far.
struct OnTheWay(Material);

impl Material {
    /// What follows a game.
    pub(super) fn follower(self) -> Box<dyn Follower> {
        Box::new(OnTheWay(self))
    }
}

impl Follower for OnTheWay {
    fn see_summary(&mut self, summary: &GameSummary) -> Verdict {
        let may = |side: Color, pieces: ByRole<u8>| {
            pieces.pawn >= summary.pawns[side] && men(pieces) >= summary.men[side]
        };
        let Material([one, other]) = self.0;
        let may_be = |white, black| may(Color::White, white) && may(Color::Black, black);
        if may_be(one, other) || may_be(other, one) { Verdict::Open } else { Verdict::Unwanted }
    }

    fn see(&mut self, position: &Chess, _: Option<Move>) -> Verdict {
        let [white, black] = Color::ALL.map(|color| pieces(position.board(), color));
        let Material([one, other]) = self.0;
        if [(one, other), (other, one)].contains(&(white, black)) {
            return Verdict::Wanted;
        }
        let may = |first, second| may_become(white, first) && may_become(black, second);
        if may(one, other) || may(other, one) { Verdict::Open } else { Verdict::Unwanted }
    }

    fn end(&mut self) -> Verdict {
        Verdict::Unwanted
    }
}

fn pieces(board: &Board, color: Color) -> ByRole<u8> {
    let mut pieces = ByRole::default();
    for role in Role::ALL {
        pieces[role] = (board.by_color(color) & board.by_role(role)).count() as u8;
    }
    pieces
}

/// Whether a side may come to have these pieces: men never come back, nor do pawns.
fn may_become(now: ByRole<u8>, then: ByRole<u8>) -> bool {
    now.pawn >= then.pawn && men(now) >= men(then)
}

fn men(pieces: ByRole<u8>) -> u8 {
    Role::ALL.iter().map(|&role| pieces[role]).sum()
}

/// Reads material such as `KRPvKR`.
pub(super) fn parse(text: &str) -> Result<Material, String> {
    let wanted = || "the pieces of both sides are wanted, such as KRPvKR".to_owned();
    let (one, other) = text.split_once('v').ok_or_else(wanted)?;
    let side = |text: &str| {
        let mut pieces = ByRole::default();
        for letter in text.trim().chars() {
            let role = Role::from_char(letter).filter(|_| letter.is_ascii_uppercase())?;
            pieces[role] += 1;
            if pieces[role] > 16 {
                return None;
            }
        }
        (pieces.king == 1).then_some(pieces)
    };
    let sides = side(one).zip(side(other)).ok_or_else(wanted)?;
    Ok(Material([sides.0, sides.1]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_games;

    #[test]
    fn pieces_are_read_in_any_order() {
        let material = parse("KRPvKR").unwrap();
        assert_eq!(parse(" PRK v RK "), Ok(material));
        assert_ne!(parse("KRvKRP"), Ok(material));
        let many = format!("K{}vK", "Q".repeat(300));
        for wrong in ["", "KRPKR", "v", "KvR", "KKvK", "krvk", "KR1vK", "KvKvK", "KRPvK6", &many] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn material_behind_is_never_given_up() {
        let mut before: Vec<[ByRole<u8>; 2]> = vec![];
        random_games::random_games(|position, seed| {
            if seed % 1000 == 0 {
                before.clear();
            }
            let now = Color::ALL.map(|color| pieces(position.board(), color));
            before.push(now);
            for earlier in &before {
                assert!((0..2).all(|side| may_become(earlier[side], now[side])));
            }
        });
    }
}
