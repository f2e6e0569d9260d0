//! The program where everything goes wrong: closed and full streams, signals, full disks, links.

use std::fs;
use std::io::{Cursor, Write};
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use plyzip::Error;
use plyzip::archive::{ArchiveReader, IndexedReader};
use tempfile::TempDir;

use crate::pgn;

/// A shell in a folder with `games.pgn` and its archive `games.plz`.
struct Shell(TempDir);

impl Shell {
    fn new() -> Shell {
        let folder = Shell(TempDir::new().unwrap());
        fs::write(folder.path("games.pgn"), original()).unwrap();
        folder.ok("$plyzip compress games.pgn -o games.plz --model none -q");
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// The names of all files but those of the beginning, sorted.
    fn new_files(&self) -> Vec<String> {
        let names = fs::read_dir(self.0.path()).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> =
            names.filter(|name| name != "games.pgn" && name != "games.plz").collect();
        names.sort();
        names
    }

    /// A shell that runs `script`, in which `$plyzip` is the program.
    fn command(&self, script: &str) -> Command {
        let mut command = Command::new("sh");
        command.current_dir(self.0.path()).args(["-c", script]);
        command.env("plyzip", assert_cmd::cargo::cargo_bin!("plyzip"));
        command.env_remove("PLYZIP_MODELS").env("HOME", self.0.path());
        command.stdin(Stdio::null());
        command
    }

    fn run(&self, script: &str) -> Output {
        self.command(script).output().unwrap()
    }

    /// Runs a script that must succeed, and returns what it prints.
    fn ok(&self, script: &str) -> Vec<u8> {
        let output = self.run(script);
        assert_eq!(output.status.code(), Some(0), "{script}: {}", stderr(&output));
        output.stdout
    }

    /// Runs a script that must end with this status, and returns what it tells.
    fn fails(&self, status: i32, script: &str) -> String {
        let output = self.run(script);
        assert_eq!(output.status.code(), Some(status), "{script}: {}", stderr(&output));
        stderr(&output)
    }

    /// Starts to compress what will be written to the standard input of the program, to `out.plz`. It has begun when
    /// this returns, and waits for more.
    fn begun(&self, script: &str) -> Child {
        let mut child = self.command(script).stdin(Stdio::piped()).spawn().unwrap();
        // More than a pipe holds: when it is written, the program has read some.
        child.stdin.as_mut().unwrap().write_all(&vec![b'\n'; 1 << 17]).unwrap();
        child
    }
}

/// Compresses standard input to `out.plz`.
const COMPRESS: &str = "exec $plyzip compress - --model none -q -o out.plz";

fn original() -> Vec<u8> {
    pgn::games(8).concat()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn send(signal: &str, child: &Child) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args([&format!("-{signal}"), &id]).status().unwrap().success());
}

#[test]
fn a_report_that_nobody_gets_loses_no_work() {
    let folder = Shell::new();
    let nowhere = [
        "2>&-",
        #[cfg(target_os = "linux")]
        "2>/dev/full",
    ];
    for nowhere in nowhere {
        for verbosity in ["", "-v"] {
            folder.ok(&format!("$plyzip decompress games.plz -o out {verbosity} {nowhere}"));
            assert_eq!(folder.read("out"), original());
            folder
                .ok(&format!("$plyzip compress out -o out.plz --model none {verbosity} {nowhere}"));
            folder.ok(&format!("$plyzip test out.plz {verbosity} {nowhere}"));
            folder.ok(&format!("$plyzip models {verbosity} {nowhere}"));
            fs::remove_file(folder.path("out")).unwrap();
            fs::remove_file(folder.path("out.plz")).unwrap();
        }
        // An error that nobody gets stays one.
        folder.fails(1, &format!("$plyzip decompress games.plz -o games.pgn {nowhere}"));
    }
}

#[test]
fn closed_streams_are_no_success() {
    let folder = Shell::new();
    for script in [
        "$plyzip decompress games.plz -o - >&-",
        "$plyzip decompress games.plz -o - 1<games.pgn",
        "$plyzip compress games.pgn --model none -o - >&-",
        "$plyzip compress games.pgn --model none -o - 1<games.pgn",
        "$plyzip info games.plz 1<games.pgn",
        "$plyzip models 1<games.pgn",
    ] {
        let told = folder.fails(1, script);
        assert!(told.starts_with("plyzip: standard output"), "{script}: {told}");
    }
    for script in [
        "$plyzip compress - --model none -o out.plz <&-",
        "$plyzip compress - --model none -o out.plz 0>>games.pgn",
        "$plyzip decompress - -o out <&-",
        "$plyzip test - 0>>games.pgn",
    ] {
        let told = folder.fails(1, script);
        assert!(told.starts_with("plyzip: standard input"), "{script}: {told}");
    }
    assert!(folder.new_files().is_empty());
    assert_eq!(folder.read("games.pgn"), original());
    // What is closed and not needed does not matter.
    folder.ok("$plyzip decompress games.plz -o out <&- >&- 2>&-");
    assert_eq!(folder.read("out"), original());
    // A device that swallows everything is as good as any file, and one without bytes is an original.
    folder.ok("$plyzip decompress games.plz -o - >/dev/null");
    folder.ok("$plyzip compress - --model none -o empty.plz </dev/null");
    assert_eq!(folder.ok("$plyzip decompress empty.plz -o -"), b"");
}

#[test]
fn closed_pipes_end_the_program_quietly() {
    let folder = Shell::new();
    fs::write(folder.path("long"), original().repeat(500)).unwrap();
    folder.ok("$plyzip compress long --model none --block-games 100 -q");
    for script in [
        "$plyzip decompress long.plz -q -o -",
        "cat long | $plyzip compress - --model none --no-verify --block-games 1 -q",
    ] {
        let script = format!("({script}; echo $? >status) | head -c 1");
        let output = folder.run(&script);
        assert_eq!(output.stdout.len(), 1);
        assert_eq!(stderr(&output), "", "{script}");
        assert_eq!(folder.read("status"), b"141\n", "{script}");
    }
}

/// Whether the tests were started with a signal ignored, as `nohup` does: so are the programs that they start.
fn ignored(signal: &str) -> bool {
    let numbers = [("HUP", 1), ("INT", 2), ("QUIT", 3), ("TERM", 15)];
    let Some((_, number)) = numbers.iter().find(|(name, _)| *name == signal) else { return false };
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask >> (number - 1) & 1 != 0)
}

#[test]
fn signals_leave_nothing() {
    let folder = Shell::new();
    for (signal, status) in [
        ("HUP", Some(129)),
        ("INT", Some(130)),
        ("QUIT", Some(131)),
        ("TERM", Some(143)),
        ("KILL", None),
    ] {
        if ignored(signal) {
            continue;
        }
        let mut child = folder.begun(COMPRESS);
        send(signal, &child);
        assert_eq!(child.wait().unwrap().code(), status, "SIG{signal}");
        // A killed program can remove nothing: without files that have no name, it leaves its temporary one.
        if signal != "KILL" || cfg!(target_os = "linux") {
            assert!(folder.new_files().is_empty(), "SIG{signal}: {:?}", folder.new_files());
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn signals_that_were_to_be_ignored_are() {
    let folder = Shell::new();
    for signal in ["HUP", "INT", "QUIT", "TERM"] {
        let mut child = folder.begun(&format!("trap '' {signal}; {COMPRESS} -f"));
        send(signal, &child);
        drop(child.stdin.take());
        assert_eq!(child.wait().unwrap().code(), Some(0), "SIG{signal}");
    }
    assert_eq!(folder.ok("$plyzip decompress out.plz -o -").len(), 1 << 17);
}

#[test]
fn killed_at_any_moment_it_leaves_no_half_archive() {
    let folder = Shell::new();
    fs::write(folder.path("long"), original().repeat(20)).unwrap();
    folder.ok("$plyzip compress long -o whole.plz --model none -q");
    let whole = folder.read("whole.plz");
    for signal in ["KILL", "TERM"] {
        for delay in 0..16 {
            // Every other time there is a file to be replaced.
            let old = (delay % 2 == 1).then_some(&b"precious"[..]);
            match old {
                Some(old) => fs::write(folder.path("out.plz"), old).unwrap(),
                None => drop(fs::remove_file(folder.path("out.plz"))),
            }
            let script = "exec $plyzip compress long --model none -q -f -o out.plz";
            let mut child = folder.command(script).spawn().unwrap();
            // From the first instructions of the program to some time after its end.
            std::thread::sleep(Duration::from_millis(delay * delay));
            send(signal, &child);
            child.wait().unwrap();
            let found = fs::read(folder.path("out.plz")).ok();
            assert!(found.as_deref() == old || found.as_ref() == Some(&whole));
            for name in folder.new_files() {
                assert!(["long", "out.plz", "whole.plz"].contains(&&name[..]), "{name}");
            }
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told() {
    let folder = Shell::new();
    for (script, name) in [
        ("$plyzip decompress games.plz -o - >/dev/full", "standard output"),
        ("$plyzip compress games.pgn --model none -o - >/dev/full", "standard output"),
        ("$plyzip decompress games.plz -o /dev/full", "/dev/full"),
        ("$plyzip info games.plz >/dev/full", "standard output"),
        ("$plyzip models >/dev/full", "standard output"),
        ("$plyzip list games.plz >/dev/full", "standard output"),
        ("$plyzip list games.plz --csv >/dev/full", "standard output"),
        ("$plyzip extract games.plz --games 1- >/dev/full", "standard output"),
        ("$plyzip extract games.plz --games 1- --count >/dev/full", "standard output"),
        ("$plyzip cat games.plz games.plz >/dev/full", "standard output"),
        ("$plyzip man >/dev/full", "standard output"),
    ] {
        let told = folder.fails(1, script);
        assert!(told.contains("No space left") && told.contains(name), "{script}: {told}");
    }
}

#[test]
fn a_file_over_the_limit_is_told() {
    let folder = Shell::new();
    fs::write(folder.path("long"), pgn::games(80).concat()).unwrap();
    // Blocks of 512 or of 1024 bytes.
    for script in [
        "ulimit -f 1; $plyzip decompress games.plz -o out",
        "ulimit -f 1; $plyzip compress long --model none -o out",
    ] {
        let told = folder.fails(1, script);
        assert!(told.starts_with("plyzip: out: "), "{script}: {told}");
        assert_eq!(folder.new_files(), ["long"]);
    }
    let told = folder.fails(1, "ulimit -f 1; $plyzip decompress games.plz -o - >out");
    assert!(told.starts_with("plyzip: standard output: "), "{told}");
}

#[test]
fn a_folder_that_cannot_be_written_is_told() {
    let folder = Shell::new();
    fs::create_dir(folder.path("closed")).unwrap();
    folder.ok("chmod 555 closed");
    let may_do_anything = fs::write(folder.path("closed/probe"), b"").is_ok();
    let mut names = vec!["missing/out", "games.pgn/out"];
    if !may_do_anything {
        names.push("closed/out");
    }
    if cfg!(target_os = "linux") {
        names.push("/proc/out");
    }
    for name in names {
        let told = folder.fails(1, &format!("$plyzip decompress games.plz -o {name}"));
        assert!(told.starts_with(&format!("plyzip: {name}: ")), "{told}");
    }
}

/// What `path` is itself.
fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).unwrap().is_symlink()
}

#[test]
fn a_link_stands_for_its_target() {
    let folder = Shell::new();
    fs::create_dir(folder.path("far")).unwrap();
    fs::write(folder.path("far/target"), b"precious").unwrap();
    symlink("far/target", folder.path("link")).unwrap();
    symlink("link", folder.path("second")).unwrap();
    let told = folder.fails(1, "$plyzip decompress games.plz -o second");
    assert!(told.contains("second exists"), "{told}");
    assert_eq!(folder.read("far/target"), b"precious");
    folder.ok("$plyzip decompress games.plz -f -o second");
    assert!(is_link(&folder.path("link")) && is_link(&folder.path("second")));
    assert!(!is_link(&folder.path("far/target")));
    assert_eq!(folder.read("far/target"), original());

    // A link may lead to what is not there yet, or nowhere.
    fs::remove_file(folder.path("far/target")).unwrap();
    folder.ok("$plyzip decompress games.plz -o link");
    assert_eq!(folder.read("far/target"), original());
    symlink("loop", folder.path("loop")).unwrap();
    for force in ["", "-f"] {
        let told = folder.fails(1, &format!("$plyzip decompress games.plz {force} -o loop"));
        assert!(told.starts_with("plyzip: loop: "), "{told}");
    }
    assert!(is_link(&folder.path("loop")));
    assert_eq!(fs::read_dir(folder.path("far")).unwrap().count(), 1);
}

#[test]
fn a_file_with_two_names_keeps_the_other() {
    let folder = Shell::new();
    fs::write(folder.path("one"), b"precious").unwrap();
    fs::hard_link(folder.path("one"), folder.path("other")).unwrap();
    folder.ok("$plyzip decompress games.plz -f -o one");
    assert_eq!(folder.read("one"), original());
    assert_eq!(folder.read("other"), b"precious");
    assert_eq!(fs::metadata(folder.path("one")).unwrap().nlink(), 1);
}

#[test]
fn info_says_what_it_checked() {
    let folder = Shell::new();
    let mut damaged = folder.read("games.plz");
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    fs::write(folder.path("damaged.plz"), damaged).unwrap();
    let table = String::from_utf8(folder.ok("$plyzip info damaged.plz")).unwrap();
    assert!(table.contains("\nchecked           the index alone (plyzip test "), "{table}");
    let checked = |script: &str| -> String {
        let json: serde_json::Value = serde_json::from_slice(&folder.ok(script)).unwrap();
        json["checked"].as_str().unwrap().into()
    };
    assert_eq!(checked("$plyzip info --json damaged.plz"), "index");
    assert_eq!(checked("cat games.plz | $plyzip info --json -"), "sections");
    for script in ["$plyzip test damaged.plz", "cat damaged.plz | $plyzip info -"] {
        assert!(folder.fails(3, script).contains("damaged archive"), "{script}");
    }
}

#[test]
fn what_follows_an_archive_is_damage() {
    let archive = Shell::new().read("games.plz");
    for more in 1..=24 {
        for byte in 0..=255 {
            let longer = [&archive[..], &vec![byte; more]].concat();
            let error = IndexedReader::open(Cursor::new(&longer)).unwrap_err();
            assert!(matches!(error, Error::Damaged(_)), "{more} times {byte}: {error}");
            let read = ArchiveReader::new(&longer[..]).unwrap().skim();
            assert!(matches!(read, Err(Error::Damaged(_))), "{more} times {byte}");
        }
    }
}
