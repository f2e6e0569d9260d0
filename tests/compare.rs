//! `plyzip compare`: every system in one table, each decoded again.

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

/// Three games, one of chess960, one without moves, and a stretch of text.
const GAMES: &str = "\
[Event \"A\"]\n\n1. e4 e5 2. Nf3 (2. f4 exf4) Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O 1/2-1/2\n\n\
[Event \"B\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
[FEN \"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\"]\n\n9. c4 d5 10. e4 *\n\n\
[Event \"C\"]\n\n0-1\n\nno game at all\n";

/// The systems of the texts and ours, as `compare` names them.
const GAME_IDS: &str =
    "R0 R1 R2 R3a R3b R4 M0 M1 M2 M3 P2 P3 P4 P5 B6 B7 B8 plyzip-none plyzip-standard";
const POSITION_IDS: &str = "S1 P1 B1 B2 B3 B4 B5 RP RI";

fn compare(folder: &Path, arguments: &[&str]) -> Command {
    std::fs::write(folder.join("games.pgn"), GAMES).unwrap();
    let mut command = Command::cargo_bin("plyzip").unwrap();
    command.current_dir(folder).arg("compare").args(arguments);
    command
}

#[test]
fn every_system_is_there_and_every_game_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["games.pgn", "--json", "--network", "--plot", "plot.svg"];
    let output = compare(folder.path(), &arguments).assert().success().get_output().stdout.clone();
    let report: Value = serde_json::from_slice(&output).unwrap();
    let rows = report["rows"].as_array().unwrap();
    let row = |id: &str| rows.iter().find(|row| row["id"] == id).unwrap_or_else(|| panic!("{id}"));
    let picture = std::fs::read_to_string(folder.path().join("plot.svg")).unwrap();
    assert!(picture.ends_with("</svg>\n") && !picture.contains("NaN"));
    for id in GAME_IDS.split(' ') {
        let row = row(id);
        assert_eq!(row["round_trip"], true, "{id}");
        for figure in ["bits_per_move", "encode_plies_per_s", "decode_plies_per_s"] {
            assert!(row[figure].as_f64().unwrap() > 0.0, "{id} {figure}");
        }
        assert!(row["name"].is_string() && picture.contains(&format!(">{id}<")));
    }
    // 9 and 3 plies, and the length of three games in 10 bits; nothing promotes.
    let expected = f64::from(12 * 12 + (5 + 4) + (5 + 2) + 5) / 12.0;
    assert_eq!(row("B6")["bits_per_move"], expected);
    assert!(row("P4")["payload_bits_per_game"].as_f64().unwrap() > 0.0);
}

#[test]
fn every_row_has_what_scripts_rely_on() {
    let folder = tempfile::tempdir().unwrap();
    let rows = |arguments: &[&str]| -> Vec<Value> {
        let output = compare(folder.path(), arguments).assert().success().get_output().clone();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        report["rows"].as_array().unwrap().clone()
    };
    for (arguments, expected, absent) in [
        (&["games.pgn", "--json"][..], vec![GAME_IDS], POSITION_IDS),
        (&["games.pgn", "--json", "--positions"], vec![GAME_IDS, POSITION_IDS], ""),
    ] {
        let rows = rows(arguments);
        let named = |id: &str| rows.iter().filter(|row| row["id"] == id).count();
        for id in expected.iter().flat_map(|ids| ids.split(' ')) {
            assert_eq!(named(id), 1, "{id}");
        }
        assert!(absent.split_terminator(' ').all(|id| named(id) == 0));
        for row in &rows {
            assert!(row["name"].as_str().is_some_and(|name| !name.is_empty()), "{row}");
            assert_eq!(row["round_trip"], true, "{row}");
            let size = [&row["bits_per_move"], &row["bits_per_position"]];
            let [moves, positions] = size.map(|size| size.as_f64().is_some_and(|size| size > 0.0));
            assert!(moves != positions, "{row}");
            for speed in ["encode_plies_per_s", "decode_plies_per_s"] {
                // The bound is computed and not coded.
                assert!(row[speed].as_f64().unwrap() > 0.0 || row["id"] == "RI", "{row}");
            }
        }
        // Parikh's codes store the start, and have no room for castling rights of chess960.
        let parikh = rows.iter().find(|row| row["id"] == "P2").unwrap();
        assert_eq!((&parikh["games"], &parikh["unsupported"]), (&2.into(), &1.into()));
    }
}

#[test]
fn positions_come_back_too() {
    let folder = tempfile::tempdir().unwrap();
    let mut game = String::from("[Event \"long\"]\n\n");
    for _ in 0..12 {
        game += "Nf3 Nf6 Ng1 Ng8 ";
    }
    std::fs::write(folder.path().join("long.pgn"), game + "*\n").unwrap();
    let mut command = Command::cargo_bin("plyzip").unwrap();
    command.current_dir(folder.path()).args(["compare", "long.pgn", "--json", "--positions"]);
    let output = command.assert().success().get_output().stdout.clone();
    let report: Value = serde_json::from_slice(&output).unwrap();
    let rows = report["rows"].as_array().unwrap();
    for id in POSITION_IDS.split(' ') {
        let row = rows.iter().find(|row| row["id"] == id).unwrap_or_else(|| panic!("{id}"));
        assert_eq!(row["round_trip"], true, "{id}");
        assert!(row["bits_per_position"].as_f64().unwrap() > 0.0, "{id}");
    }
    let row = rows.iter().find(|row| row["id"] == "B1").unwrap();
    assert_eq!((&row["bits_per_position"], &row["games"]), (&256.0.into(), &2.into()));
}

#[test]
fn the_first_games_alone_and_as_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let output = compare(folder.path(), &["games.pgn", "--games", "1"]).assert().success();
    let table = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    // 9 plies in 8 bits, and 16 for their number.
    assert!(table.lines().any(|line| line.starts_with("M0 ") && line.contains("9.778")));
}

#[test]
fn without_moves_there_is_nothing_to_compare() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("text"), "no game").unwrap();
    compare(folder.path(), &["text"]).assert().code(2);
    compare(folder.path(), &["missing"]).assert().code(1);
}
