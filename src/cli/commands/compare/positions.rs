//! Position codecs, measured on positions of all games.

use std::time::Instant;

use plyzip::{Model, Result};
use plyzip_history::bits::BitString;
use plyzip_history::position::{self, CodeError, LeadingGame, inada_bound};
use shakmaty::{Chess, Move, Position};

use super::games::Game;
use super::row::{Row, Size};

/// One position in so many plies is taken, and at least one of a game.
const EVERY: usize = 20;

/// A position and the game that leads to it.
struct Sample<'a> {
    position: Chess,
    moves: &'a [Move],
}

/// A row for each position codec, for the game that leads to a position (RP) and for Inada's
/// bound (RI, which is computed and codes nothing). The positions are those after each 20 plies of the games from the
/// usual start, and the last one of a game that is shorter.
///
/// # Errors
/// Those of [`GameCodec`](plyzip::GameCodec).
pub fn measure(games: &[Game], network: bool) -> Result<Vec<Row>> {
    let samples = samples(games);
    let mut rows = vec![];
    for code in position::all() {
        rows.push(time(
            (code.id(), code.name(), code.estimate()),
            |position, decoded| code.coverage().same(position, decoded),
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
            same_with_counters,
            &samples,
            |sample| code.encode(sample.moves),
            |bits| code.decode(bits),
        )?);
    }
    rows.push(Row {
        id: "RI".into(),
        name: "Inada's bound, computed".into(),
        estimate: Some("176".into()),
        size: Some(Size::Position { bits_per_position: inada_bound() }),
        ..Row::default()
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

/// Whether two positions agree in everything, the counters and the number of the move included.
fn same_with_counters(position: &Chess, decoded: &Chess) -> bool {
    position == decoded
        && position.halfmoves() == decoded.halfmoves()
        && position.fullmoves() == decoded.fullmoves()
}

/// Encodes and decodes all samples that a code covers; `same` compares
/// the parts of a position that the code keeps.
fn time(
    (id, name, estimate): (&str, &str, &str),
    same: impl Fn(&Chess, &Chess) -> bool,
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
        decoded.as_ref().is_ok_and(|decoded| same(&sample.position, decoded))
    };
    let back = || encoded.iter().zip(&decoded).all(|(encoded, decoded)| same(encoded, decoded));
    Ok(Row {
        id: id.into(),
        name: name.into(),
        estimate: Some(estimate.into()),
        size: Some(Size::Position { bits_per_position: bits as f64 / covered }),
        encode_plies_per_s: Some(covered / encode_seconds),
        decode_plies_per_s: Some(covered / decode_seconds),
        games: encoded.len() as u64,
        unsupported: (samples.len() - encoded.len()) as u64,
        round_trip: (!encoded.is_empty()).then(back),
        ..Row::default()
    })
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    #[test]
    fn counters_are_compared_where_they_are_kept() {
        let parse = |fen: &str| -> Chess {
            fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
        };
        let position = parse("4k3/8/8/8/8/8/4P3/4K3 w - - 7 30");
        assert!(same_with_counters(&position, &position));
        for other in ["4k3/8/8/8/8/8/4P3/4K3 w - - 6 30", "4k3/8/8/8/8/8/4P3/4K3 w - - 7 31"] {
            assert!(!same_with_counters(&position, &parse(other)), "{other}");
        }
    }
}
