//! PGN as it lies, and many files at once, in the commands that ask questions.

use std::fs;
use std::io::Write;
use std::path::Path;

use crate::folder::{Folder, stderr};

/// Questions whose answers do not depend on whether the games lie in an archive.
const QUESTIONS: &[&str] = &[
    "list",
    "list --full",
    "list --csv --tags White,Black,Round",
    "list --json --full --first 7",
    "list --player a --date ..2024",
    "list --plies 20.. --full",
    "stats",
    "stats --json --no-lengths --depth 2",
    "stats --depth 0 --no-lengths",
    "tree",
    "tree --moves e4 --json",
    "extract --games 2-5,9-",
    "extract --result draw",
    "extract --result * --not --count",
    "extract --elo 1000-2500 --first 3",
    "extract --eco B --count",
    "extract --moves 'e4 e5' --count",
    "extract --material KRPvKR --not --count",
    "extract --position 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -' --count",
    "extract --tag 'Round=^1' --count",
];

fn golden() -> Vec<std::path::PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/archives/1");
    let mut archives: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            let name = path.file_name().unwrap().to_str().unwrap();
            ["-none.plz", "-mixed.plz", "-raw.plz", "stored-game.plz"]
                .iter()
                .any(|end| name.ends_with(end))
        })
        .collect();
    archives.sort();
    archives
}

#[test]
fn pgn_gives_the_answers_of_its_archive() {
    let folder = Folder::new();
    let archives = golden();
    assert!(archives.len() > 12);
    let mut told = 0;
    for archive in archives {
        fs::copy(&archive, folder.path("games.plz")).unwrap();
        folder.ok("decompress games.plz -o games.pgn -f -q");
        for question in QUESTIONS {
            let (command, options) = question.split_once(' ').unwrap_or((question, ""));
            let [asked, wanted] = ["games.pgn", "games.plz"]
                .map(|file| folder.run(&format!("{command} {file} {options} -q")));
            let name = archive.display();
            assert_eq!(asked.status, wanted.status, "{name}, {question}: {}", stderr(&asked));
            assert!(asked.stdout == wanted.stdout, "{name}, {question}");
            told += usize::from(!asked.stdout.is_empty());
        }
    }
    assert!(told > 200, "{told}");
}

#[test]
fn pgn_may_be_packed_or_come_from_standard_input() {
    let folder = Folder::new();
    let sample = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/samples/famous.pgn")).unwrap();
    folder.write("games.pgn", &sample);
    let wanted = folder.ok("list games.pgn --full");
    assert_eq!(wanted.iter().filter(|&&byte| byte == b'\n').count(), 16);
    let mut gzip = flate2::write::GzEncoder::new(vec![], flate2::Compression::default());
    gzip.write_all(&sample).unwrap();
    folder.write("games.pgn.gz", gzip.finish().unwrap());
    folder.write("games.pgn.zst", zstd::encode_all(&sample[..], 3).unwrap());
    for file in ["games.pgn.gz", "games.pgn.zst"] {
        assert!(folder.ok(&format!("list {file} --full")) == wanted, "{file}");
    }
    let output = folder.command("list - --full").write_stdin(sample).output().unwrap();
    assert!(output.stdout == wanted);
    // An archive is not read in order.
    folder.ok("compress games.pgn --model none -q");
    let archive = folder.read("games.pgn.plz");
    let output = folder.command("list -").write_stdin(archive).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("has to be a file"), "{}", stderr(&output));
    // What is neither is told so.
    folder.write("note.txt", "nothing");
    assert!(folder.fails(3, "stats note.txt").contains("note.txt: damaged archive"));
    folder.write("nothing.pgn", "");
    assert!(folder.ok("list nothing.pgn").is_empty());
}

#[test]
fn many_files_are_looked_through_as_one() {
    let folder = Folder::new();
    let game = |white: &str, moves: &str| {
        format!("[White \"{white}\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n")
    };
    fs::create_dir(folder.path("club")).unwrap();
    folder
        .write("one.pgn", game("Anderssen", "1. e4 e5 2. f4") + &game("Morphy", "1. e4 e5 2. Nf3"));
    folder.write("club/two.pgn", game("Morphy", "1. d4"));
    folder.write("club/three.pgn", game("Steinitz", "1. e4 e5"));
    folder.ok("compress club/two.pgn --model none -q");
    let text = |line: &str| String::from_utf8(folder.ok(line)).unwrap();

    // The PGN of an archive in the same folder counts once.
    let list = text("list one.pgn club --tags White");
    let wanted = "one.pgn\t1\tAnderssen\none.pgn\t2\tMorphy\nclub/three.pgn\t1\tSteinitz\nclub/two.pgn.plz\t1\tMorphy\n";
    assert_eq!(list.replace('\\', "/"), wanted);
    assert_eq!(text("list one.pgn club --tags White --first 3").lines().count(), 3);
    assert!(text("list one.pgn club --csv --tags White").starts_with("file,game,White\n"));
    assert!(text("list one.pgn club --json").starts_with("{\"file\":\"one.pgn\",\"game\":1,"));
    assert_eq!(text("extract one.pgn club --player morphy --count"), "2\n");
    assert_eq!(text("extract one.pgn club --player morphy -q").matches("Morphy").count(), 2);
    assert!(text("stats one.pgn club").contains("game 1 of one.pgn is the longest, 3 plies"));
    let tree: serde_json::Value = serde_json::from_str(&text("tree one.pgn club --json")).unwrap();
    assert_eq!(tree["games"], 4);
    assert_eq!(text("info one.pgn club --json").lines().count(), 3);
    assert!(text("info one.pgn club").contains("file              one.pgn\ngames             2\n"));

    // An archive of games of several files.
    folder.ok("extract one.pgn club --player morphy --model none -o morphy.plz -q");
    assert_eq!(text("list morphy.plz --tags White"), "1\tMorphy\n2\tMorphy\n");

    // One that cannot be read is told, and the others are read.
    let output = folder.run("list missing.pgn one.pgn --tags White");
    assert_eq!(
        (output.status.code(), output.stdout.len()),
        (Some(1), "one.pgn\t1\tAnderssen\none.pgn\t2\tMorphy\n".len())
    );
    assert!(stderr(&output).contains("missing.pgn"));
    // Nothing is written over what is read.
    assert!(
        folder
            .fails(2, "extract one.pgn club/two.pgn --first 1 -f -o club/two.pgn")
            .contains("both input and output")
    );
}

#[test]
fn the_first_games_are_counted_even_if_a_file_breaks_off() {
    /// More than 32 MiB, which are looked into together, so that games come out before the end is seen.
    const GAMES: usize = 1_000;
    let folder = Folder::new();
    let game = format!("[White \"A\"]\n[Result \"*\"]\n\n{{{}}} *\n\n", "a".repeat(40_000));
    let mut gzip = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
    gzip.write_all(game.repeat(GAMES).as_bytes()).unwrap();
    let mut broken = gzip.finish().unwrap();
    broken.extend_from_slice(b"no member");
    folder.write("broken.pgn.gz", broken);
    folder.write("whole.pgn", game.repeat(20));
    let output = |line: &str| {
        let output = folder.run(line);
        assert_eq!(output.status.code(), Some(1), "{line}");
        assert!(stderr(&output).contains("broken.pgn.gz"), "{}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    let before = output("list broken.pgn.gz -q").lines().count();
    assert!(before > 0 && before < GAMES, "{before}");
    let files = format!("broken.pgn.gz whole.pgn -q --first {}", before + 7);
    for list in ["list", "list --full", "list --json"] {
        assert_eq!(output(&format!("{list} {files}")).lines().count(), before + 7, "{list}");
    }
    for extract in ["extract", "extract --sort white"] {
        let games = output(&format!("{extract} {files}")).matches("[White ").count();
        assert_eq!(games, before + 7, "{extract}");
    }
    for counted in ["stats --json", "stats --json --depth 0 --no-lengths", "tree --json"] {
        let counts = output(&format!("{counted} {files}"));
        let counts: serde_json::Value = serde_json::from_str(&counts).unwrap();
        assert_eq!(counts["games"], before + 7, "{counted}");
    }
}

#[test]
fn nobody_is_told_of_an_option_that_there_is_not() {
    let folder = Folder::new();
    folder.write("broken.pgn.gz", b"\x1f\x8b\x08\0no deflate here");
    folder.write("broken.pgn.zip", b"PK\x03\x04nothing");
    for file in ["broken.pgn.gz", "broken.pgn.zip"] {
        for command in ["list", "stats", "tree", "info", "extract --first 1", "explain", "compare"]
        {
            let output = folder.run(&format!("{command} {file}"));
            let told = stderr(&output);
            assert_eq!(output.status.code(), Some(1), "{command}: {told}");
            assert!(told.contains(file) && !told.contains("--as-is"), "{command}: {told}");
        }
        assert!(folder.fails(1, &format!("compress {file} --model none")).contains("--as-is"));
    }
}
