//! One game codec, measured on all games.

use std::time::Instant;

use shakmaty::{Chess, Move};

use super::row::{Row, Size};
use crate::ordinal::GameCode;
use crate::{Error, Result};

/// A game as codecs see it.
#[derive(Debug)]
pub struct Game {
    /// The position before the first move.
    pub start: Chess,
    /// The moves as played.
    pub moves: Vec<Move>,
}

/// Encodes and decodes all games that `code` supports.
///
/// # Errors
/// Those of [`GameCode::encode`] and [`GameCode::decode`], but for damage, which counts as a game that does not
/// come back.
pub fn measure(code: &dyn GameCode, games: &[Game]) -> Result<Row> {
    let mut encoded = Vec::with_capacity(games.len());
    let started = Instant::now();
    for game in games {
        encoded.push(match code.encode(&game.start, &game.moves) {
            Ok(bits) => Some(bits),
            Err(Error::Unsupported(_)) => None,
            Err(error) => return Err(error),
        });
    }
    let encode_seconds = started.elapsed().as_secs_f64();

    let mut decoded = Vec::with_capacity(games.len());
    let started = Instant::now();
    for (game, bits) in games.iter().zip(&encoded) {
        decoded.push(match bits.as_ref().map(|bits| code.decode(&game.start, bits)) {
            Some(Ok(moves)) => Some(moves),
            None | Some(Err(Error::Damaged(_))) => None,
            Some(Err(error)) => return Err(error),
        });
    }
    let decode_seconds = started.elapsed().as_secs_f64();

    let covered: Vec<(&Game, usize)> = games
        .iter()
        .zip(&encoded)
        .filter_map(|(game, bits)| Some((game, bits.as_ref()?.len())))
        .collect();
    let plies: usize = covered.iter().map(|(game, _)| game.moves.len()).sum();
    let bits: usize = covered.iter().map(|(_, bits)| bits).sum();
    let bytes: usize = covered.iter().map(|(_, bits)| bits.div_ceil(8)).sum();
    let mut payload = 0;
    for (game, _) in &covered {
        payload += code.payload_bits(&game.start, &game.moves)?;
    }
    let per_game = |sum: usize| sum as f64 / covered.len() as f64;
    Ok(Row {
        id: code.id().into(),
        name: code.name().into(),
        estimate: code.estimate().map(Into::into),
        size: Size::Move { bits_per_move: bits as f64 / plies as f64 },
        bytes_per_game: Some(per_game(bytes)),
        payload_bits_per_game: (payload > 0).then(|| per_game(payload)),
        encode_plies_per_s: plies as f64 / encode_seconds,
        decode_plies_per_s: plies as f64 / decode_seconds,
        games: covered.len() as u64,
        unsupported: (games.len() - covered.len()) as u64,
        round_trip: games
            .iter()
            .zip(encoded.iter().zip(&decoded))
            .all(|(game, (bits, moves))| bits.is_none() || moves.as_ref() == Some(&game.moves)),
    })
}
