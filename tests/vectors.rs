//! Test vectors: what has to be the same on every machine, and in every version that reads the same archives.
//!
//! Where one of these fails on a machine and not on others, that machine computes wrongly. Where one fails everywhere, the
//! program predicts otherwise than before, and archives of before do not decode: take the change back, or raise
//! [`FEATURES_VERSION`], say so in the CHANGELOG, make the models again, and put the new digests here.

use std::num::NonZeroU16;
use std::process::Command;
use std::sync::Arc;

use plyzip::pgn::{self, Outcome};
use plyzip::shakmaty::ByColor;
use plyzip::unstable::analysis::{
    AnalysisInput, AnalysisState, Effort, FIRST_FORM_SLOTS, MovePriors, examine, features,
    reranker_features,
};
use plyzip::unstable::chess::{History, legal_moves};
use plyzip::unstable::engine::{NNUE_SIZES, Nnue, Searcher, nnue};
use plyzip::unstable::features::{FEATURES_VERSION, Tactics, board_features, move_features};
use plyzip::{GameCodec, GameContext, GameHeader, Model, Pace};

#[path = "games/mod.rs"]
mod games;

use games::{Random, random_game, starts};

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/famous.pgn");

/// Calls `each` with the positions of random games from every start.
fn positions(rounds: usize, mut each: impl FnMut(&History, &mut Random)) {
    let mut random = Random(5);
    for _ in 0..rounds {
        for start in starts() {
            let mut history = History::new(start.clone());
            for played in random_game(&start, 80, &mut random) {
                each(&history, &mut random);
                history.play(played);
            }
        }
    }
}

/// Fails where indices of features are others than those of this version.
fn assert_pinned(indices: &[u16], digest: &str) {
    let bytes: Vec<u8> = indices.iter().flat_map(|index| index.to_le_bytes()).collect();
    let found = blake3::hash(&bytes).to_hex();
    assert_eq!((FEATURES_VERSION, found.as_str()), (8, digest));
}

#[test]
fn features_change_with_their_version_only() {
    let context = GameContext::new()
        .elo(ByColor { white: NonZeroU16::new(2712), black: NonZeroU16::new(2433) })
        .result(Outcome::White)
        .year(NonZeroU16::new(2019))
        .pace(Pace::Rapid)
        .online(true);
    let (mut indices, mut rows) = (vec![], vec![]);
    positions(8, |history, _| {
        let legal = legal_moves(history.position());
        let tactics = Tactics::new(history, &legal);
        move_features(history, &legal, Some(&tactics), &mut rows);
        indices.extend(board_features(history, &context, &tactics));
        indices.extend(rows.iter().flatten());
    });
    assert_pinned(&indices, "71f1f2f566a608f753e1b766195866419b09c819a4869f4bb1d683c48179cfc1");
}

/// A network of width 128 with three king buckets, of numbers made up.
fn shaped_network() -> Vec<i16> {
    let layout = (0..32).map(|square| i16::from(square > 1) + i16::from(square > 7));
    let count = 3 * nnue::FEATURES * 128 + 17 * 128 + nnue::OUTPUT_BUCKETS;
    let numbers = (0..count).map(|i| (i * 7919 % 61) as i16 - 30);
    [1, 128, 1].into_iter().chain(layout).chain(numbers).collect()
}

#[test]
fn verdicts_change_with_their_version_only() {
    let small: Vec<i16> = (0..NNUE_SIZES[0]).map(|i| (i * 7919 % 61) as i16 - 30).collect();
    for (numbers, scout_margin, digests) in [
        (
            &small,
            None,
            [
                "448954d17a6d220d5f1903eeae7d9e684404a8df67cc7027cd80d0119fe1ba9c",
                "e80595b3a912c462f8f4ca594b075c8da2d592068537e606d8ad6d0b9e6f42a1",
                "89af288cfce18108d516c16e40486a23eddecc63a5237519950ace599164e7b2",
            ],
        ),
        (
            &small,
            Some(30),
            [
                "ff58c17676b6f5719da4a959af2135e8f164e577813cce605c4d5ca38a70f580",
                "c2cc9150366f34a82731aa30da8f94b6805fbcb8acdcad5abef8c67ee1f6647a",
                "c9071c4df24ce149ee89eda38be799b33e570250279c7cf4665cf5647788aec0",
            ],
        ),
        (
            &shaped_network(),
            None,
            [
                "8660c05bc0523600bb6c04a7d87c47495ba2f6e6b5729644c359d788b1942264",
                "f24e1fc7171e89f9f35f8644b39c682a30eac1ce9f54346b87e80a1e858263e9",
                "db854cba993356c54e6fd9d9ee05728022aa95993f8a50955ba8fc9970a365a4",
            ],
        ),
    ] {
        let values = Arc::new(Nnue::new(numbers).unwrap());
        let context = GameContext::default();
        let effort = Effort { nodes: 2_000, width: 8, scout_margin };
        let mut searcher = Searcher::new(values);
        let mut memory = AnalysisState::new(effort.nodes);
        let (mut indices, mut rows) = (vec![], vec![]);
        // The reranker's features of the first form, and those of replies.
        let mut second = [vec![], vec![]];
        positions(1, |history, random| {
            if history.ply() == 0 {
                memory = AnalysisState::new(effort.nodes);
            }
            let legal = legal_moves(history.position());
            let logits: Vec<i32> = legal.iter().map(|_| (random.below(8) << 15) as i32).collect();
            let tactics = Tactics::new(history, &legal);
            move_features(history, &legal, Some(&tactics), &mut rows);
            let (context, legal, moves, logits) = (&context, &legal, &rows[..], &logits[..]);
            let vectors = &[];
            let question = AnalysisInput { history, context, legal, moves, logits, vectors };
            if let Some(findings) = examine(&mut searcher, &mut memory, &question, effort) {
                let priors = MovePriors::new(logits);
                indices.extend(features(&findings, &priors).iter().flatten());
                for features in reranker_features(&findings, &priors) {
                    let (first_form, replies) = features.split_at(FIRST_FORM_SLOTS);
                    second[0].extend(first_form);
                    second[1].extend(replies);
                }
            }
        });
        assert_pinned(&indices, digests[0]);
        assert_pinned(&second[0], digests[1]);
        assert_pinned(&second[1], digests[2]);
    }
}

#[test]
fn archives_are_the_same_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    for (model, digest) in [
        ("none", "2e2467efb5468d6b69a2eb5a49725711e68b9102b5cebb63d37a29279a615433"),
        ("standard-1", "8b412fcb795b92d6de37fa15aa8593dcb5a8b9528accb9ebff0553a4c91ee69b"),
        ("standard", "ef10137718ea2343850c3c9104d4f0a8c9d7e9d881cea083b52eca4f87cc5286"),
    ] {
        let out = folder.path().join(model);
        let mut command = Command::new(env!("CARGO_BIN_EXE_plyzip"));
        command.args(["compress", "-q", "--model", model, SAMPLE, "-o"]).arg(&out);
        command.env("PLYZIP_MODELS", concat!(env!("CARGO_MANIFEST_DIR"), "/models"));
        assert!(command.status().unwrap().success());
        let archive = std::fs::read(out).unwrap();
        assert_eq!(blake3::hash(&archive).to_hex().as_str(), digest, "{model}");
    }
}

#[test]
fn a_game_is_the_same_everywhere_with_a_search() {
    let sample = pgn::parse(&std::fs::read(SAMPLE).unwrap());
    let game = sample.games().max_by_key(|game| game.lines[0].moves.len()).unwrap();
    assert!(game.lines[0].moves.len() > 60); // the search begins at ply 16
    let max = concat!(env!("CARGO_MANIFEST_DIR"), "/models/max-1.onnx");
    let codec = GameCodec::new(Model::open(max).unwrap());
    let header = GameHeader::from_tags(game).unwrap();
    let bytes = codec.encode(&header, &game.lines[0].moves).unwrap();
    assert_eq!(
        blake3::hash(&bytes).to_hex().as_str(),
        "1857fac16de261efa7e2cae53732bc11010f4b9be8969995f1d1774ee16f4b28"
    );
}
