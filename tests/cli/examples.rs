//! The examples that `--help` gives, run as they stand there.

use std::path::Path;
use std::process::Command;

use crate::folder::{Folder, stderr};

use crate::pgn;

/// The commands whose examples are run.
const COMMANDS: [&str; 15] = [
    "append",
    "cat",
    "completions",
    "compress",
    "decompress",
    "explain",
    "extract",
    "index",
    "info",
    "list",
    "man",
    "predict",
    "stats",
    "test",
    "tree",
];

#[test]
fn the_examples_of_commands_run() {
    let program = assert_cmd::cargo::cargo_bin!("plyzip");
    let mut path = program.parent().map(Path::to_owned).unwrap().into_os_string();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap());
    for command in COMMANDS {
        let folder = Folder::new();
        folder.write("games.pgn", include_bytes!("../../samples/famous.pgn"));
        folder.write("other.pgn", pgn::games(5).concat());
        folder.write("new.pgn", pgn::games(7)[5..].concat());
        folder.ok("compress games.pgn --model none -q");
        folder.ok("compress other.pgn --model none -q");
        let help = String::from_utf8(folder.ok(&format!("{command} --help"))).unwrap();
        let examples = help.lines().skip_while(|line| *line != "Examples:").skip(1);
        let examples = examples.take_while(|line| line.starts_with("    "));
        let mut ran = 0;
        for example in examples {
            let output = Command::new("sh")
                .args(["-c", example])
                .current_dir(folder.root())
                .env("PATH", &path)
                .output()
                .unwrap();
            assert!(output.status.success(), "{example}: {}", stderr(&output));
            ran += 1;
        }
        assert!(ran > 0, "{command} has no examples");
    }
}
