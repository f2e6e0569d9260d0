//! How games of chess are stored in most places: as text, or in whole bytes for each ply.
//!
//! - SAN: the moves as a PGN has them, without numbers, each with a blank behind it;
//! - 2B: two bytes a ply: square of departure, square of arrival, and the piece of a promotion, as opening books and
//!   engines have it; two bytes of zero end the game;
//! - Scid: a byte a ply, as in Scid's databases: four bits tell which of up to sixteen pieces moves, four how it does.
//!   A queen that moves along a diagonal takes a second byte. A byte ends the game.

use plyzip_codec::{Error, Result};
use shakmaty::san::San;
use shakmaty::{CastlingSide, Chess, Move, Position, Role, Square};

use super::code::{GameCode, Player, check_length};
use super::order::{Order, Walk, ordinal};
use crate::bits::{BitReader, BitString};

/// One of the forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Familiar {
    /// Moves as text.
    San,
    /// Two bytes a ply.
    TwoBytes,
    /// A byte a ply, or two.
    Scid,
}

/// What stands behind a move as text.
const BLANK: u8 = b' ';
/// What Scid has behind the last move: its first values for a king are no moves.
const SCID_END: u8 = 15;

impl Familiar {
    /// The bytes of a move in a position.
    fn bytes(self, position: &Chess, played: Move) -> Result<Vec<u8>> {
        let none = || Error::Unsupported("a move that this form cannot express".into());
        Ok(match self {
            Familiar::San => {
                let mut text = San::from_move(position, played).to_string().into_bytes();
                text.push(BLANK);
                text
            }
            Familiar::TwoBytes => {
                let from = played.from().ok_or_else(none)?;
                let promotion = played.promotion().map_or(0, |role| role as u16);
                let code = u16::from(from) << 10 | u16::from(played.to()) << 4 | promotion;
                code.to_be_bytes().to_vec()
            }
            Familiar::Scid => scid(position, played).ok_or_else(none)?,
        })
    }

    /// Whether the bits that follow end the game; takes them if so.
    fn ends(self, reader: &mut BitReader) -> Result<bool> {
        match self {
            Familiar::San => Ok(reader.remaining() == 0),
            Familiar::TwoBytes => Ok(ends_with(reader, 0, 16)?),
            Familiar::Scid => Ok(ends_with(reader, SCID_END.into(), 8)?),
        }
    }
}

/// Whether what is left is just this.
fn ends_with(reader: &mut BitReader, end: u64, width: u32) -> Result<bool> {
    if reader.remaining() > width as usize {
        return Ok(false);
    }
    match reader.bits(width)? == end {
        true => Ok(true),
        false => Err(Error::damaged("a game without an end")),
    }
}

/// The piece, by its place among those of its side, with the king first, and how it moves.
fn scid(position: &Chess, played: Move) -> Option<Vec<u8>> {
    let board = position.board();
    let from = played.from()?;
    let king = board.king_of(position.turn())?;
    let others = (board.by_color(position.turn()) & !shakmaty::Bitboard::from(king)).into_iter();
    let piece = if from == king { 0 } else { others.into_iter().position(|at| at == from)? + 1 };
    let piece = u8::try_from(piece).ok().filter(|piece| *piece < 16)?;
    let to = played.to();
    let files = i32::from(to.file()) - i32::from(from.file());
    let ranks = i32::from(to.rank()) - i32::from(from.rank());
    // Along the file it ends at, or the rank.
    let straight =
        |to: Square| if ranks == 0 { u8::from(to.file()) } else { 8 + u8::from(to.rank()) };
    let steps = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
    let jumps = [(-1, -2), (1, -2), (-2, -1), (2, -1), (-2, 1), (2, 1), (-1, 2), (1, 2)];
    let among = |list: [(i32, i32); 8]| list.iter().position(|step| *step == (files, ranks));
    let mut second = None;
    let value = match played.role() {
        Role::King => match played.castling_side() {
            Some(CastlingSide::QueenSide) => 9,
            Some(CastlingSide::KingSide) => 10,
            None => 1 + among(steps)? as u8,
        },
        Role::Knight => 1 + among(jumps)? as u8,
        Role::Rook => straight(to),
        Role::Bishop => u8::from(to.file()) + if files.signum() == ranks.signum() { 0 } else { 8 },
        Role::Queen if files == 0 || ranks == 0 => straight(to),
        Role::Queen => {
            second = Some(64 + u8::try_from(u32::from(to)).ok()?);
            // Along the rank to where it is: no move.
            u8::from(from.file())
        }
        Role::Pawn => {
            let promoted = played.promotion().map_or(0, |role| match role {
                Role::Queen => 1,
                Role::Rook => 2,
                Role::Bishop => 3,
                _ => 4,
            });
            let step = u8::try_from(files + 1).ok()?;
            if ranks.abs() == 2 { 15 } else { step + 3 * promoted }
        }
    };
    Some([Some(piece << 4 | value), second].into_iter().flatten().collect())
}

impl GameCode for Familiar {
    fn id(&self) -> &str {
        match self {
            Familiar::San => "SAN",
            Familiar::TwoBytes => "2B",
            Familiar::Scid => "Scid",
        }
    }

    fn name(&self) -> &str {
        match self {
            Familiar::San => "SAN text",
            Familiar::TwoBytes => "two bytes a ply",
            Familiar::Scid => "Scid: a byte a ply, or two",
        }
    }

    fn estimate(&self) -> Option<&str> {
        None
    }

    fn encode(&self, start: &Chess, moves: &[Move]) -> Result<BitString> {
        check_length(moves)?;
        let mut bytes = vec![];
        let mut walk = Walk::new(start, &Order::Canonical);
        for &played in moves {
            ordinal(&walk.position().legal_moves(), played)?;
            bytes.extend(self.bytes(walk.position(), played)?);
            walk.play(played);
        }
        match self {
            Familiar::San => {}
            Familiar::TwoBytes => bytes.extend([0, 0]),
            Familiar::Scid => bytes.push(SCID_END),
        }
        Ok(BitString::from_bytes(bytes))
    }

    fn decode(&self, start: &Chess, bits: &BitString) -> Result<Vec<Move>> {
        let mut reader = bits.reader();
        let mut player = Player::new(start, &Order::Canonical);
        while !self.ends(&mut reader)? {
            let legal = player.position().legal_moves();
            let mut codes = vec![];
            for (place, &candidate) in legal.iter().enumerate() {
                // A move that cannot be expressed has no code.
                codes.extend(
                    self.bytes(player.position(), candidate).ok().map(|code| (place, code)),
                );
            }
            // The code that the next bytes are: none begins another.
            let mut read = vec![];
            let place = loop {
                read.push(reader.bits(8)? as u8);
                codes.retain(|(_, code)| code.starts_with(&read));
                match codes[..] {
                    [] => return Err(Error::damaged("bytes that stand for no move")),
                    [(place, ref code)] if *code == read => break place,
                    _ => {}
                }
            };
            player.play(&legal, place)?;
        }
        reader.finish()?;
        Ok(player.into_moves())
    }
}
