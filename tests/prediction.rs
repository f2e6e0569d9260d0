//! Games of every kind come back from their moves' stream, on any number of threads.

use plyzip::unstable::chess::legal_moves;
use plyzip::unstable::entropy::{Decoder, Encoder};
use plyzip::unstable::predict::Predictor;
use plyzip::unstable::streams::moves::{EvidenceUse, LineJob, code};
use plyzip::{Error, GameCodec, GameContext, GameHeader, Model, Player};
use shakmaty::{ByColor, CastlingMode, Chess, Move};

#[path = "games/mod.rs"]
mod games;

use games::{Random, position, random_game, starts};

fn models() -> Vec<Model> {
    vec![Model::none(), Model::embedded().unwrap()]
}

#[test]
fn a_forced_move_costs_nothing() {
    let start = position("1r5k/8/8/8/8/8/8/K7 w - - 0 1", CastlingMode::Standard);
    let legal = legal_moves(&start);
    assert_eq!(legal.len(), 1);
    let cost = |moves: &[Move]| {
        let mut encoder = Encoder::new();
        let mut predictor = Predictor::new(&Model::none());
        let mut job =
            LineJob::new(start.clone(), GameContext::default(), ByColor::default(), moves.to_vec());
        job.length = Some(moves.len());
        code(&mut encoder, &mut predictor, &mut [job], 0, None, EvidenceUse::Once).unwrap();
        encoder.finish().len()
    };
    assert_eq!(cost(&[legal[0]]), 0);
}

/// Enough games to fill the window of lines under way more than once.
fn many_games() -> Vec<LineJob> {
    let mut random = Random(2);
    let starts = starts();
    (0..400)
        .map(|number| {
            let start = &starts[if number % 3 == 0 { random.below(starts.len()) } else { 0 }];
            let longest = random.below(60);
            let moves = random_game(start, longest, &mut random);
            let player = |players| Player::named(&[b'a' + (number % players) as u8]);
            let players = ByColor { white: player(7), black: player(5) };
            LineJob::new(start.clone(), GameContext::default(), players, moves)
        })
        .collect()
}

fn encode(model: &Model, threads: usize) -> Vec<u8> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut encoder = Encoder::new();
        code(
            &mut encoder,
            &mut Predictor::new(model),
            &mut many_games(),
            0,
            None,
            EvidenceUse::Once,
        )
        .unwrap();
        encoder.finish()
    })
}

#[test]
fn threads_do_not_change_a_bit() {
    for model in models() {
        let bytes = encode(&model, 1);
        assert_eq!(bytes, encode(&model, 2));
        assert_eq!(bytes, encode(&model, 3));
    }
}

#[test]
fn many_games_come_back() {
    for model in models() {
        let bytes = encode(&model, 2);
        let games = many_games();
        let mut decoded = games.clone();
        decoded.iter_mut().for_each(|job| job.moves.clear());
        let plies = games.iter().map(|job| job.moves.len()).sum();
        let mut predictor = Predictor::new(&model);
        code(
            &mut Decoder::new(&bytes),
            &mut predictor,
            &mut decoded,
            plies,
            None,
            EvidenceUse::Once,
        )
        .unwrap();
        for (decoded, game) in decoded.iter().zip(&games) {
            assert_eq!(decoded.moves, game.moves);
        }
    }
}

#[test]
fn damaged_bytes_are_to_blame_or_give_no_more_moves_than_allowed() {
    let bytes = encode(&Model::none(), 2);
    let mut random = Random(3);
    for _ in 0..20 {
        let mut damaged = bytes.clone();
        for _ in 0..1 + random.below(4) {
            let place = random.below(damaged.len());
            damaged[place] ^= 1 << random.below(8);
        }
        damaged.truncate(1 + random.below(damaged.len()));
        let mut games = many_games();
        games.iter_mut().for_each(|job| job.moves.clear());
        let mut predictor = Predictor::new(&Model::none());
        let coded = code(
            &mut Decoder::new(&damaged),
            &mut predictor,
            &mut games,
            20_000,
            None,
            EvidenceUse::Once,
        );
        let moves: usize = games.iter().map(|job| job.moves.len()).sum();
        match coded {
            Ok(all) => assert!(all && moves <= 20_000, "{moves}"),
            Err(error) => assert!(matches!(error, Error::Damaged(_)), "{error:?}"),
        }
    }
}

#[test]
fn an_illegal_move_is_refused() {
    let start = Chess::default();
    let e4 = legal_moves(&start).iter().copied().find(|m| m.to() == shakmaty::Square::E4).unwrap();
    let codec = GameCodec::new(Model::none());
    assert!(codec.encode(&GameHeader::default(), &[e4, e4]).is_err());
}

#[test]
fn damaged_models_are_refused_or_decode_what_they_encode() {
    let file = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/models/standard.onnx")).unwrap();
    let mut random = Random(4);
    for length in [0, 1, 100, file.len() / 2, file.len() - 1] {
        assert!(Model::from_bytes(&file[..length]).is_err());
    }
    for round in 0..12 {
        let mut damaged = file.clone();
        // Half of the damage near the ends, where names and shapes stand.
        let place = if round % 2 == 0 {
            let near = random.below(4000);
            if round % 4 == 0 { near } else { file.len() - 1 - near }
        } else {
            random.below(file.len())
        };
        damaged[place] ^= 1 << random.below(8);
        match Model::from_bytes(&damaged) {
            Err(error) => assert!(matches!(error, Error::Model(_)), "{error}"),
            Ok(model) => {
                let codec = GameCodec::new(model);
                let moves = random_game(&Chess::default(), 40, &mut random);
                let header = GameHeader::default();
                let bytes = codec.encode(&header, &moves).unwrap();
                assert_eq!(codec.decode(&header, &bytes).unwrap(), moves);
            }
        }
    }
}
