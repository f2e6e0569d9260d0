//! The check of a single game: a number that only the right model and header give again.

use std::num::NonZeroU16;

use shakmaty::{Color, Move, Position, Square};

use super::header::GameHeader;
use crate::features::Pace;
use crate::pgn::Outcome;
use crate::predict::Model;

/// The first 8 bytes of the BLAKE3 of all that a game's bytes depend on, the game included: see docs/single-games.md.
pub fn check(first: u8, model: &Model, header: &GameHeader, moves: &[Move]) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&[first]);
    let model = model.hash().map_or([0; 32], |hash| *hash.as_bytes());
    hasher.update(&model[..16]);
    put_header(header, &mut hasher);
    for &played in moves {
        hasher.update(&packed(played).to_le_bytes());
    }
    let mut start = [0; 8];
    hasher.finalize_xof().fill(&mut start);
    u64::from_le_bytes(start)
}

/// Departure, arrival (the rook's square for castling) and promotion of a move.
fn packed(played: Move) -> u16 {
    let from = played.from().map_or(0, u16::from);
    let promotion = played.promotion().map_or(0, |role| role as u16);
    from | u16::from(played.to()) << 6 | promotion << 12
}

fn put_header(header: &GameHeader, hasher: &mut blake3::Hasher) {
    let GameHeader { start, context, players } = header;
    let mut squares = [0; 64];
    for (square, piece) in start.board() {
        squares[usize::from(square)] = piece.role as u8 + 8 * u8::from(piece.color.is_black());
    }
    hasher.update(&squares);
    let en_passant = start.legal_ep_square().map_or(64, |square: Square| u8::from(square));
    hasher.update(&[u8::from(start.turn().is_black()), en_passant]);
    hasher.update(&start.castles().castling_rights().0.to_le_bytes());
    hasher.update(&start.halfmoves().to_le_bytes());
    for color in [Color::White, Color::Black] {
        hasher.update(&context.rating(color).to_le_bytes());
    }
    hasher.update(&context.year.map_or(0, NonZeroU16::get).to_le_bytes());
    let result = match context.result {
        None => 0,
        Some(Outcome::White) => 1,
        Some(Outcome::Black) => 2,
        Some(Outcome::Draw) => 3,
        Some(Outcome::Unknown) => 4,
    };
    let pace = match context.pace {
        None | Some(Pace::Classical) => 0,
        Some(Pace::Rapid) => 1,
        Some(Pace::Blitz) => 2,
        Some(Pace::Bullet) => 3,
        Some(Pace::Correspondence) => 4,
    };
    hasher.update(&[result, pace, u8::from(context.online)]);
    for player in [players.white, players.black] {
        hasher.update(&player.repertoire().unwrap_or(0).to_le_bytes());
    }
}
