//! Makes the archives again: `tests/archives/make.sh` runs the test that is ignored otherwise.

use std::fs;
use std::path::PathBuf;

use plyzip::archive::ArchiveWriter;
use plyzip::{Model, pgn};

use super::inputs::{annotated, oddities, online, repeats, sample, text, tournament};
use super::manifest::{Bytes, Golden, Models, folder};

/// An archive that is yet to be made of `original`, by the model `model`.
fn recipe(file: &str, model: &str, original: Vec<u8>) -> (Golden, Vec<u8>) {
    let golden = Golden {
        file: format!("{file}.plz"),
        parts: vec![],
        model: model.into(),
        embed_model: false,
        block_games: None,
        block_bytes: None,
        page_games: None,
        name: None,
        modified: None,
        games: 0,
        original: Bytes::default(),
        archive: Bytes::default(),
    };
    (golden, original)
}

/// The same in pages and blocks of so many games.
fn cut(
    (golden, original): (Golden, Vec<u8>),
    page_games: u64,
    block_games: u64,
) -> (Golden, Vec<u8>) {
    let (page_games, block_games) = (Some(page_games), Some(block_games));
    (Golden { page_games, block_games, ..golden }, original)
}

/// The same with a name and a time of the original's file.
fn named(
    (golden, original): (Golden, Vec<u8>),
    name: Option<&str>,
    modified: Option<i64>,
) -> (Golden, Vec<u8>) {
    (Golden { name: name.map(str::to_owned), modified, ..golden }, original)
}

/// So many games of tournaments, with comments, and of servers.
fn various(seed: u64, [plain, commented, online]: [usize; 3]) -> Vec<u8> {
    let games = [
        tournament::games(seed, plain),
        annotated::games(seed + 100, commented),
        online::games(seed + 200, online),
    ];
    games.concat()
}

/// All archives but those that are put together from others.
fn recipes() -> Vec<(Golden, Vec<u8>)> {
    let everything =
        [annotated::games(11, 8), online::games(12, 16), tournament::games(13, 32)].concat();
    let embedded = |name: &str, original: Vec<u8>| {
        let model = name.trim_end_matches("-embedded");
        let (golden, original) = cut(recipe(name, model, original), 12, 30);
        (Golden { embed_model: true, ..golden }, original)
    };
    let few = [annotated::games(14, 3), oddities::starts(15, 6), online::games(16, 4)].concat();
    let (mut text_blocks, prose) = recipe("text-blocks", "none", text::around_games());
    text_blocks.block_bytes = Some(1500);
    vec![
        recipe("empty", "none", vec![]),
        recipe("text-mixed", "none", text::prose(21, 300)),
        recipe("text-lzma", "none", text::repeated()),
        recipe("text-raw", "none", text::between_games()),
        (text_blocks, prose),
        recipe("stored-text", "none", text::noise(23, 600)),
        recipe("stored-game", "none", b"1. e4 e5 *\n".to_vec()),
        recipe("famous-none", "none", sample()),
        recipe("famous-standard", "standard-1", sample()),
        recipe("famous-standard-2", "standard", sample()),
        recipe("game-max", "max-1", text::game_of(&sample(), "Topalov, Veselin")),
        recipe("game-max-2", "max", text::game_of(&sample(), "Topalov, Veselin")),
        cut(recipe("tournament-none", "none", tournament::games_of(31, 560, 24)), 512, 20_000),
        cut(
            recipe("tournament-standard", "standard-1", tournament::games_of(32, 270, 16)),
            256,
            20_000,
        ),
        cut(recipe("tournament-pages-none", "none", tournament::games(33, 90)), 16, 50),
        cut(recipe("tournament-pages-standard", "standard-1", tournament::games(34, 40)), 8, 24),
        recipe("online-none", "none", online::games(41, 40)),
        cut(recipe("online-pages-none", "none", online::games(42, 60)), 8, 30),
        cut(recipe("online-standard", "standard-1", online::games(43, 24)), 6, 15),
        cut(recipe("annotated-none", "none", annotated::games(51, 24)), 5, 20),
        recipe("annotated-standard", "standard-1", annotated::games(52, 8)),
        recipe("starts-none", "none", oddities::starts(61, 60)),
        cut(recipe("starts-standard", "standard-1", oddities::starts(62, 30)), 7, 30),
        cut(recipe("layouts-none", "none", oddities::layouts(63)), 6, 1000),
        cut(recipe("spellings-none", "none", oddities::spellings(64)), 9, 1000),
        recipe("spellings-standard", "standard-1", oddities::spellings(65)),
        cut(recipe("broken-none", "none", oddities::broken()), 1, 7),
        recipe("broken-standard", "standard-1", oddities::broken()),
        cut(
            recipe("repeats-none", "none", repeats::among(&various(81, [24, 12, 9]), 82, 60)),
            10,
            90,
        ),
        cut(
            recipe(
                "repeats-standard",
                "standard-1",
                repeats::among(&various(83, [5, 2, 2]), 84, 12),
            ),
            4,
            1000,
        ),
        recipe("encodings-none", "none", oddities::encodings()),
        named(
            recipe("named-none", "none", tournament::games(71, 3)),
            Some("Zürich 1953.pgn"),
            Some(1_700_000_000),
        ),
        named(recipe("name-none", "none", vec![]), Some("empty.pgn"), None),
        named(recipe("time-standard", "standard-1", annotated::games(72, 1)), None, Some(-1)),
        embedded("small-embedded", everything),
        embedded("small-board-embedded", few),
    ]
}

/// The archives that `cat` puts together.
const JOINED: [(&str, &[&str]); 2] = [
    ("joined", &["named-none.plz", "empty.plz", "online-standard.plz", "stored-text.plz"]),
    ("joined-standard", &["empty.plz", "annotated-standard.plz", "time-standard.plz"]),
];

#[test]
#[ignore = "writes the archives, which nothing but a new generation should"]
fn make_the_archives() {
    let out = std::env::var_os("GOLDEN_OUT").map_or_else(folder, PathBuf::from);
    let small_models = PathBuf::from(std::env::var_os("SMALL_MODELS").unwrap());
    let mut models = Models::default();
    let mut made: Vec<(Golden, Vec<u8>, Vec<u8>)> = vec![];
    for (mut golden, original) in recipes() {
        let embedded = golden.embed_model.then(|| {
            fs::read(small_models.join(&golden.model).with_added_extension("onnx")).unwrap()
        });
        let model = match &embedded {
            Some(file) => Model::from_bytes(file).unwrap(),
            None => models.open(&golden.model),
        };
        let options = golden.options().verify(true);
        let mut writer = ArchiveWriter::with_options(vec![], model, options).unwrap();
        if let Some(file) = &embedded {
            writer.embed_model(file).unwrap();
        }
        writer.set_file_info(golden.file_info());
        writer.push(&original).unwrap();
        let (archive, summary) = writer.finish().unwrap();
        golden.games = summary.stats.games;
        made.push((golden, archive, original));
    }
    for (name, parts) in JOINED {
        let (mut golden, _) = recipe(name, "", vec![]);
        let (mut archive, mut original) = (vec![], vec![]);
        for part in parts {
            let part = made.iter().find(|(golden, ..)| golden.file == *part).unwrap();
            golden.parts.push(part.0.file.clone());
            golden.games += part.0.games;
            archive.extend(&part.1);
            original.extend(&part.2);
        }
        made.push((golden, archive, original));
    }
    for (golden, archive, original) in &mut made {
        golden.original = Bytes::of(original);
        golden.archive = Bytes::of(archive);
        fs::write(out.join(&golden.file), &archive).unwrap();
        if let Some(originals) = std::env::var_os("GOLDEN_ORIGINALS") {
            let name = golden.file.replace(".plz", ".pgn");
            fs::write(PathBuf::from(originals).join(name), &original).unwrap();
        }
    }
    let list: Vec<&Golden> = made.iter().map(|(golden, ..)| golden).collect();
    let list = serde_json::to_string_pretty(&list).unwrap() + "\n";
    fs::write(out.join("manifest.json"), list).unwrap();
}

/// Games that are meant to be games are games to the last move, or the archives would hold text instead.
#[test]
fn generated_games_are_legal() {
    for input in [
        tournament::games(1, 20),
        online::games(1, 20),
        annotated::games(1, 6),
        oddities::starts(1, 30),
        oddities::layouts(1),
    ] {
        for item in pgn::parse(&input).items {
            let game = item.game().expect("text between the games");
            let text = game.tokens.iter().find(|token| matches!(token, pgn::Token::Text(_)));
            assert!(text.is_none(), "{:?}", text.map(|text| format!("{text:?}")));
        }
    }
}
