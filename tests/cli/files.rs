//! What becomes of the files that commands read, what their outputs look like, and what `completions` and `man` print.

use std::fs;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::folder::{Folder, stderr};

use crate::pgn;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("games.pgn", pgn::games(8).concat());
    folder
}

fn modified(folder: &Folder, name: &str) -> SystemTime {
    fs::metadata(folder.path(name)).unwrap().modified().unwrap()
}

fn set_modified(folder: &Folder, name: &str, time: SystemTime) {
    let file = fs::File::options().write(true).open(folder.path(name)).unwrap();
    file.set_modified(time).unwrap();
}

#[test]
fn inputs_are_deleted_on_demand_alone() {
    let folder = folder();
    folder.ok("compress games.pgn --model none -q -k");
    assert_eq!(folder.files(), ["games.pgn", "games.pgn.plz"]);
    folder.ok("compress games.pgn --model none -q --rm -f");
    assert_eq!(folder.files(), ["games.pgn.plz"]);
    folder.ok("decompress games.pgn.plz -q --rm -k");
    assert_eq!(folder.files(), ["games.pgn", "games.pgn.plz"]);
    folder.ok("decompress games.pgn.plz -q -f -k --rm");
    assert_eq!(folder.files(), ["games.pgn"]);
    assert_eq!(folder.read("games.pgn"), pgn::games(8).concat());
}

#[test]
fn inputs_stay_unless_their_outputs_are_in_place() {
    let folder = folder();
    folder.ok("compress games.pgn --model none -q");
    // Standard output and devices are no places.
    folder.ok("compress games.pgn --model none -q --rm -o -");
    folder.ok("decompress games.pgn.plz -q --rm -o -");
    #[cfg(unix)]
    folder.ok("decompress games.pgn.plz -q --rm -o /dev/null");
    folder.fails(1, "decompress games.pgn.plz --rm");
    folder.fails(1, "compress games.pgn --model none --rm");
    folder.fails(2, "decompress games.pgn.plz --rm --salvage -o out");
    let mut damaged = folder.read("games.pgn.plz");
    let place = damaged.len() / 2;
    damaged[place] ^= 1;
    folder.write("damaged.plz", &damaged);
    folder.fails(3, "decompress damaged.plz --rm");
    assert_eq!(folder.files(), ["damaged.plz", "games.pgn", "games.pgn.plz"]);
}

#[test]
fn outputs_are_as_old_as_their_inputs() {
    let folder = folder();
    let (one, other) = (981_173_106, 1_234_567_890);
    let [one, other] = [one, other].map(|seconds| UNIX_EPOCH + Duration::from_secs(seconds));
    set_modified(&folder, "games.pgn", one);
    folder.ok("compress games.pgn --model none -q");
    assert_eq!(modified(&folder, "games.pgn.plz"), one);
    set_modified(&folder, "games.pgn.plz", other);
    folder.ok("decompress games.pgn.plz -o back.pgn -q");
    assert_eq!(modified(&folder, "back.pgn"), other);
    // What is new is new.
    folder.ok("append games.pgn.plz back.pgn -q");
    folder.ok("extract games.pgn.plz --game 1 -o one.pgn -q");
    for name in ["games.pgn.plz", "one.pgn"] {
        assert!(modified(&folder, name) > other + Duration::from_secs(1 << 20));
    }
}

#[test]
fn shells_and_manuals_know_all_commands() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = String::from_utf8(folder.ok(&format!("completions {shell}"))).unwrap();
        for word in ["compress", "salvage", "append", "plies"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    // Names of models are asked for when they are to be completed, wherever the option is.
    for (shell, option, asked) in [
        ("bash", "                --model)\n", "$(compgen -W \"$(echo none; plyzip models "),
        ("zsh", "\n'--model=", ":_plyzip_models'"),
        ("fish", " -l model ", " -a '(echo none; plyzip models "),
    ] {
        let script = String::from_utf8(folder.ok(&format!("completions {shell}"))).unwrap();
        let options = script.matches(option).count();
        assert!(options > 5, "{shell}: {options}");
        assert_eq!(script.matches(asked).count(), options, "{shell}");
    }
    // Archives stand before other files, where a command reads archives.
    for (shell, asked, commands) in [
        ("bash", "compgen -f -X '!*.plz'", 14),
        ("zsh", ":_files -g \"*.plz(-.)\"'", 14),
        ("fish", "'(__fish_complete_suffix .plz)'", 14),
    ] {
        let script = String::from_utf8(folder.ok(&format!("completions {shell}"))).unwrap();
        assert_eq!(script.matches(asked).count(), commands, "{shell}");
    }
    folder.fails(2, "completions dos");
    let page = String::from_utf8(folder.ok("man")).unwrap();
    assert!(page.contains(".TH plyzip 1") && page.contains("compress"), "{page}");
    let page = String::from_utf8(folder.ok("man extract")).unwrap();
    for part in [".TH plyzip-extract 1", "plyzip extract games.pgn.plz", "plies", "2600"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    // Examples are lines of their own.
    assert!(page.contains("\n.SH EXAMPLES\n.nf\n\\&    plyzip extract games.pgn.plz"), "{page}");
    assert!(page.ends_with(".fi\n") && !page.contains("EXTRA"), "{page}");
    assert!(folder.fails(2, "man nothing").contains("no command `nothing`"));
}

#[test]
fn archives_beyond_the_limits_are_refused() {
    let folder = folder();
    let bytes = folder.read("games.pgn").len();
    folder.ok("compress games.pgn --model none -q --block-games 3");
    for command in ["test", "decompress -o -", "extract --games 1-2", "list"] {
        let enough = format!("--max-output {bytes} --max-games 8 --max-block 1M");
        folder.ok(&format!("{command} games.pgn.plz {enough}"));
        for less in [format!("--max-output {}", bytes - 1), "--max-games 7".to_owned()] {
            let output = folder.run(&format!("{command} games.pgn.plz {less}"));
            assert_eq!(output.status.code(), Some(3), "{command} {less}");
            assert!(stderr(&output).contains("over the limit"), "{}", stderr(&output));
        }
        let output = folder.run(&format!("{command} games.pgn.plz --max-block 100"));
        assert_eq!(output.status.code(), Some(3), "{command}");
    }
    folder.fails(3, "decompress games.pgn.plz -o out.pgn --max-output 1K");
    folder.fails(3, "decompress --salvage games.pgn.plz -o out.pgn --max-output 1K");
    folder.fails(2, "test games.pgn.plz --max-output much");
    assert_eq!(folder.files(), ["games.pgn", "games.pgn.plz"]);
}

#[test]
#[cfg(unix)]
fn names_that_mean_something_else_are_not_stored() {
    let folder = Folder::new();
    for name in ["-rf.pgn", "~", "a?b.pgn", "con.pgn", "x\u{202e}ngp.pgn", "end "] {
        folder.write(name, pgn::games(1).concat());
        let output =
            folder.command("compress --fast -q -o a.plz -N --").arg(name).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(stderr(&output).contains("cannot be stored with -N"), "{}", stderr(&output));
        assert!(!folder.path("a.plz").exists());
    }
}

#[test]
#[cfg(unix)]
fn what_is_told_of_files_cannot_move_the_cursor() {
    let folder = Folder::new();
    let name = "a\u{1b}[31m\n\u{200b}\u{202e}b.pgn";
    let shown = "a\\u{1b}[31m\\u{a}\\u{200b}\\u{202e}b.pgn";
    folder.write(name, b"[Event \"x\x1b[2J\xe2\x80\xaey\"]\n\n1. e4 *\n\n");
    let told = |line: &str, status: i32| {
        let output = folder.command(line).arg("--").arg(name).output().unwrap();
        assert_eq!(output.status.code(), Some(status), "{}", stderr(&output));
        stderr(&output)
    };
    let told = [
        told("compress --fast", 0),
        told("compress --fast", 1),
        told("test", 3),
        told("explain --game 7 --model none", 2),
    ];
    for told in told {
        assert!(told.contains(shown) && told.lines().count() == 1, "{told}");
        assert!(!told.trim_end().contains(char::is_control), "{told}");
    }
    // What clap says.
    let output = folder.command("compress --fast --").arg(name).arg("-o").output().unwrap();
    assert!(!stderr(&output).contains('\u{1b}'));
    let output = folder.command("list").arg(format!("--{name}")).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("\\u{202e}b.pgn"), "{}", stderr(&output));
    assert!(!stderr(&output).contains(['\u{1b}', '\u{202e}']));

    folder.ok("compress --fast -q -r . -o a.plz");
    let escaped = "x\\u{1b}[2J\\u{202e}y";
    let listed = String::from_utf8(folder.ok("list a.plz")).unwrap();
    assert!(listed.contains(escaped), "{listed}");
    let explained = String::from_utf8(folder.ok("explain a.plz --game 1")).unwrap();
    assert!(explained.contains(escaped), "{explained}");
    for text in [listed, explained] {
        assert!(
            !text
                .replace(['\n', '\t'], "")
                .contains(|letter: char| { letter.is_control() || letter == '\u{202e}' })
        );
    }
    // Programs get it as it is.
    assert!(
        String::from_utf8(folder.ok("list a.plz --json")).unwrap().contains("x\\u001b[2J\u{202e}y")
    );
    assert!(folder.ok("list a.plz --csv").windows(4).any(|bytes| bytes == b"\x1b[2J"));

    // A model's file may call what it consists of anything.
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/models/standard.onnx");
    let mut model = fs::read(model).unwrap();
    while let Some(place) = model.windows(6).position(|bytes| bytes == b"MatMul") {
        model[place..place + 6].copy_from_slice(b"\x1b[31mE");
    }
    folder.write("evil.onnx", model);
    let told = folder.fails(1, "compress a.plz --as-is --model evil.onnx");
    assert!(told.contains("\\u{1b}[31mE") && !told.contains('\u{1b}'), "{told}");

    // A long message keeps its beginning and its end.
    let long = "x".repeat(60_000);
    let told = stderr(&folder.command("list").arg(&long).output().unwrap());
    assert!(told.starts_with("plyzip: xxx") && told.chars().count() <= 1001, "{}", told.len());
}
