//! One game codec, measured on all games.

use std::time::Instant;

use plyzip::pgn::Outcome;
use plyzip::{Error, Result};
use plyzip_history::bits::BitString;
use plyzip_history::ordinal::GameCode;
use shakmaty::{Chess, Move};

use super::row::{Row, Size};

/// A game as codecs see it.
#[derive(Debug)]
pub struct Game {
    /// The position before the first move.
    pub start: Chess,
    /// The moves as played.
    pub moves: Vec<Move>,
    /// The announced result.
    pub outcome: Outcome,
}

/// A game that a codec supports.
#[derive(Debug, Clone, Copy)]
pub struct Covered<'a> {
    /// The game.
    pub game: &'a Game,
    /// Bits that it takes.
    pub bits: usize,
}

/// Encodes and decodes all games that `code` supports, and once more with a payload in the spare codes of each
/// game. `size` turns the bits of all games into the row's figure.
///
/// # Errors
/// Those of [`GameCode::encode`] and [`GameCode::decode`], but for damage, which counts as a game that does not
/// come back.
pub fn measure(
    code: &dyn GameCode,
    games: &[Game],
    size: impl Fn(&[Covered]) -> Result<Size>,
) -> Result<Row> {
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

    let covered: Vec<Covered> = games
        .iter()
        .zip(&encoded)
        .filter_map(|(game, bits)| Some(Covered { game, bits: bits.as_ref()?.len() }))
        .collect();
    let plies: usize = covered.iter().map(|covered| covered.game.moves.len()).sum();
    let bytes: usize = covered.iter().map(|covered| covered.bits.div_ceil(8)).sum();
    let mut same = games
        .iter()
        .zip(encoded.iter().zip(&decoded))
        .all(|(game, (bits, moves))| bits.is_none() || moves.as_ref() == Some(&game.moves));
    let mut room = 0;
    for (number, covered) in covered.iter().enumerate() {
        let of_game = code.payload_bits(&covered.game.start, &covered.game.moves)?;
        let payload = payload(number, of_game);
        same &= payload.is_empty() || comes_back(code, covered, &payload)?;
        room += of_game;
    }
    let per_game = |sum: usize| sum as f64 / covered.len() as f64;
    Ok(Row {
        id: code.id().into(),
        name: code.name().into(),
        estimate: code.estimate().map(Into::into),
        size: Some(size(&covered)?),
        bytes_per_game: Some(per_game(bytes)),
        payload_bits_per_game: (room > 0).then(|| per_game(room)),
        encode_plies_per_s: Some(plies as f64 / encode_seconds),
        decode_plies_per_s: Some(plies as f64 / decode_seconds),
        games: covered.len() as u64,
        unsupported: (games.len() - covered.len()) as u64,
        round_trip: (!covered.is_empty()).then_some(same),
        ..Row::default()
    })
}

/// All bits by all moves.
pub fn bits_per_move(covered: &[Covered]) -> Result<Size> {
    let plies: usize = covered.iter().map(|covered| covered.game.moves.len()).sum();
    let bits: usize = covered.iter().map(|covered| covered.bits).sum();
    Ok(Size::Move { bits_per_move: bits as f64 / plies as f64 })
}

/// Bits that look random, but are the same for each game whenever it is measured.
fn payload(game: usize, bits: usize) -> BitString {
    let mut bytes = vec![0; bits.div_ceil(8)];
    blake3::Hasher::new().update(&(game as u64).to_le_bytes()).finalize_xof().fill(&mut bytes);
    (0..bits).map(|bit| bytes[bit / 8] >> (bit % 8) & 1 == 1).collect()
}

/// Whether a game with a hidden payload gives back both the game and the payload, and takes no more bits than
/// without one.
fn comes_back(code: &dyn GameCode, covered: &Covered, payload: &BitString) -> Result<bool> {
    let Covered { game, bits } = *covered;
    let hidden = code.hide(&game.start, &game.moves, payload)?;
    match (code.decode(&game.start, &hidden), code.reveal(&hidden)) {
        (Ok(moves), Ok(revealed)) => {
            Ok(moves == game.moves && revealed == *payload && hidden.len() == bits)
        }
        (Err(Error::Damaged(_)), _) | (_, Err(Error::Damaged(_))) => Ok(false),
        (Err(error), _) | (_, Err(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyzip::unstable::chess::legal_moves;
    use plyzip_history::ordinal::Parikh;

    /// Games3, but it forgets the payload.
    struct Forgetful(Parikh);

    impl GameCode for Forgetful {
        fn id(&self) -> &str {
            self.0.id()
        }

        fn name(&self) -> &str {
            self.0.name()
        }

        fn estimate(&self) -> Option<&str> {
            self.0.estimate()
        }

        fn encode(&self, start: &Chess, moves: &[Move]) -> Result<BitString> {
            self.0.encode(start, moves)
        }

        fn decode(&self, start: &Chess, bits: &BitString) -> Result<Vec<Move>> {
            self.0.decode(start, bits)
        }

        fn payload_bits(&self, start: &Chess, moves: &[Move]) -> Result<usize> {
            self.0.payload_bits(start, moves)
        }

        fn hide(&self, start: &Chess, moves: &[Move], _: &BitString) -> Result<BitString> {
            self.encode(start, moves)
        }

        fn reveal(&self, bits: &BitString) -> Result<BitString> {
            self.0.reveal(bits)
        }
    }

    #[test]
    fn a_payload_that_does_not_come_back_is_noticed() {
        // Of 20 moves, the first twelve have a second code: each game hides a bit.
        let start = Chess::default();
        let games: Vec<Game> = (0..8)
            .map(|number| {
                let moves = vec![legal_moves(&start)[number]];
                Game { start: start.clone(), moves, outcome: Outcome::Unknown }
            })
            .collect();
        let back = |code: &dyn GameCode| measure(code, &games, bits_per_move).unwrap().round_trip;
        assert_eq!(back(&Parikh::games3()), Some(true));
        assert_eq!(back(&Forgetful(Parikh::games3())), Some(false));
    }

    #[test]
    fn what_codes_nothing_has_not_come_back() {
        assert_eq!(measure(&Parikh::games1(), &[], bits_per_move).unwrap().round_trip, None);
    }
}
