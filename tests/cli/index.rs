//! `plyzip index` and `plyzip tree`, and what other commands make of an index.

use crate::folder::{Folder, stderr};

use crate::pgn;

/// What is asked of an archive with an index and without.
const QUESTIONS: [&str; 8] = [
    "decompress games.plz -c",
    "extract games.plz --game 3",
    "extract games.plz --position 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -' --count",
    "extract games.plz --plies ..30 --player player",
    "extract games.plz --eco C --not --count",
    "list games.plz --full",
    "stats games.plz",
    "tree games.plz --moves e4",
];

fn answers(folder: &Folder, option: &str) -> Vec<Vec<u8>> {
    QUESTIONS.iter().map(|question| folder.ok(&format!("{question} {option}"))).collect()
}

fn with_archive() -> Folder {
    let folder = Folder::new();
    let games =
        [&include_bytes!("../../samples/famous.pgn")[..], &pgn::games(30).concat()].concat();
    folder.write("games.pgn", games);
    folder.ok("compress games.pgn -o games.plz --model none -q --page-games 8");
    folder
}

#[test]
fn an_index_changes_no_answer() {
    let folder = with_archive();
    let expected = answers(&folder, "");
    assert!(expected.iter().all(|answer| !answer.is_empty()));
    let told = stderr(&folder.run("index games.plz"));
    assert!(told.starts_with("games.plz.idx: 46 games, "), "{told}");
    assert!(stderr(&folder.run("index games.plz")).contains("up to date"));
    assert!(stderr(&folder.run("index games.plz --check")).contains("46 games, all as in"));
    assert_eq!(answers(&folder, ""), expected);
    assert_eq!(answers(&folder, "--no-index"), expected);
    // On the way it is the same.
    folder.ok("compress games.pgn -o other.plz --model none -q --page-games 8 --index");
    assert_eq!(folder.read("other.plz"), folder.read("games.plz"));
    assert_eq!(folder.read("other.plz.idx"), folder.read("games.plz.idx"));
    folder.fails(2, "compress games.pgn -c --model none --index");
}

#[test]
fn an_index_that_does_not_fit_is_told_and_passed_over() {
    let folder = with_archive();
    let expected = answers(&folder, "");
    folder.ok("index games.plz -q");
    let index = folder.read("games.plz.idx");
    folder.write("less.pgn", pgn::games(9).concat());
    folder.ok("compress less.pgn -o less.plz --model none -q");
    folder.ok("index less.plz -q");
    let mut damaged = index.clone();
    let length = damaged.len();
    damaged[9..length / 2].reverse();
    for wrong in [folder.read("less.plz.idx"), damaged, index[..40].to_vec(), vec![], vec![7; 99]] {
        folder.write("games.plz.idx", wrong);
        assert_eq!(answers(&folder, ""), expected);
        let told = stderr(&folder.run("decompress games.plz -c"));
        let lines = told.lines().filter(|line| line.starts_with("games.plz.idx: passed over: "));
        assert_eq!(lines.count(), 1, "{told}");
        assert!(folder.run("index games.plz --check").status.code() > Some(0));
    }
    // What is no index is not replaced without being asked.
    folder.fails(1, "index games.plz");
    assert_eq!(folder.read("games.plz.idx"), vec![7; 99]);
    folder.ok("index games.plz -f");
    assert_eq!(folder.read("games.plz.idx"), index);
    std::fs::remove_file(folder.path("games.plz.idx")).unwrap();
    folder.fails(2, "index games.plz --check");
    folder.fails(3, "index less.pgn");
}

#[test]
fn append_goes_on_with_an_index() {
    let folder = with_archive();
    folder.ok("index games.plz -q");
    folder.write("new.pgn", pgn::games(60)[30..].concat());
    folder.ok("append games.plz new.pgn -q");
    assert!(stderr(&folder.run("index games.plz --check")).contains(": 76 games, all as in"));
    let index = folder.read("games.plz.idx");
    folder.ok("index games.plz -f -q");
    assert_eq!(folder.read("games.plz.idx"), index);
    // Without one, none is made.
    folder.ok("compress games.pgn -o other.plz --model none -q");
    folder.ok("append other.plz new.pgn -q");
    assert!(!folder.path("other.plz.idx").exists());
}

#[test]
fn append_leaves_an_index_that_does_not_fit() {
    let folder = with_archive();
    folder.write("new.pgn", pgn::games(9).concat());
    folder.ok("compress new.pgn -o new.plz --model none -q --index");
    for wrong in [folder.read("new.plz.idx"), vec![7; 99]] {
        folder.write("games.plz.idx", &wrong);
        let told = stderr(&folder.run("append games.plz new.pgn"));
        let lines = told.lines().filter(|line| line.starts_with("games.plz.idx: passed over: "));
        assert_eq!(lines.count(), 1, "{told}");
        assert_eq!(folder.read("games.plz.idx"), wrong);
    }
    // One of an earlier state fits, and comes up to date.
    folder.ok("index games.plz -f -q");
    let before = folder.read("games.plz.idx");
    folder.ok("append games.plz new.pgn -q --recovery 2%");
    folder.write("games.plz.idx", before);
    let info = String::from_utf8(folder.ok("info games.plz")).unwrap();
    assert!(info.contains("bytes, 64 of 73 games (plyzip index adds the others)\n"), "{info}");
    folder.ok("append games.plz new.pgn -q");
    assert!(stderr(&folder.run("index games.plz --check")).contains(": 82 games, all as in"));
    let index = folder.read("games.plz.idx");
    folder.ok("index games.plz -f -q");
    assert_eq!(folder.read("games.plz.idx"), index);
}

#[test]
fn repack_makes_the_index_anew_if_there_was_one() {
    let folder = with_archive();
    folder.ok("index games.plz -q");
    folder.write("new.pgn", pgn::games(60)[30..].concat());
    folder.ok("append games.plz new.pgn -q");
    folder.write("bare.plz", folder.read("games.plz"));
    folder.ok("repack games.plz -q");
    assert!(stderr(&folder.run("index games.plz --check")).contains(": 76 games, all as in"));
    let index = folder.read("games.plz.idx");
    folder.ok("index games.plz -f -q");
    assert_eq!(folder.read("games.plz.idx"), index);
    folder.ok("repack bare.plz -q");
    assert_eq!(folder.read("bare.plz"), folder.read("games.plz"));
    assert!(!folder.path("bare.plz.idx").exists());
}

#[test]
fn cat_puts_indexes_together() {
    let folder = with_archive();
    folder.write("more.pgn", pgn::games(60)[30..].concat());
    folder.ok("compress more.pgn -o more.plz --model none -q --recovery 2%");
    folder.ok("index games.plz -q");
    // One of them has none.
    folder.ok("cat games.plz more.plz -o none.plz -q");
    assert!(!folder.path("none.plz.idx").exists());
    folder.ok("cat games.plz more.plz -o some.plz -q --index");
    folder.ok("index more.plz -q");
    for (name, option) in [("all", ""), ("other", "--recovery none"), ("third", "--recovery 3%")] {
        let told = stderr(&folder.run(&format!("cat games.plz more.plz -o {name}.plz {option}")));
        assert!(told.starts_with(&format!("{name}.plz.idx: 76 games, ")), "{told}");
    }
    folder.ok("cat more.plz games.plz games.plz -o twice.plz -q");
    for name in ["some", "all", "other", "third", "twice"] {
        let index = folder.read(&format!("{name}.plz.idx"));
        folder.ok(&format!("index {name}.plz -f -q"));
        assert_eq!(folder.read(&format!("{name}.plz.idx")), index, "{name}");
        folder.ok(&format!("index {name}.plz --check"));
    }
    // What does not fit is told, and not put together.
    folder.write("more.plz.idx", folder.read("games.plz.idx"));
    let told = stderr(&folder.run("cat games.plz more.plz -o last.plz"));
    assert!(told.starts_with("more.plz.idx: passed over: ") && told.lines().count() == 1, "{told}");
    assert!(!folder.path("last.plz.idx").exists());
    folder.fails(2, "cat games.plz more.plz --index");
}

#[test]
fn info_tells_of_an_index() {
    let folder = with_archive();
    let row = || {
        let info = String::from_utf8(folder.ok("info games.plz")).unwrap();
        let row = info.lines().find_map(|line| line.strip_prefix("index of moves"));
        row.unwrap().trim().to_owned()
    };
    let json = || -> serde_json::Value {
        serde_json::from_slice(&folder.ok("info games.plz --json")).unwrap()
    };
    assert_eq!((row().as_str(), &json()["index"]), ("none", &serde_json::Value::Null));
    folder.ok("index games.plz -q");
    let bytes = folder.read("games.plz.idx").len();
    assert_eq!(row(), format!("{bytes} bytes, of all games"));
    let expected = serde_json::json!({ "bytes": bytes, "games": 46, "fault": null });
    assert_eq!(json()["index"], expected);
    folder.write("games.plz.idx", b"nothing");
    assert!(
        row().starts_with("7 bytes, does not fit: it does not begin like an index"),
        "{}",
        row()
    );
    assert_eq!(
        (&json()["index"]["games"], json()["index"]["fault"].is_string()),
        (&0.into(), true)
    );
}

#[test]
fn a_tree_counts_next_moves() {
    let folder = Folder::new();
    let game = |moves: &str, result: &str, elo: &str, date: &str| {
        format!(
            "[Event \"?\"]\n[Date \"{date}\"]\n[Result \"{result}\"]\n[WhiteElo \"{elo}\"]\n[BlackElo \"{elo}\"]\n\n\
             {moves} {result}\n\n"
        )
    };
    let games = game("1. e4 e5 2. Nf3 Nc6", "1-0", "2000", "1999.05.01")
        + &game("1. e4 e5 2. Nf3 Nf6", "0-1", "2200", "2003.??.??")
        + &game("1. Nf3 Nc6 2. e4 e5", "1/2-1/2", "?", "????.??.??")
        + &game("1. e4 e5", "1-0", "2100", "2001.01.01")
        + &game("1. d4", "0-1", "2100", "2001.01.01");
    folder.write("games.pgn", games.repeat(3));
    folder.ok("compress games.pgn -o games.plz --model none -q");
    folder.ok("index games.plz -q");
    let tree = |question: &str| -> serde_json::Value {
        let with = folder.ok(&format!("tree games.plz --json {question}"));
        let without = folder.ok(&format!("tree games.plz --json {question} --no-index"));
        assert_eq!(with, without, "{question}");
        serde_json::from_slice(&with).unwrap()
    };
    let by_moves = tree("--moves 'e4 e5'");
    assert_eq!((&by_moves["games"], &by_moves["ended"]), (&9.into(), &3.into()));
    assert_eq!(by_moves["moves"], serde_json::json!(["e4", "e5"]));
    let next = &by_moves["next"][0];
    assert_eq!(
        (&next["move"], &next["uci"], &next["games"]),
        (&"Nf3".into(), &"g1f3".into(), &6.into())
    );
    assert_eq!(
        (&next["white"], &next["black"], &next["score"]),
        (&3.into(), &3.into(), &50.0.into())
    );
    assert_eq!(
        (&next["elo"], &next["first_year"], &next["last_year"]),
        (&2100.into(), &1999.into(), &2003.into())
    );
    // By whatever moves.
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -";
    let by_position = tree(&format!("--position '{fen}'"));
    assert_eq!((&by_position["games"], &by_position["ended"]), (&6.into(), &6.into()));
    let start = tree("--min-games 4");
    assert_eq!((&start["games"], start["next"].as_array().unwrap().len()), (&15.into(), 1));
    let text = String::from_utf8(folder.ok("tree games.plz --moves 'e4 e5'")).unwrap();
    assert!(text.contains("White to move, 9 games"), "{text}");
    assert!(text.ends_with("(3 games end there)\n"), "{text}");
    folder.fails(2, &format!("tree games.plz --moves e4 --position '{fen}'"));
    let predicted = folder.ok("tree games.plz --predict --model none --json");
    let predicted: serde_json::Value = serde_json::from_slice(&predicted).unwrap();
    assert!(predicted["next"][0]["probability"].as_f64().unwrap() > 0.2);
}
