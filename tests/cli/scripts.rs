//! The program as scripts meet it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::{Duration, UNIX_EPOCH};

use crate::folder::{Folder, stderr};

use crate::pgn;

/// A folder with `games.pgn` in it, to run the program in.
fn folder_with_games() -> Folder {
    let folder = Folder::new();
    folder.write("games.pgn", original());
    folder
}

/// Makes `games.pgn.plz`.
fn compress(folder: &Folder) {
    folder.ok("compress games.pgn --model none -q");
}

/// What `info --json` says of an archive.
fn info(folder: &Folder, archive: &str) -> serde_json::Value {
    serde_json::from_slice(&folder.ok(&format!("info --json {archive}"))).unwrap()
}

fn original() -> Vec<u8> {
    pgn::games(8).concat()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

#[test]
fn compress_and_decompress_name_their_output() {
    let folder = folder_with_games();
    folder.ok("compress games.pgn --model none");
    assert_eq!(folder.files(), ["games.pgn", "games.pgn.plz"]);
    fs::remove_file(folder.path("games.pgn")).unwrap();
    folder.ok("decompress games.pgn.plz");
    assert_eq!(folder.read("games.pgn"), original());
    assert_eq!(folder.files(), ["games.pgn", "games.pgn.plz"]);
}

#[test]
fn the_embedded_model_is_the_default() {
    let folder = folder_with_games();
    folder.ok("compress games.pgn");
    folder.ok("compress games.pgn --model standard -o named.plz");
    assert_eq!(folder.read("games.pgn.plz"), folder.read("named.plz"));
    folder.ok("decompress games.pgn.plz -o back.pgn");
    assert_eq!(folder.read("back.pgn"), original());
    let model = &info(&folder, "games.pgn.plz")["model"];
    assert_eq!(model["name"], "standard");
    assert_eq!(model["hash"].as_str().unwrap().len(), 32);
}

#[test]
fn dashes_are_pipes() {
    let folder = folder_with_games();
    let archive = folder.run_with("compress - --model none", &original()).stdout;
    let back = folder.run_with("decompress -", &archive);
    assert_eq!(back.stdout, original());
    assert_eq!(code(&folder.run_with("test -", &archive)), 0);
    let info = folder.run_with("info - --json", &archive).stdout;
    compress(&folder);
    assert_eq!(folder.read("games.pgn.plz"), archive);
    // Of a pipe, all checksums are checked; of a file, the index.
    let info = String::from_utf8(info).unwrap().replace("\"sections\"", "\"index\"");
    assert_eq!(folder.ok("info --json games.pgn.plz"), info.as_bytes());
    assert_eq!(folder.ok("decompress games.pgn.plz -o - -q"), original());
    assert_eq!(folder.ok("compress games.pgn -o - --model none"), archive);
}

#[test]
fn the_archive_does_not_depend_on_threads_or_verification() {
    let folder = folder_with_games();
    let archives = ["", " -T 0", " -T 1", " -T 3", " -T 100000", " --no-verify"]
        .map(|words| folder.ok(&format!("compress games.pgn -o - --model none{words}")));
    assert!(archives.iter().all(|archive| *archive == archives[0]));
    fs::write(folder.path("games.plz"), &archives[0]).unwrap();
    assert_eq!(folder.ok("decompress games.plz -o - -T 1"), original());
}

#[test]
fn blocks_have_as_many_games_as_asked_for() {
    let folder = folder_with_games();
    folder.ok("compress games.pgn --model none --block-games 3");
    let info = info(&folder, "games.pgn.plz");
    assert_eq!(info["blocks"], 3);
    assert_eq!(info["games"], 8);
    assert_eq!(folder.ok("decompress games.pgn.plz -o -"), original());
}

#[test]
fn info_tells_the_figures() {
    let folder = folder_with_games();
    compress(&folder);
    let info = info(&folder, "games.pgn.plz");
    let archive_bytes = folder.read("games.pgn.plz").len();
    assert_eq!(info["games"], 8);
    assert_eq!(info["original_bytes"], original().len());
    assert_eq!(info["archive_bytes"], archive_bytes);
    assert_eq!(info["bytes_per_game"], archive_bytes as f64 / 8.0);
    let (moves, bytes) = (&info["moves"], &info["streams"]["moves"]);
    let bits_per_move = bytes.as_f64().unwrap() * 8.0 / moves.as_f64().unwrap();
    assert_eq!(info["bits_per_move"], bits_per_move);
    assert_eq!(info["model"]["name"], "none");
    assert!(info["model"]["hash"].is_null());
    for stream in ["tags", "moves", "structure", "comments", "layout", "text"] {
        assert!(info["streams"][stream].is_u64(), "{stream}");
    }
    let table = String::from_utf8(folder.ok("info games.pgn.plz")).unwrap();
    for row in ["games             8\n", "bits per move", "stream layout", "ratio"] {
        assert!(table.contains(row), "{table}");
    }
}

#[test]
fn what_is_no_pgn_grows_by_64_bytes_at_most() {
    let folder = folder_with_games();
    let binary: Vec<u8> =
        (0..5000u32).map(|n| (n.wrapping_mul(2_654_435_769) >> 13) as u8).collect();
    for (name, bytes) in [("empty", &b""[..]), ("byte", b"\0"), ("binary", &binary)] {
        fs::write(folder.path(name), bytes).unwrap();
        folder.ok(&format!("compress {name}"));
        assert!(folder.read(&format!("{name}.plz")).len() <= bytes.len() + 64, "{name}");
        assert_eq!(folder.ok(&format!("decompress {name}.plz -o -")), bytes);
        let info = info(&folder, &format!("{name}.plz"));
        assert_eq!(info["games"], 0);
        assert!(info["bits_per_move"].is_null() && info["bytes_per_game"].is_null());
        // What needs no model names none.
        assert_eq!(info["model"]["name"], "none");
    }
}

#[test]
fn nothing_is_replaced_without_force() {
    let folder = folder_with_games();
    fs::write(folder.path("games.pgn.plz"), b"precious").unwrap();
    let output = folder.run("compress games.pgn --model none");
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("games.pgn.plz exists"), "{}", stderr(&output));
    assert_eq!(folder.read("games.pgn.plz"), b"precious");
    folder.ok("compress games.pgn --model none -f");
    assert_eq!(code(&folder.run("decompress games.pgn.plz")), 1);
    folder.ok("decompress --force games.pgn.plz");
    assert_eq!(folder.read("games.pgn"), original());
    assert_eq!(folder.files(), ["games.pgn", "games.pgn.plz"]);
}

#[test]
fn the_input_is_never_the_output() {
    let folder = folder_with_games();
    for line in ["compress games.pgn -f -o games.pgn", "decompress games.pgn -f -o ./games.pgn"] {
        assert_eq!(code(&folder.run(line)), 2);
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("games.pgn", folder.path("link")).unwrap();
        assert_eq!(code(&folder.run("compress games.pgn -f -o link")), 2);
    }
    assert_eq!(folder.read("games.pgn"), original());
}

#[test]
fn a_failed_decompression_leaves_nothing() {
    let folder = folder_with_games();
    folder.ok("compress games.pgn --model none --block-games 2");
    let archive = folder.read("games.pgn.plz");
    fs::write(folder.path("cut.plz"), &archive[..archive.len() - 1]).unwrap();
    fs::write(folder.path("cut"), b"precious").unwrap();
    let before = folder.files();
    for line in
        ["decompress cut.plz -f", "decompress cut.plz -o new", "test cut.plz", "info cut.plz"]
    {
        let output = folder.run(line);
        assert_eq!(code(&output), 3, "{line}");
        assert!(
            stderr(&output).starts_with("plyzip: cut.plz: damaged archive: "),
            "{}",
            stderr(&output)
        );
        assert!(output.stdout.is_empty());
    }
    assert_eq!(folder.files(), before);
    assert_eq!(folder.read("cut"), b"precious");
}

#[test]
fn exit_statuses_tell_who_is_to_blame() {
    let folder = folder_with_games();
    for (line, status) in [
        ("compress", 2),
        ("compress games.pgn --model none --block-games 0", 2),
        ("compress games.pgn -T -1", 2),
        ("compress games.pgn -q -v", 2),
        ("expand games.pgn", 2),
        ("decompress games.pgn", 2), // no .plz to take away
        ("compress missing.pgn", 1),
        ("compress .", 1),
        ("compress games.pgn --model missing.onnx", 1),
        ("compress games.pgn --model missing", 4),
        ("compress games.pgn --model none -o missing/games.plz", 1),
        ("compress games.pgn --model none -o .", 1),
        ("decompress games.pgn -o out", 3),
        ("test games.pgn", 3),
        ("cat games.pgn", 3),
        ("--help", 0),
        ("--version", 0),
    ] {
        let output = folder.run(line);
        assert_eq!(code(&output), status, "{line}: {}", stderr(&output));
    }
    assert_eq!(folder.files(), ["games.pgn"]);
}

#[test]
fn errors_name_the_file_that_they_are_about() {
    let folder = folder_with_games();
    compress(&folder);
    fs::write(folder.path("text.onnx"), b"no network").unwrap();
    fs::write(folder.path("text.pgn"), b"no game").unwrap();
    for (line, file) in [
        ("compress missing.pgn", "missing.pgn"),
        ("compress games.pgn", "games.pgn.plz"),
        ("compress games.pgn -o out --model missing.onnx", "missing.onnx"),
        ("compress games.pgn -o out --model text.onnx", "text.onnx"),
        ("decompress games.pgn -o out", "games.pgn"),
        ("decompress missing.plz", "missing.plz"),
        ("test games.pgn", "games.pgn"),
        ("info missing.pgn games.pgn", "missing.pgn"),
        ("compare text.pgn", "text.pgn"),
        #[cfg(target_os = "linux")]
        ("compress games.pgn --model none -o /dev/full", "/dev/full"),
        #[cfg(target_os = "linux")]
        ("decompress games.pgn.plz -o /dev/full", "/dev/full"),
    ] {
        let output = folder.run(line);
        assert_ne!(code(&output), 0, "{line}");
        assert!(stderr(&output).contains(file), "{line}: {}", stderr(&output));
    }
}

#[test]
fn a_model_that_is_not_at_hand_is_named() {
    let folder = folder_with_games();
    fs::write(folder.path("foreign.plz"), archive_of_a_foreign_model()).unwrap();
    for line in ["decompress foreign.plz", "test foreign.plz", "test foreign.plz --model none"] {
        let output = folder.run(line);
        assert_eq!(code(&output), 4, "{}", stderr(&output));
        assert!(stderr(&output).contains("`giant`") && stderr(&output).contains(&"ab".repeat(16)));
    }
    // Figures need no model.
    assert_eq!(info(&folder, "foreign.plz")["model"]["name"], "giant");
    assert_eq!(info(&folder, "foreign.plz")["model"]["hash"], "ab".repeat(16));
    assert_eq!(folder.files(), ["foreign.plz", "games.pgn"]);
}

/// The model `standard` with another hash.
fn other_model() -> Vec<u8> {
    // Of a field that is there twice the last counts: here, that of the producer's version.
    [&fs::read(checkout("models/standard.onnx")).unwrap()[..], &[0x1a, 1, b'2']].concat()
}

fn checkout(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

#[test]
fn models_are_found_by_name_and_by_hash() {
    let folder = folder_with_games();
    fs::create_dir_all(folder.path("shelf")).unwrap();
    fs::write(folder.path("shelf/giant.onnx"), other_model()).unwrap();
    let shelves = std::env::join_paths([folder.path("missing"), folder.path("shelf")]).unwrap();
    let run = |line: &str| folder.command(line).env("PLYZIP_MODELS", &shelves).output().unwrap();
    let output = run("compress games.pgn --model giant");
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let hash = blake3::hash(&other_model()).to_hex();
    assert_eq!(info(&folder, "games.pgn.plz")["model"]["hash"], hash[..32]);

    // The archive's name for it is `standard`, the file's is `giant`.
    assert_eq!(run("decompress games.pgn.plz -o - -q").stdout, original());
    let output = folder.run("decompress games.pgn.plz -o -");
    assert_eq!(code(&output), 4);
    let told = stderr(&output);
    for part in ["games.pgn.plz", "`standard`", &hash[..32], "data/plyzip", "--model"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    // By path, and in the user's data folder.
    let line = "decompress games.pgn.plz -o - -q --model shelf/giant.onnx";
    assert_eq!(folder.ok(line), original());
    #[cfg(target_os = "linux")]
    {
        fs::create_dir_all(folder.path("data")).unwrap();
        fs::rename(folder.path("shelf"), folder.path("data/plyzip")).unwrap();
        assert_eq!(folder.ok("decompress games.pgn.plz -o - -q"), original());
    }
}

#[test]
fn models_are_listed() {
    let folder = folder_with_games();
    fs::write(folder.path("giant.onnx"), other_model()).unwrap();
    let output = folder.command("models -v").env("PLYZIP_MODELS", folder.root()).output().unwrap();
    let table = String::from_utf8(output.stdout.clone()).unwrap();
    let giant = table.lines().find(|line| line.starts_with("giant ")).unwrap();
    let length = other_model().len().to_string();
    for part in [&length, &blake3::hash(&other_model()).to_string(), "giant.onnx"] {
        assert!(giant.contains(part), "{giant}");
    }
    assert!(table.starts_with("standard ") && table.contains("built in"), "{table}");
    assert!(stderr(&output).contains("data/plyzip"), "{}", stderr(&output));

    // In a checkout, `max` is there, and is what its manifest says.
    let mut command = folder.command("models --json");
    let output = command.current_dir(checkout("src")).output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let models = report["models"].as_array().unwrap();
    let max = models.iter().find(|model| model["name"] == "max").unwrap();
    let manifest = fs::read(checkout("models/max.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
    assert_eq!((&max["blake3"], &max["bytes"]), (&manifest["blake3"], &manifest["bytes"]));
}

#[test]
#[cfg(target_os = "linux")]
fn a_model_is_added_to_those_of_the_user() {
    let folder = folder_with_games();
    fs::write(folder.path("giant.onnx"), other_model()).unwrap();
    let told = stderr(&folder.run("models add giant.onnx"));
    let hash = blake3::hash(&other_model()).to_string();
    for part in ["none that was released", &hash, "data/plyzip/giant.onnx", "--model giant"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert_eq!(folder.read("data/plyzip/giant.onnx"), other_model());
    folder.ok("compress games.pgn --model giant -q");

    // Again, under another name, and a file that takes the name of another.
    assert!(stderr(&folder.run("models add giant.onnx")).contains("is already"));
    folder.ok("models add giant.onnx --name club");
    assert_eq!(folder.read("data/plyzip/club.onnx"), other_model());
    fs::write(folder.path("data/plyzip/club.onnx"), b"something else").unwrap();
    assert_eq!(code(&folder.run("models add giant.onnx --name club")), 1);
    assert_eq!(folder.read("data/plyzip/club.onnx"), b"something else");
    folder.ok("models add giant.onnx --name club -f");
    assert_eq!(folder.read("data/plyzip/club.onnx"), other_model());
}

#[test]
#[cfg(target_os = "linux")]
fn what_is_no_model_or_not_the_released_one_is_not_added() {
    let folder = folder_with_games();
    fs::write(folder.path("giant.onnx"), other_model()).unwrap();
    fs::write(folder.path("max.onnx"), other_model()).unwrap();
    for (line, status, part) in [
        ("models add games.pgn", 1, "games.pgn"),
        ("models add nothing.onnx", 1, "nothing.onnx"),
        ("models add max.onnx", 1, "not the released model `max`"),
        ("models add giant.onnx --name standard", 2, "built in"),
        ("models add giant.onnx --name none", 2, "built in"),
        ("models add giant.onnx --name ../giant", 2, "cannot be a model's name"),
    ] {
        let output = folder.run(line);
        assert_eq!(code(&output), status, "{line}: {}", stderr(&output));
        assert!(stderr(&output).contains(part), "{line}: {}", stderr(&output));
    }
    assert!(!folder.path("data").exists());
}

#[test]
#[cfg(target_os = "linux")]
fn without_max_the_program_says_how_to_get_it() {
    let folder = folder_with_games();
    let output = folder.run("compress games.pgn --best");
    assert_eq!(code(&output), 4);
    assert!(stderr(&output).contains("plyzip models add max.onnx"), "{}", stderr(&output));
    // An archive names its model by hash, which tells the `standard` of version 1.0.0 from the built-in one.
    for (archive, file) in [
        ("famous-standard", "standard-1.onnx"),
        ("game-max", "max-1.onnx"),
        ("game-max-2", "max.onnx"),
    ] {
        let archive = checkout(&format!("tests/archives/1/{archive}.plz"));
        fs::copy(archive, folder.path("game.plz")).unwrap();
        let output = folder.run("test game.plz");
        assert_eq!(code(&output), 4);
        let advice = format!("plyzip models add {file}`");
        assert!(stderr(&output).contains(&advice), "{}", stderr(&output));
    }
    // The file of the checkout is the released one.
    let line = format!("models add {}", checkout("models/max.onnx").display());
    let output = folder.run(&line);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stderr(&output).contains("the released model `max`"), "{}", stderr(&output));
    folder.ok("test game.plz");
}

#[test]
fn max_is_found_by_its_name() {
    // Its search begins later.
    const GAME: &str =
        "[Event \"Casual\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 1/2-1/2\n";
    let folder = folder_with_games();
    fs::write(folder.path("short.pgn"), GAME).unwrap();
    let run = |line: &str| {
        let output =
            folder.command(line).env("PLYZIP_MODELS", checkout("models")).output().unwrap();
        assert_eq!(code(&output), 0, "{line}: {}", stderr(&output));
        output.stdout
    };
    run("compress short.pgn --model max");
    assert_eq!(info(&folder, "short.pgn.plz")["model"]["name"], "max");
    assert_eq!(run("decompress short.pgn.plz -o -"), GAME.as_bytes());
}

/// One game, four bytes long, of no bytes, by a model that nobody has.
fn archive_of_a_foreign_model() -> Vec<u8> {
    let section = |fields: &[&[u8]]| {
        let mut section = fields.concat();
        section.extend(crc32fast::hash(&section).to_le_bytes());
        section
    };
    let model = section(&[&[1, 5], b"giant", &[0xab; 16]]);
    let block = section(&[&[2, 4, 0], &[0; 4], &[1, 0, 0]]);
    let (model_bytes, block_bytes) = (model.len() as u8, block.len() as u8);
    let end = section(&[&[4, 1, 1, model_bytes, block_bytes, 4, 1], &[0; 16]]);
    let tail = (end.len() as u32).to_le_bytes();
    [b"\xC1PLZ\x03\x01\x00", &model[..], &block, &end, &tail].concat()
}

#[test]
fn games_are_listed_and_extracted() {
    let folder = folder_with_games();
    folder.ok("compress games.pgn --model none --page-games 3 -q");
    let games = pgn::games(8);
    assert_eq!(folder.ok("extract games.pgn.plz --game 5"), games[4]);
    let some = [&games[..2], &games[4..]].concat().concat();
    assert_eq!(folder.ok("extract games.pgn.plz --games 5-,1-2"), some);
    folder.ok("extract games.pgn.plz --games 5-,1-2 -o some.pgn");
    assert_eq!(folder.read("some.pgn"), some);
    let none = folder.run("extract games.pgn.plz --game 9");
    assert_eq!((code(&none), none.stdout.len()), (1, 0));
    let list = String::from_utf8(folder.ok("list games.pgn.plz")).unwrap();
    let numbers: Vec<&str> = list.lines().map(|line| line.split('\t').next().unwrap()).collect();
    assert_eq!(numbers, ["1", "2", "3", "4", "5", "6", "7", "8"]);
    let json = String::from_utf8(folder.ok("list games.pgn.plz --json")).unwrap();
    for (number, (line, game)) in json.lines().zip(&games).enumerate() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(line["game"], number + 1);
        let items = plyzip::pgn::parse(game).items;
        let white = items[0].game().unwrap().tag("White").unwrap_or_default();
        assert_eq!(line["tags"]["White"].as_str().unwrap_or_default().as_bytes(), white);
    }
}

#[test]
fn what_is_whole_of_a_damaged_archive_is_saved_if_asked_for() {
    let folder = folder_with_games();
    folder.ok("compress games.pgn --model none --page-games 3 -q");
    let mut archive = folder.read("games.pgn.plz");
    let place = archive.len() - 60; // in the last page, or the one before it
    archive[place] ^= 1;
    fs::write(folder.path("damaged.plz"), &archive).unwrap();
    let refused = folder.run("decompress damaged.plz -o back.pgn");
    assert_eq!(code(&refused), 3);
    assert!(
        stderr(&refused).contains("--salvage writes what can be decoded, at most "),
        "{}",
        stderr(&refused)
    );
    assert_eq!(folder.files(), ["damaged.plz", "games.pgn", "games.pgn.plz"]);
    let saved = folder.run("decompress --salvage damaged.plz -o back.pgn");
    assert_eq!(code(&saved), 3);
    assert!(stderr(&saved).contains("missing: games "), "{}", stderr(&saved));
    assert!(folder.read("back.pgn").starts_with(&pgn::games(3).concat()));
    folder.ok("decompress --salvage games.pgn.plz -o whole.pgn");
    assert_eq!(folder.read("whole.pgn"), original());
}

#[test]
fn name_and_time_come_back_if_asked_for() {
    let folder = folder_with_games();
    let time = UNIX_EPOCH + Duration::from_secs(981_173_106);
    fs::File::options()
        .write(true)
        .open(folder.path("games.pgn"))
        .unwrap()
        .set_modified(time)
        .unwrap();
    folder.ok("compress games.pgn --model none -N -q -o other.plz");
    fs::remove_file(folder.path("games.pgn")).unwrap();
    folder.ok("decompress -N other.plz");
    assert_eq!(folder.read("games.pgn"), original());
    assert_eq!(fs::metadata(folder.path("games.pgn")).unwrap().modified().unwrap(), time);
}

#[test]
fn verbosity_is_as_asked_for() {
    let folder = folder_with_games();
    let told = |line: &str| stderr(&folder.run(line));
    assert_eq!(told("compress games.pgn --model none -f -q"), "");
    assert!(told("compress games.pgn --model none -f").starts_with("games.pgn: 8 games, "));
    let verbose = told("-v compress games.pgn --model none -f");
    assert!(verbose.contains("games/s") && verbose.contains("stream moves"), "{verbose}");
    assert_eq!(told("test games.pgn.plz -q"), "");
    assert!(told("decompress games.pgn.plz -o - -v").contains("stream moves"));
}

#[cfg(unix)]
mod unix {
    use std::io::Read;
    use std::os::unix::fs::PermissionsExt;
    use std::process::{self, Stdio};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    fn spawn(folder: &Folder, line: &str) -> process::Child {
        process::Command::new(assert_cmd::cargo::cargo_bin!("plyzip"))
            .current_dir(folder.root())
            .args(line.split(' '))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    #[test]
    fn an_output_is_as_private_as_its_input() {
        let folder = folder_with_games();
        for private in [0o600, 0o644] {
            let permissions = fs::Permissions::from_mode(private);
            fs::set_permissions(folder.path("games.pgn"), permissions).unwrap();
            folder.ok("compress games.pgn --model none -f");
            // A umask may take away more.
            assert_eq!(mode(&folder.path("games.pgn.plz")) & !private, 0);
            assert_eq!(mode(&folder.path("games.pgn.plz")) & 0o600, 0o600);
        }
    }

    #[test]
    fn devices_are_written_and_stay() {
        let folder = folder_with_games();
        compress(&folder);
        folder.ok("decompress games.pgn.plz -o /dev/null");
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    #[test]
    fn a_closed_pipe_ends_the_program_quietly() {
        let folder = folder_with_games();
        fs::write(folder.path("long"), vec![b'\n'; 1 << 20]).unwrap();
        folder.ok("compress long --model none");
        let mut child = spawn(&folder, "decompress long.plz -o -");
        let mut first = [0];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(141));
        assert_eq!(stderr(&output), "");
    }
}
