//! `plyzip compare`: every system in one table, each decoded again.

use std::io::Write;
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
    "R0 R1 R2 R3a R3b R4 M0 M1 M2 M3 P2 P3 P4 P5 B6 B7 B8 SAN 2B Scid plyzip-none plyzip-standard";
const END_IDS: &str =
    "RE-R0-count RE-R0-move RE-R0 RE-R1-count RE-R1-move RE-R1 RE-R2-count RE-R2-move RT";
/// The compressors of whole files.
const FILE_IDS: [&str; 5] = ["zstd -3", "zstd -19", "zstd -22 --long", "xz -6", "xz -9e"];
const POSITION_IDS: &str = "S1 P1 B1 B2 B3 B4 B5 RP RI";

/// What is told of whole files.
const FILE_FIGURES: [&str; 7] = [
    "file_bytes",
    "file_bytes_per_game",
    "ratio",
    "compress_mb_per_s",
    "decompress_mb_per_s",
    "compress_games_per_s",
    "decompress_games_per_s",
];

/// What Linux tells of them, too.
const MEMORY: &str = "memory_bytes";

fn compare(folder: &Path, arguments: &[&str]) -> Command {
    std::fs::write(folder.join("games.pgn"), GAMES).unwrap();
    let mut command = Command::cargo_bin("plyzip").unwrap();
    command.current_dir(folder).arg("compare").args(arguments);
    command
}

/// The report on a file, as JSON.
fn json(folder: &Path, arguments: &[&str]) -> Value {
    let arguments = [arguments, &["--json"]].concat();
    let output = compare(folder, &arguments).assert().success().get_output().stdout.clone();
    serde_json::from_slice(&output).unwrap()
}

fn row<'a>(report: &'a Value, id: &str) -> &'a Value {
    let rows = report["rows"].as_array().unwrap();
    rows.iter().find(|row| row["id"] == id).unwrap_or_else(|| panic!("{id}"))
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
        assert!(row["name"].is_string());
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
        (&["games.pgn", "--json"][..], vec![GAME_IDS, END_IDS], POSITION_IDS),
        (&["games.pgn", "--json", "--positions"], vec![GAME_IDS, END_IDS, POSITION_IDS], ""),
    ] {
        let rows = rows(arguments);
        let named = |id: &str| rows.iter().filter(|row| row["id"] == id).count();
        for id in expected.iter().flat_map(|ids| ids.split(' ')).chain(FILE_IDS) {
            assert_eq!(named(id), 1, "{id}");
        }
        assert!(absent.split_terminator(' ').all(|id| named(id) == 0));
        for row in &rows {
            assert!(row["name"].as_str().is_some_and(|name| !name.is_empty()), "{row}");
            // The bound is computed: nothing was coded that could come back.
            let coded = row["id"] != "RI";
            assert_eq!(row["round_trip"].as_bool(), coded.then_some(true), "{row}");
            assert_eq!(row["games"].as_u64().unwrap() > 0, coded, "{row}");
            // A compressor of whole files does not know which of its bits are moves.
            let id = row["id"].as_str().unwrap();
            let compressor = FILE_IDS.contains(&id);
            let sizes = ["bits_per_move", "bits_per_position", "bits_per_game"];
            let sizes = sizes.map(|size| row[size].as_f64().is_some_and(|size| size > 0.0));
            assert_eq!(
                sizes.iter().filter(|&&size| size).count(),
                usize::from(!compressor),
                "{row}"
            );
            for speed in ["encode_plies_per_s", "decode_plies_per_s"] {
                let timed = coded && !compressor && id != "RT";
                assert_eq!(row[speed].as_f64().is_some_and(|speed| speed > 0.0), timed, "{row}");
            }
            let whole = compressor || ["plyzip-none", "plyzip-standard"].contains(&id);
            let memory = cfg!(target_os = "linux").then_some(MEMORY);
            for figure in FILE_FIGURES.into_iter().chain(memory) {
                assert_eq!(row[figure].as_f64().is_some_and(|figure| figure > 0.0), whole, "{row}");
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
        assert_eq!(row["round_trip"].as_bool(), (id != "RI").then_some(true), "{id}");
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
fn ends_of_games_cost_what_they_take() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = "1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 1-0\n";
    std::fs::write(folder.path().join("two.pgn"), pgn).unwrap();
    let report = json(folder.path(), &["two.pgn", "--models", "none"]);
    let cost = |id: &str| row(&report, id)["bits_per_game"].as_f64().unwrap();
    // 32 and 8 bits of moves: counts of 6 and 4 digits. Only the second ends while there are moves.
    assert_eq!(cost("RE-R0-count"), (5.0 + 6.0 + 5.0 + 4.0) / 2.0);
    assert_eq!(cost("RE-R0-move"), (0.0 + 8.0) / 2.0);
    assert_eq!(cost("RE-R0"), 1.0 + cost("RE-R0-move"));
    // 20 and 5 bits. 20, 20, 19 and 30 moves take five bits each with one more possibility.
    assert_eq!(cost("RE-R1-count"), (5.0 + 5.0 + 5.0 + 3.0) / 2.0);
    assert_eq!(cost("RE-R1-move"), (0.0 + 5.0) / 2.0);
    assert_eq!(cost("RE-R1"), 1.0 + cost("RE-R1-move"));
    assert_eq!(cost("RT"), 6.0);
    assert!(row(&report, "RT")["name"].as_str().unwrap().contains("of 1 games"));
    // The picture is of whole games only.
    compare(folder.path(), &["two.pgn", "--models", "none", "--plot", "plot.svg"])
        .assert()
        .success();
    let picture = std::fs::read_to_string(folder.path().join("plot.svg")).unwrap();
    assert!(picture.contains(">SAN text<") && picture.contains(">plyzip --fast<"));
    assert!(!picture.contains("RE-R0") && !picture.contains("RT:"));
}

#[test]
fn a_game_with_more_moves_than_a_byte_counts_is_unsupported_in_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = "[SetUp \"1\"]\n[FEN \"kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1\"]\n\n\
               1. Rg7# 1-0\n\n1. e4 *\n";
    std::fs::write(folder.path().join("crowd.pgn"), pgn).unwrap();
    let report = json(folder.path(), &["crowd.pgn", "--models", "none"]);
    let counts = |id: &str| ["games", "unsupported"].map(|count| row(&report, id)[count].as_u64());
    assert_eq!(counts("M0"), [Some(1), Some(1)]);
    assert_eq!(counts("M1"), [Some(2), Some(0)]);
}

#[test]
fn games_of_unknown_start_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = "[Variant \"Atomic\"]\n\n1. e4 *\n\n[Event \"B\"]\n\n1. e4 *\n";
    std::fs::write(folder.path().join("two.pgn"), pgn).unwrap();
    let arguments = ["two.pgn", "--models", "none"];
    let report = json(folder.path(), &arguments);
    assert_eq!(report["unknown_starts"], 1);
    assert_eq!(
        (&row(&report, "R0")["games"], &row(&report, "plyzip-none")["games"]),
        (&1.into(), &2.into())
    );
    let output = compare(folder.path(), &arguments).assert().success().get_output().clone();
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.lines().last().unwrap().ends_with("want of a known start: 1 games"), "{table}");
    assert_eq!(json(folder.path(), &["games.pgn", "--models", "none"])["unknown_starts"], 0);
}

#[test]
fn whole_files_are_counted_with_everything_in_them() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["games.pgn", "--models", "none", "--also", "zpaq -m5=123", "--also", "a=b=1"];
    let report = json(folder.path(), &arguments);
    assert_eq!((&report["original_bytes"], &report["games"]), (&GAMES.len().into(), &3.into()));
    let bytes = |id: &str| row(&report, id)["file_bytes"].as_f64().unwrap();
    for id in FILE_IDS.into_iter().chain(["plyzip-none"]) {
        let row = row(&report, id);
        assert_eq!((&row["games"], &row["round_trip"]), (&3.into(), &true.into()), "{id}");
        // A digit may be lost on the way through JSON.
        let close = |figure: &str, expected: f64| {
            (row[figure].as_f64().unwrap() / expected - 1.0).abs() < 1e-12
        };
        assert!(close("file_bytes_per_game", bytes(id) / 3.0), "{row}");
        assert!(close("ratio", GAMES.len() as f64 / bytes(id)), "{row}");
    }
    // What `plyzip compress` writes, and more than the moves alone.
    let mut command = Command::cargo_bin("plyzip").unwrap();
    let compress = ["compress", "games.pgn", "--model", "none"];
    command.current_dir(folder.path()).args(compress).assert().success();
    let archive = folder.path().join("games.pgn.plz").metadata().unwrap().len();
    assert_eq!(bytes("plyzip-none"), archive as f64);
    let of_moves = row(&report, "plyzip-none")["bytes_per_game"].as_f64().unwrap();
    assert!(of_moves < bytes("plyzip-none") / 3.0);
    // What was given is told, but nobody has decompressed it.
    assert_eq!((bytes("zpaq -m5"), bytes("a=b")), (123.0, 1.0));
    let given = row(&report, "zpaq -m5");
    assert!(given["round_trip"].is_null() && given["compress_mb_per_s"].is_null());
    for wrong in ["zpaq", "zpaq=", "=3", "zpaq=0"] {
        compare(folder.path(), &["games.pgn", "--also", wrong]).assert().code(2).stdout("");
    }
}

#[test]
fn the_tables_say_what_they_count() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["games.pgn", "--models", "none", "--positions"];
    let output = compare(folder.path(), &arguments).assert().success().get_output().stdout.clone();
    let text = String::from_utf8(output).unwrap();
    let bytes = GAMES.len();
    assert!(text.starts_with(&format!("Whole files: all {bytes} bytes of 3 games")), "{text}");
    let part = |from: &str, to: &str| {
        text.split(from).nth(1).unwrap_or_else(|| panic!("{from}")).split(to).next().unwrap()
    };
    let whole = part("Whole files:", "\nMoves alone:");
    for id in FILE_IDS.into_iter().chain(["plyzip-none"]) {
        assert!(whole.lines().any(|line| line.starts_with(id)), "{id}: {whole}");
    }
    assert!(whole.lines().all(|line| line.chars().count() <= 80), "{whole}");
    let moves = part("\nMoves alone:", "\nEnds of games alone:");
    assert!(moves.contains("\nplyzip-none ") && moves.contains("\nR0 ") && !moves.contains("zstd"));
    assert!(part("\nEnds of games alone:", "\nSingle positions.").contains("\nRT "));
    assert!(text.split("\nSingle positions.").nth(1).unwrap().contains("\nRI "));
}

#[test]
fn rows_are_chosen_by_their_ids() {
    let folder = tempfile::tempdir().unwrap();
    let ids = |arguments: &[&str]| -> Vec<String> {
        let report = json(folder.path(), &[&["games.pgn"], arguments].concat());
        let rows = report["rows"].as_array().unwrap();
        rows.iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
    };
    // A row of a whole file alone is measured by the process itself, several by others.
    assert_eq!(ids(&["--only", "zstd -19"]), ["zstd -19"]);
    assert_eq!(ids(&["--only=plyzip-none"]), ["plyzip-none"]);
    assert_eq!(ids(&["--only=xz -6,R0,plyzip-none,RT"]), ["R0", "RT", "plyzip-none", "xz -6"]);
    assert_eq!(ids(&["--only=S1", "--positions"]), ["S1"]);
    // A row that was not asked for does not need its model.
    assert_eq!(ids(&["--only=xz -6", "--models=missing.onnx"]), ["xz -6"]);
    for (arguments, id) in [(["--only=R0,zip", "--quiet"], "zip"), (["--only=S1", "--quiet"], "S1")]
    {
        let arguments = [&["games.pgn"], &arguments[..]].concat();
        let output = compare(folder.path(), &arguments).assert().code(2).get_output().clone();
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains(&format!("--only: there is no row {id}")), "{told}");
    }
}

/// A program that is replaced while it runs cannot start itself again.
#[cfg(target_os = "linux")]
#[test]
fn without_other_processes_all_but_memory_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("plyzip");
    std::fs::copy(assert_cmd::cargo::cargo_bin("plyzip"), &program).unwrap();
    let mut process = std::process::Command::new(&program)
        .args(["compare", "-", "--json", "--only=plyzip-none,xz -6", "--models=none"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::fs::remove_file(&program).unwrap();
    process.stdin.take().unwrap().write_all(GAMES.as_bytes()).unwrap();
    let output = process.wait_with_output().unwrap();
    assert!(output.status.success());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    for id in ["plyzip-none", "xz -6"] {
        let row = row(&report, id);
        assert_eq!((&row["round_trip"], &row[MEMORY]), (&true.into(), &Value::Null), "{row}");
    }
}

/// A process that measures a row gets the games on its standard input, and the options that matter.
#[test]
fn rows_of_others_are_those_of_the_first_games() {
    let folder = tempfile::tempdir().unwrap();
    let report = json(folder.path(), &["games.pgn", "--games", "1", "--models=none", "-T", "1"]);
    let alone = ["games.pgn", "--games", "1", "--only=plyzip-none"];
    let alone = json(folder.path(), &alone);
    for figure in ["file_bytes", "bits_per_move", "games"] {
        assert_eq!(row(&report, "plyzip-none")[figure], row(&alone, "plyzip-none")[figure]);
    }
    assert_eq!(row(&report, "zstd -3")["games"], 1);
}

#[test]
fn each_picture_shows_what_compares() {
    let folder = tempfile::tempdir().unwrap();
    let pictures = ["--plot", "plot.svg", "--plot-sizes", "sizes.svg"];
    let arguments = [&["games.pgn", "--models", "none", "--also", "zpaq -m5=300"][..], &pictures];
    compare(folder.path(), &arguments.concat()).assert().success();
    let picture = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let (plot, sizes) = (picture("plot.svg"), picture("sizes.svg"));
    for picture in [&plot, &sizes] {
        assert!(picture.ends_with("</svg>\n") && picture.contains("prefers-color-scheme:dark"));
        assert!(!picture.contains("NaN"));
    }
    for id in FILE_IDS.into_iter().chain(["zpaq -m5"]) {
        assert!(sizes.contains(&format!(">{id}<")) && !plot.contains(&format!(">{id}<")), "{id}");
    }
    assert!(plot.contains(">plyzip --fast<") && sizes.contains(">plyzip --fast<"));
    assert!(plot.contains(">Scid<") && !sizes.contains(">Scid<"));
    assert!(sizes.contains("3 games") && sizes.contains(">100.0 bytes<"));
}

#[test]
fn a_picture_replaces_nothing_unless_told_to() {
    let folder = tempfile::tempdir().unwrap();
    let plot = folder.path().join("plot.svg");
    std::fs::write(&plot, "mine").unwrap();
    let arguments = ["games.pgn", "--models", "none", "--plot", "plot.svg"];
    let refused = compare(folder.path(), &arguments).assert().code(1).get_output().clone();
    // Before anything was measured.
    assert!(refused.stdout.is_empty());
    assert!(String::from_utf8(refused.stderr).unwrap().contains("-f"));
    assert_eq!(std::fs::read_to_string(&plot).unwrap(), "mine");
    compare(folder.path(), &[&arguments[..], &["-f"]].concat()).assert().success();
    assert!(std::fs::read_to_string(&plot).unwrap().ends_with("</svg>\n"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn a_picture_goes_nowhere_but_into_a_svg_file() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["games.pgn", "plot.png", "plot", "-", ".svg"] {
        let arguments = ["games.pgn", "--models", "none", "-f", "--plot", name];
        compare(folder.path(), &arguments).assert().code(2).stdout("");
        let arguments = ["games.pgn", "--models", "none", "-f", "--plot-sizes", name];
        compare(folder.path(), &arguments).assert().code(2).stdout("");
    }
    // Nor do two of them share one.
    let arguments = ["games.pgn", "--plot", "a.svg", "--plot-sizes", "a.svg"];
    compare(folder.path(), &arguments).assert().code(2).stdout("");
    assert_eq!(std::fs::read_to_string(folder.path().join("games.pgn")).unwrap(), GAMES);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    // To insist on nothing is a mistake.
    compare(folder.path(), &["games.pgn", "-f"]).assert().code(2);
}

#[test]
fn without_moves_there_is_nothing_to_compare() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("text"), "no game").unwrap();
    compare(folder.path(), &["text"]).assert().code(2);
    compare(folder.path(), &["missing"]).assert().code(1);
}

/// `--policy`, which a build with the feature of that name has.
#[cfg(feature = "policy")]
mod policy {
    use super::*;

    /// A field of a protobuf message.
    fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
        let length = u16::try_from(bytes.len()).unwrap();
        // In two bytes, however short: ONNX does not mind.
        let varint = [(length & 127) as u8 | 128, u8::try_from(length >> 7).unwrap()];
        [&[number << 3 | 2, varint[0], varint[1]], bytes].concat()
    }

    /// A field with a small number.
    fn number(field: u8, value: u8) -> Vec<u8> {
        vec![field << 3, value]
    }

    /// A network whose logits are the input's numbers from `first` to `last`, as ONNX.
    fn network(first: i64, last: i64) -> Vec<u8> {
        let node = |inputs: &[&str], output: &str, operator: &str| {
            let inputs = inputs.iter().flat_map(|name| field(1, name.as_bytes()));
            let node =
                inputs.chain(field(2, output.as_bytes())).chain(field(4, operator.as_bytes()));
            field(1, &node.collect::<Vec<u8>>())
        };
        let constant = |name: &str, value: i64| {
            let tensor = [
                number(1, 1),
                number(2, 7),
                field(8, name.as_bytes()),
                field(9, &value.to_le_bytes()),
            ];
            field(5, &tensor.concat())
        };
        let float = number(1, 1);
        let value = |name: &str| [field(1, name.as_bytes()), field(2, &field(1, &float))].concat();
        let graph = [
            node(&["planes"], "numbers", "Flatten"),
            node(&["numbers", "first", "last", "axis"], "policy", "Slice"),
            field(2, b"slice"),
            constant("first", first),
            constant("last", last),
            constant("axis", 1),
            field(11, &value("planes")),
            field(12, &value("policy")),
        ];
        [number(1, 8), field(7, &graph.concat()), field(8, &number(2, 17))].concat()
    }

    #[test]
    fn a_policy_network_stands_beside_the_models() {
        let folder = tempfile::tempdir().unwrap();
        // Before the initial position there is nothing: planes 40 and on have no man, and all moves are alike.
        let blind = network(40 * 64, 40 * 64 + 1858);
        std::fs::write(folder.path().join("blind.onnx"), blind).unwrap();
        std::fs::write(folder.path().join("e4.pgn"), "1. e4 *\n").unwrap();
        let report = json(folder.path(), &["e4.pgn", "--models", "none", "--policy", "blind.onnx"]);
        let of_network = row(&report, "policy-blind");
        assert_eq!(of_network["bits_per_move"].as_f64(), Some(20f64.log2()));
        assert_eq!((&of_network["hits"], &of_network["round_trip"]), (&1.0.into(), &Value::Null));
        let of_model = row(&report, "policy-plyzip-none");
        assert!(of_model["bits_per_move"].as_f64().unwrap() < 2.0);
        // What sees the men prefers some moves to others.
        std::fs::write(folder.path().join("seeing.onnx"), network(0, 1858)).unwrap();
        let report =
            json(folder.path(), &["e4.pgn", "--models", "none", "--policy", "seeing.onnx"]);
        assert_ne!(row(&report, "policy-seeing")["bits_per_move"].as_f64(), Some(20f64.log2()));
    }

    #[test]
    fn what_is_no_policy_network_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("short.onnx"), network(0, 1857)).unwrap();
        std::fs::write(folder.path().join("text.onnx"), "no network").unwrap();
        for (file, what) in [("short.onnx", "no output of 1858 moves"), ("text.onnx", "text.onnx")]
        {
            let arguments = ["games.pgn", "--models", "none", "--policy", file];
            let output = compare(folder.path(), &arguments).assert().failure();
            let text = String::from_utf8(output.get_output().stderr.clone()).unwrap();
            assert!(text.contains("unusable model: ") && text.contains(what), "{text}");
        }
    }
}
