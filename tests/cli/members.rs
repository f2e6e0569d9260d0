//! `plyzip cat` and `plyzip append`: archives that grow without being coded again.

use std::fs;
use std::io::Write;
use std::process::{Child, Command, Stdio};

use crate::folder::{Folder, stderr};

use crate::pgn;

/// A folder with two files of games and their archives.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("a.pgn", pgn::games(8).concat());
    folder.write("b.pgn", pgn::games(13)[8..].concat());
    folder.ok("compress a.pgn -o a.plz --model none --page-games 3 -q");
    folder.ok("compress b.pgn -o b.plz --model none -q");
    folder
}

/// Starts the program.
fn begin(folder: &Folder, words: &[&str], stdin: Stdio) -> Child {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("plyzip"));
    command.current_dir(folder.root()).args(words).stdin(stdin).stderr(Stdio::null());
    command.spawn().unwrap()
}

#[test]
fn archives_are_put_together_as_they_are() {
    let folder = folder();
    let both = [folder.read("a.plz"), folder.read("b.plz")].concat();
    folder.ok("cat a.plz b.plz -o both.plz");
    assert_eq!(folder.read("both.plz"), both);
    assert_eq!(folder.ok("cat a.plz b.plz"), both);
    assert_eq!(folder.ok("cat both.plz a.plz"), [both, folder.read("a.plz")].concat());
    assert_eq!(folder.ok("decompress both.plz -o - -q"), pgn::games(13).concat());
    assert_eq!(folder.ok("extract both.plz --game 12 -q"), pgn::games(13)[11]);
}

#[test]
fn nothing_is_written_unless_all_archives_are_whole() {
    let folder = folder();
    let whole = folder.read("b.plz");
    for (place, name) in [(whole.len() / 2, "in a page"), (whole.len() - 9, "in the index")] {
        let mut damaged = whole.clone();
        damaged[place] ^= 1;
        folder.write("damaged.plz", &damaged);
        for line in ["cat a.plz damaged.plz -o out.plz", "cat a.plz damaged.plz"] {
            let told = folder.fails(3, line);
            assert!(told.starts_with("plyzip: damaged.plz: damaged archive: "), "{name}: {told}");
        }
    }
    folder.write("short.plz", &whole[..whole.len() - 1]);
    folder.fails(3, "cat short.plz a.plz -o out.plz");
    let told = folder.fails(3, "cat a.plz b.pgn -o out.plz");
    assert!(told.contains("b.pgn: ") && told.contains("is no archive"), "{told}");
    let told = folder.fails(1, "cat a.plz missing.plz -o out.plz");
    assert!(told.contains("missing.plz"), "{told}");
    assert!(!folder.files().contains(&"out.plz".into()));
}

#[test]
fn neither_an_archive_nor_another_file_is_overwritten() {
    let folder = folder();
    for line in ["cat a.plz b.plz -o b.plz -f", "cat a.plz b.plz -o ./a.plz -f"] {
        assert!(folder.fails(2, line).contains("is both input and output"));
    }
    folder.write("old", b"precious");
    folder.fails(1, "cat a.plz b.plz -o old");
    assert_eq!(folder.read("old"), b"precious");
    folder.ok("cat a.plz b.plz -o old -f");
    assert_eq!(folder.ok("decompress old -o - -q"), pgn::games(13).concat());
}

#[test]
fn games_are_appended_without_coding_the_others_again() {
    let folder = folder();
    let before = folder.read("a.plz");
    folder.ok("append a.plz b.pgn -q");
    let after = folder.read("a.plz");
    assert_eq!(after, [before, folder.read("b.plz")].concat());
    assert_eq!(folder.ok("decompress a.plz -o - -q"), pgn::games(13).concat());
    assert_eq!(folder.files(), ["a.pgn", "a.plz", "b.pgn", "b.plz"]);
    // Several files, and standard input.
    let output = folder.command("append a.plz a.pgn - -q").write_stdin(&b"1. e4 *\n"[..]).output();
    assert!(output.unwrap().status.success());
    let all = [pgn::games(13).concat(), pgn::games(8).concat(), b"1. e4 *\n".to_vec()].concat();
    assert_eq!(folder.ok("decompress a.plz -o - -q"), all);
}

#[test]
fn nothing_new_is_no_change() {
    let folder = folder();
    let before = folder.read("a.plz");
    folder.write("empty.pgn", b"");
    folder.ok("append a.plz empty.pgn");
    assert_eq!(folder.read("a.plz"), before);
}

#[test]
fn appended_games_have_the_model_of_the_others() {
    let folder = folder();
    let models = |archive: &str| {
        let table = String::from_utf8(folder.ok(&format!("info {archive}"))).unwrap();
        let models = table.lines().filter_map(|line| line.strip_prefix("model  "));
        models.map(|name| name.trim().to_owned()).collect::<Vec<_>>()
    };
    folder.ok("append a.plz b.pgn -q");
    assert_eq!(models("a.plz"), ["none"]);
    folder.ok("append a.plz b.pgn --model standard -q");
    assert_eq!(models("a.plz"), ["standard"]);
    // From now on, the last games are those of `standard`.
    folder.ok("append a.plz b.pgn -q");
    let tail = folder.read("a.plz");
    folder.ok("compress b.pgn -o standard.plz -q");
    let standard = folder.read("standard.plz");
    assert!(tail.ends_with(&[&standard[..], &standard].concat()));
    // An archive that has no games yet gets those of the model that is usual.
    folder.write("empty", b"");
    folder.ok("compress empty -o new.plz -q");
    folder.ok("append new.plz b.pgn -q");
    assert!(folder.read("new.plz").ends_with(&standard));
}

#[test]
fn a_model_inside_serves_appended_games_too() {
    let folder = folder();
    // The model `standard` with another hash.
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/models/standard.onnx");
    folder.write("own.onnx", [&fs::read(path).unwrap()[..], &[0x1a, 1, b'2']].concat());
    folder.ok("compress a.pgn -o a.plz -f --model own.onnx --embed-model -q");
    fs::remove_file(folder.path("own.onnx")).unwrap();
    let before = folder.read("a.plz").len();
    folder.ok("append a.plz b.pgn -q");
    assert!(folder.read("a.plz").len() < before + 5_000);
    let all = pgn::games(13).concat();
    assert_eq!(folder.ok("decompress a.plz -o - -q"), all);
    // A model that is offered in vain hides none.
    assert_eq!(folder.ok("decompress a.plz -o - -q --model standard"), all);
    assert_eq!(folder.ok("extract a.plz --game 13 -q"), pgn::games(13)[12]);
}

#[test]
fn what_cannot_be_appended_leaves_the_archive_as_it_is() {
    let folder = folder();
    let before = folder.read("a.plz");
    let told = folder.fails(2, "append a.plz b.plz");
    assert!(told.contains("b.plz: is an archive") && told.contains("plyzip cat"), "{told}");
    let told = folder.fails(1, "append a.plz b.pgn missing.pgn");
    assert!(told.contains("missing.pgn"), "{told}");
    folder.fails(4, "append a.plz b.pgn --model nobody");
    assert_eq!(folder.read("a.plz"), before);
    let told = folder.fails(3, "append a.pgn b.pgn");
    assert!(told.starts_with("plyzip: a.pgn: is no archive of plyzip"), "{told}");
    let mut damaged = before;
    let place = damaged.len() / 2;
    damaged[place] ^= 1;
    folder.write("a.plz", &damaged);
    let told = folder.fails(3, "append a.plz b.pgn");
    assert!(told.starts_with("plyzip: a.plz: damaged archive: "), "{told}");
    assert_eq!(folder.read("a.plz"), damaged);
    assert_eq!(folder.files(), ["a.pgn", "a.plz", "b.pgn", "b.plz"]);
}

#[test]
#[cfg(unix)]
fn killed_at_any_moment_it_leaves_the_archive_whole() {
    use std::thread::sleep;
    use std::time::Duration;

    let folder = folder();
    let before = folder.read("a.plz");
    folder.write("long.pgn", pgn::games(100).concat());
    folder.ok("append a.plz long.pgn -q");
    let after = folder.read("a.plz");
    for delay in 0..16 {
        folder.write("a.plz", &before);
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("plyzip"))
            .current_dir(folder.root())
            .args(["append", "a.plz", "long.pgn", "-q"])
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // From the first instructions of the program to some time after its end.
        sleep(Duration::from_millis(delay * delay * 2));
        let _ = child.kill();
        child.wait().unwrap();
        let found = folder.read("a.plz");
        assert!(found == before || found == after, "after {delay}² 2 ms");
        if cfg!(target_os = "linux") {
            assert_eq!(folder.files(), ["a.pgn", "a.plz", "b.pgn", "b.plz", "long.pgn"]);
        }
    }
}

#[test]
fn what_was_appended_meanwhile_is_kept() {
    let folder = folder();
    let long = [&b"\n"[..]].repeat(1 << 17).concat();
    for rounds in 1..3 {
        let mut child = begin(&folder, &["append", "a.plz", "-", "-q"], Stdio::piped());
        let mut stdin = child.stdin.take().unwrap();
        // More than a pipe holds: when it is written, the program has read the archive.
        stdin.write_all(&long).unwrap();
        folder.ok("append a.plz b.pgn -q");
        drop(stdin);
        assert!(child.wait().unwrap().success());
        let round = [&pgn::games(13)[8..].concat()[..], &long].concat();
        let wanted = [pgn::games(8).concat(), round.repeat(rounds)].concat();
        assert!(folder.ok("decompress a.plz -o - -q") == wanted, "{rounds}");
    }
    // Whoever deletes the archive wants no games in it.
    let mut child = begin(&folder, &["append", "a.plz", "-", "-q"], Stdio::piped());
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&long).unwrap();
    fs::remove_file(folder.path("a.plz")).unwrap();
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert!(!folder.path("a.plz").exists());
}

#[test]
fn of_many_that_append_at_once_none_is_lost() {
    let folder = folder();
    for number in 0..8 {
        folder.write(&format!("{number}.pgn"), format!("[Event \"{number}\"]\n\n1. d4 *\n\n"));
    }
    for round in 1..6 {
        let names = (0..8).map(|number| format!("{number}.pgn"));
        let children =
            names.map(|name| begin(&folder, &["append", "a.plz", &name, "-q"], Stdio::null()));
        for mut child in children.collect::<Vec<_>>() {
            assert!(child.wait().unwrap().success());
        }
        let original = String::from_utf8(folder.ok("decompress a.plz -o - -q")).unwrap();
        for number in 0..8 {
            let tag = format!("[Event \"{number}\"]");
            assert_eq!(original.matches(&tag).count(), round, "{number}");
        }
    }
}

#[test]
#[cfg(unix)]
fn what_is_put_together_is_what_was_checked() {
    use std::io::Read;

    let folder = folder();
    // More than a pipe holds, of bytes that nothing compresses.
    let mut state = 1_u32;
    let noise = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    });
    folder.write("noise", noise.take(300_000).collect::<Vec<_>>());
    folder.ok("compress noise -o long.plz --model none -q");
    assert!(Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap().success());
    let (long, old) = (folder.read("long.plz"), folder.read("b.plz"));
    for in_place in [false, true] {
        folder.write("b.plz", &old);
        let line = ["cat", "long.plz", "b.plz", "-o", "pipe"];
        let mut child = begin(&folder, &line, Stdio::null());
        let mut pipe = fs::File::open(folder.path("pipe")).unwrap();
        let mut copied = vec![0];
        // When something comes, all was checked, and the first archive fills the pipe.
        pipe.read_exact(&mut copied).unwrap();
        if in_place {
            folder.write("b.plz", folder.read("a.plz"));
        } else {
            folder.write("new", folder.read("a.plz"));
            fs::rename(folder.path("new"), folder.path("b.plz")).unwrap();
        }
        pipe.read_to_end(&mut copied).unwrap();
        let succeeded = child.wait().unwrap().success();
        assert_eq!(succeeded, !in_place);
        assert!(!succeeded || copied == [&long[..], &old].concat());
    }
}

#[test]
fn games_that_would_share_a_line_are_told_or_parted() {
    let folder = Folder::new();
    let old = pgn::games(8).concat();
    let old = old.trim_ascii_end();
    let (new, marked) = (&b"[Event \"B\"]\n\n1. d4 *"[..], "\u{feff}[Event \"C\"]\n\n1. c4 *\n\n");
    folder.write("old.pgn", old);
    folder.write("new.pgn", new);
    folder.write("marked.pgn", marked);
    for pages in
        ["--page-games 3", "--page-games 3 --block-games 5", "--page-games 8", "--block-games 1"]
    {
        folder.ok(&format!("compress old.pgn -o a.plz -f --fast -q {pages}"));
        let before = folder.read("a.plz");
        let told = stderr(&folder.run("append a.plz new.pgn marked.pgn"));
        for (name, what) in [
            ("new.pgn", "begins in the line that the games before it end in (--separate "),
            ("marked.pgn", "begins in the line"),
            ("marked.pgn", "begins with a byte order mark"),
        ] {
            assert!(told.contains(&format!("{name}: {what}")), "{told}");
        }
        let glued = [old, new, marked.as_bytes()].concat();
        assert_eq!(folder.ok("decompress a.plz -c -q"), glued);
        // There is an empty line already.
        let told = stderr(&folder.run("append a.plz new.pgn"));
        assert_eq!(told.lines().count(), 1, "{told}");
        folder.ok("append a.plz new.pgn --separate -q");
        assert_eq!(folder.ok("decompress a.plz -c -q"), [&glued[..], new, b"\n\n", new].concat());

        folder.write("a.plz", &before);
        let told = stderr(&folder.run("append a.plz new.pgn marked.pgn --separate"));
        assert!(told.contains("marked.pgn: begins with a byte order mark"), "{told}");
        assert!(!told.contains("in the line"), "{told}");
        let parted = [old, b"\n\n", new, b"\n\n", marked.as_bytes()].concat();
        assert_eq!(folder.ok("decompress a.plz -c -q"), parted);

        folder.write("a.plz", &before);
        assert_eq!(stderr(&folder.run("append a.plz new.pgn marked.pgn -q")), "");
        assert_eq!(folder.ok("decompress a.plz -c -q"), glued);
    }
    // Nothing is before the first.
    folder.write("empty", b"");
    folder.ok("compress empty --fast -q");
    let told = stderr(&folder.run("append empty.plz marked.pgn --separate"));
    assert_eq!(told.lines().count(), 1, "{told}");
    assert_eq!(folder.ok("decompress empty.plz -c -q"), marked.as_bytes());
}
