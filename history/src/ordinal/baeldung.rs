//! The three move codes of Baeldung's tutorial, which name squares instead of counting legal moves.
//!
//! - B6: square of departure, square of arrival;
//! - B7: two bits that tell the form, square of arrival, and if that leaves a choice the kind of
//!   piece (4 bits), or else the square of departure (6 bits);
//! - B8: one bit that tells the form, square of arrival, and the square of departure if
//!   the other leaves a choice.
//!
//! The text leaves out three things. The piece that a pawn is promoted to: here, two bits follow the move. The
//! end of the game: here, the number of moves stands in front. Castling: here, the king's two squares, as in
//! long algebraic notation; only where king and rook of a chess960 game are not at home (where that
//! could be another move of the king) the rook's square counts as the square of arrival.

use plyzip_codec::unstable::chess::arrival;
use plyzip_codec::{Error, Result};
use shakmaty::{CastlingSide, Chess, File, Move, MoveList, Position, Role, Square};

use super::code::{GameCode, Player, check_length};
use super::count;
use super::order::{Order, Walk, ordinal};
use crate::bits::{BitReader, BitString};

/// One of the move codes.
#[derive(Debug)]
pub struct Baeldung {
    id: &'static str,
    name: &'static str,
    estimate: &'static str,
    form: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    FromTo,
    Algebraic,
    TargetFirst,
}

/// What is written to tell a move from others with the same square of arrival.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Detail {
    Nothing,
    Piece,
    From,
}

impl Baeldung {
    /// B6: squares of departure and arrival.
    pub fn from_to() -> Baeldung {
        Baeldung { id: "B6", name: "Baeldung: from and to", estimate: "12", form: Form::FromTo }
    }

    /// B7: like short algebraic notation.
    pub fn algebraic() -> Baeldung {
        Baeldung {
            id: "B7",
            name: "Baeldung: target, then piece or square",
            estimate: "8, 12 or 14",
            form: Form::Algebraic,
        }
    }

    /// B8: square of arrival, and of departure if need be.
    pub fn target_first() -> Baeldung {
        Baeldung {
            id: "B8",
            name: "Baeldung: target, then square",
            estimate: "7 or 13",
            form: Form::TargetFirst,
        }
    }

    fn put(&self, legal: &MoveList, played: Move, bits: &mut BitString) {
        let from = origin(played);
        if self.form == Form::FromTo {
            bits.push_bits(u64::from(u32::from(from)), SQUARE);
        }
        let like = alike(legal, target(played));
        let alone = like.iter().all(|&other| origin(other) == from);
        let only_of_kind =
            like.iter().all(|&other| other.role() != played.role() || origin(other) == from);
        let detail = match self.form {
            _ if alone => Detail::Nothing,
            Form::Algebraic if only_of_kind => Detail::Piece,
            _ => Detail::From,
        };
        match self.form {
            Form::FromTo => {}
            Form::Algebraic => bits.push_bits(detail as u64, 2),
            Form::TargetFirst => bits.push(detail == Detail::From),
        }
        bits.push_bits(u64::from(u32::from(target(played))), SQUARE);
        match detail {
            _ if self.form == Form::FromTo => {}
            Detail::Nothing => {}
            Detail::Piece => bits.push_bits(played.role() as u64, PIECE),
            Detail::From => bits.push_bits(u64::from(u32::from(from)), SQUARE),
        }
        if let Some(promotion) = played.promotion() {
            bits.push_bits(promotion as u64 - Role::Knight as u64, PROMOTION);
        }
    }

    fn take(&self, legal: &MoveList, reader: &mut BitReader) -> Result<Move> {
        let mut from = None;
        if self.form == Form::FromTo {
            from = Some(square(reader)?);
        }
        let detail = match self.form {
            Form::FromTo => Detail::Nothing,
            Form::Algebraic => match reader.bits(2)? {
                0 => Detail::Nothing,
                1 => Detail::Piece,
                2 => Detail::From,
                _ => return Err(Error::damaged("an unknown form of move")),
            },
            Form::TargetFirst if reader.bit()? => Detail::From,
            Form::TargetFirst => Detail::Nothing,
        };
        let to = square(reader)?;
        let mut role = None;
        match detail {
            Detail::Nothing => {}
            Detail::Piece => role = Some(reader.bits(PIECE)?),
            Detail::From => from = Some(square(reader)?),
        }
        let mut like = alike(legal, to);
        like.retain(|other| {
            from.is_none_or(|from| origin(*other) == from)
                && role.is_none_or(|role| other.role() as u64 == role)
        });
        if like.iter().any(|other| other.is_promotion()) {
            let promotion = reader.bits(PROMOTION)? + Role::Knight as u64;
            like.retain(|other| other.promotion().is_some_and(|role| role as u64 == promotion));
        }
        match like[..] {
            [played] => Ok(played),
            _ => Err(Error::damaged("a code that stands for no move, or for more than one")),
        }
    }
}

/// Bits of a square.
const SQUARE: u32 = 6;

/// Bits of a kind of piece, as many as in the text's board codes.
const PIECE: u32 = 4;

/// Bits of the piece that a pawn is promoted to.
const PROMOTION: u32 = 2;

fn square(reader: &mut BitReader) -> Result<Square> {
    Ok(Square::new(reader.bits(SQUARE)? as u32))
}

fn origin(played: Move) -> Square {
    played.from().unwrap_or(Square::A1)
}

/// The square of arrival as the codes have it.
fn target(played: Move) -> Square {
    let at_home = match played.castling_side() {
        None => true,
        Some(side) => {
            let rook = if side == CastlingSide::KingSide { File::H } else { File::A };
            origin(played).file() == File::E && played.to().file() == rook
        }
    };
    if at_home { arrival(played) } else { played.to() }
}

/// The legal moves with this square of arrival.
fn alike(legal: &MoveList, to: Square) -> MoveList {
    legal.iter().copied().filter(|&other| target(other) == to).collect()
}

impl GameCode for Baeldung {
    fn id(&self) -> &str {
        self.id
    }

    fn name(&self) -> &str {
        self.name
    }

    fn estimate(&self) -> Option<&str> {
        Some(self.estimate)
    }

    fn encode(&self, start: &Chess, moves: &[Move]) -> Result<BitString> {
        check_length(moves)?;
        let mut bits = BitString::new();
        count::write(moves.len() as u32, &mut bits);
        let mut walk = Walk::new(start, &Order::Canonical);
        for &played in moves {
            let legal = walk.position().legal_moves();
            ordinal(&legal, played)?;
            self.put(&legal, played, &mut bits);
            walk.play(played);
        }
        Ok(bits)
    }

    fn decode(&self, start: &Chess, bits: &BitString) -> Result<Vec<Move>> {
        let mut reader = bits.reader();
        let plies = count::read(&mut reader)? as usize;
        let mut player = Player::new(start, &Order::Canonical);
        while player.plies() < plies {
            let legal = player.position().legal_moves();
            let played = self.take(&legal, &mut reader)?;
            player.play(&legal, ordinal(&legal, played)?)?;
        }
        reader.finish()?;
        Ok(player.into_moves())
    }
}
