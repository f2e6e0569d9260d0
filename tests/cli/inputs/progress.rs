//! What is told of work that takes long.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};

use crate::folder::Folder;
use crate::pgn;

fn begun(folder: &Folder, line: &str) -> Child {
    Command::new(assert_cmd::cargo::cargo_bin!("plyzip"))
        .current_dir(folder.root())
        .args(line.split(' '))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The time that is foretold, of a command that is ended then.
fn foretold(folder: &Folder, line: &str) -> String {
    let mut child = begun(folder, line);
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let told = lines.find(|line| line.as_ref().is_ok_and(|line| line.contains("will take about")));
    let _ = child.kill();
    let _ = child.wait();
    told.unwrap().unwrap()
}

#[test]
fn what_takes_long_is_foretold() {
    let folder = Folder::new();
    // More than any machine does in a minute.
    let some = pgn::games(2000).concat();
    let mut packer = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
    let mut games = vec![];
    for _ in 0..50 {
        packer.write_all(&some).unwrap();
        games.extend_from_slice(&some);
    }
    folder.write("games.pgn", &games);
    folder.write("more.pgn.gz", packer.finish().unwrap());
    for name in ["games.pgn", "more.pgn.gz"] {
        let told = foretold(&folder, &format!("compress {name}"));
        assert!(told.starts_with(&format!("{name}: will take about ")), "{told}");
        assert!(told.ends_with(" min"), "{told}");
    }
}

#[test]
fn what_takes_seconds_is_not_foretold() {
    let folder = Folder::new();
    folder.write("games.pgn", pgn::games(300).concat());
    let mut child = begun(&folder, "compress --fast games.pgn");
    let mut told = String::new();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    assert!(child.wait().unwrap().success());
    assert!(told.lines().count() == 1 && told.contains("300 games, "), "{told}");
}
