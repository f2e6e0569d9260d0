//! Position codecs, measured on positions of all games.

use std::time::Instant;

use shakmaty::{Chess, Move, Position};

use super::games::Game;
use super::row::{Row, Size};
use crate::Result;
use crate::bits::BitString;
use crate::position::{self, CodeError, Coverage, LeadingGame, inada_bound};
use crate::predict::Model;

/// One position in so many plies is taken, and at least one of a game.
const EVERY: usize = 20;

/// A position and the game that leads to it.
struct Sample<'a> {
    position: Chess,
    moves: &'a [Move],
}

/// A row for each position codec, for the game that leads to a position (RP) and for Inada's
/// bound (RI, not measured). The positions are those after each 20 plies of the games from the
/// usual start, and the last one of a game that is shorter.
///
/// # Errors
/// Those of [`GameCodec`](crate::GameCodec).
pub fn measure(games: &[Game], network: bool) -> Result<Vec<Row>> {
    let samples = samples(games);
    let mut rows = vec![];
    for code in position::all() {
        rows.push(time(
            (code.id(), code.name(), code.estimate()),
            code.coverage(),
            &samples,
            |sample| code.encode(&sample.position),
            |bits| code.decode(bits),
        )?);
    }
    let mut models = vec![("RP", Model::none())];
    if network {
        models.push(("RP-network", Model::embedded()?));
    }
    for (id, model) in models {
        let code = LeadingGame::new(model);
        rows.push(time(
            (id, code.name(), code.estimate()),
            Coverage::RULES,
            &samples,
            |sample| code.encode(sample.moves),
            |bits| code.decode(bits),
        )?);
    }
    rows.push(Row {
        id: "RI".into(),
        name: "Inada's bound, computed".into(),
        estimate: Some("176".into()),
        size: Size::Position { bits_per_position: inada_bound() },
        bytes_per_game: None,
        payload_bits_per_game: None,
        encode_plies_per_s: 0.0,
        decode_plies_per_s: 0.0,
        games: 0,
        unsupported: 0,
        round_trip: true,
    });
    Ok(rows)
}

fn samples(games: &[Game]) -> Vec<Sample<'_>> {
    let mut samples = vec![];
    for game in games.iter().filter(|game| game.start == Chess::default()) {
        let mut position = game.start.clone();
        for (ply, &played) in game.moves.iter().enumerate() {
            position.play_unchecked(played);
            let last_of_few = ply + 1 == game.moves.len() && ply < EVERY;
            if (ply + 1) % EVERY == 0 || last_of_few {
                samples.push(Sample { position: position.clone(), moves: &game.moves[..=ply] });
            }
        }
    }
    samples
}

/// Encodes and decodes all samples that a code covers.
fn time(
    (id, name, estimate): (&str, &str, &str),
    coverage: Coverage,
    samples: &[Sample],
    encode: impl Fn(&Sample) -> position::Result<BitString>,
    decode: impl Fn(&BitString) -> position::Result<Chess>,
) -> Result<Row> {
    let started = Instant::now();
    let mut encoded = Vec::with_capacity(samples.len());
    for sample in samples {
        match encode(sample) {
            Ok(bits) => encoded.push((sample, bits)),
            Err(CodeError::Game(error)) => return Err(error),
            Err(_) => {}
        }
    }
    let encode_seconds = started.elapsed().as_secs_f64();
    let started = Instant::now();
    let decoded: Vec<_> = encoded.iter().map(|(_, bits)| decode(bits)).collect();
    let decode_seconds = started.elapsed().as_secs_f64();

    let bits: usize = encoded.iter().map(|(_, bits)| bits.len()).sum();
    let covered = encoded.len() as f64;
    let same = |(sample, _): &(&Sample, _), decoded: &position::Result<Chess>| {
        decoded.as_ref().is_ok_and(|decoded| coverage.same(&sample.position, decoded))
    };
    Ok(Row {
        id: id.into(),
        name: name.into(),
        estimate: Some(estimate.into()),
        size: Size::Position { bits_per_position: bits as f64 / covered },
        bytes_per_game: None,
        payload_bits_per_game: None,
        encode_plies_per_s: covered / encode_seconds,
        decode_plies_per_s: covered / decode_seconds,
        games: encoded.len() as u64,
        unsupported: (samples.len() - encoded.len()) as u64,
        round_trip: encoded.iter().zip(&decoded).all(|(encoded, decoded)| same(encoded, decoded)),
    })
}
