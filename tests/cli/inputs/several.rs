//! Several files, and folders.

use std::fs;

use super::{folder, games, other};
use crate::folder::stderr;

#[test]
fn each_file_gets_an_archive_of_its_own() {
    let folder = folder();
    folder.ok("compress --fast -q games.pgn other.pgn");
    assert_eq!(folder.files(), ["games.pgn", "games.pgn.plz", "other.pgn", "other.pgn.plz"]);
    folder.ok("test -q games.pgn.plz other.pgn.plz");
    folder.ok("compress --fast -q -f --rm games.pgn other.pgn");
    assert_eq!(folder.files(), ["games.pgn.plz", "other.pgn.plz"]);
    folder.ok("decompress -q --rm games.pgn.plz other.pgn.plz");
    assert_eq!(folder.files(), ["games.pgn", "other.pgn"]);
    assert_eq!((folder.read("games.pgn"), folder.read("other.pgn")), (games(), other()));
}

#[test]
fn a_failure_is_told_and_the_others_are_done() {
    let folder = folder();
    folder.write("damaged.plz", b"\xC1PLZ\x03\x01\x00\x02");
    let output = folder.run("compress --fast missing.pgn games.pgn gone.pgn");
    assert_eq!(output.status.code(), Some(1));
    let told = stderr(&output);
    for name in ["plyzip: missing.pgn: ", "plyzip: gone.pgn: ", "games.pgn: 8 games"] {
        assert!(told.contains(name), "{told}");
    }
    assert_eq!(folder.files(), ["damaged.plz", "games.pgn", "games.pgn.plz", "other.pgn"]);
    // The status is that of the first failure.
    assert_eq!(folder.run("test damaged.plz missing.plz games.pgn.plz").status.code(), Some(3));
    assert_eq!(folder.run("test missing.plz damaged.plz games.pgn.plz").status.code(), Some(1));
}

#[test]
fn files_with_one_output_become_one_archive() {
    let folder = folder();
    let both = [games(), other()].concat();
    folder.write("both.pgn", &both);
    folder.ok("compress --fast -q games.pgn other.pgn -o several.plz");
    folder.ok("compress --fast -q both.pgn -o one.plz");
    assert_eq!(folder.read("several.plz"), folder.read("one.plz"));
    assert_eq!(folder.ok("compress --fast -c games.pgn other.pgn"), folder.read("one.plz"));
    folder.ok("compress --fast -q games.pgn other.pgn");
    assert_eq!(folder.ok("decompress -c games.pgn.plz other.pgn.plz"), both);
    folder.ok("decompress -q games.pgn.plz other.pgn.plz -o back.pgn");
    assert_eq!(folder.read("back.pgn"), both);
}

#[test]
fn what_one_output_cannot_do_is_refused() {
    let folder = folder();
    folder.ok("compress --fast -q games.pgn other.pgn");
    let before = folder.files();
    for line in [
        "compress --fast --rm games.pgn other.pgn -o out",
        "compress --fast -N games.pgn other.pgn -c",
        "compress --fast games.pgn other.pgn -f -o other.pgn",
        "decompress --rm games.pgn.plz other.pgn.plz -o out",
        "decompress -N games.pgn.plz other.pgn.plz -o out",
        "decompress --salvage games.pgn.plz other.pgn.plz -o out",
        "decompress games.pgn.plz other.pgn.plz -f -o other.pgn.plz",
        "compress games.pgn -c -o out",
    ] {
        folder.fails(2, line);
    }
    // Nothing is left of an output that lacks a file.
    folder.fails(1, "compress --fast games.pgn missing.pgn -o out");
    folder.write("damaged.plz", b"\xC1PLZ\x03\x01\x00\x02");
    folder.fails(3, "decompress games.pgn.plz damaged.plz -o out");
    fs::remove_file(folder.path("damaged.plz")).unwrap();
    assert_eq!(folder.files(), before);
    assert_eq!(folder.read("other.pgn"), other());
}

#[test]
fn folders_are_searched_on_demand_in_the_order_of_names() {
    let folder = folder();
    fs::create_dir_all(folder.path("base/b/empty")).unwrap();
    let (games, other) = (games(), other());
    for (name, bytes) in [
        ("base/a.pgn", &games),
        ("base/b/1.PGN", &other),
        ("base/c.pgn", &games),
        ("base/notes.txt", &other),
        ("base/a.pgn.old", &other),
    ] {
        folder.write(name, bytes);
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("..", folder.path("base/loop")).unwrap();
        std::os::unix::fs::symlink("../other.pgn", folder.path("base/link.pgn")).unwrap();
    }
    let told = folder.fails(1, "compress --fast base");
    assert!(told.contains("base: is a directory (-r "), "{told}");
    folder.fails(2, "compress --fast -r base/b/empty");
    folder.ok("compress --fast -q -r base -o all.plz");
    let expected = [&games[..], &other, &games].concat();
    assert_eq!(folder.ok("decompress -c all.plz"), expected);

    folder.ok("compress --fast -q -r base");
    for name in ["base/a.pgn.plz", "base/b/1.PGN.plz", "base/c.pgn.plz"] {
        assert!(folder.path(name).exists(), "{name}");
    }
    assert_eq!(fs::read_dir(folder.path("base/b")).unwrap().count(), 3);
    folder.ok("test -q -r base");
    assert_eq!(folder.ok("decompress -q -r base -c"), expected);
    folder.fails(2, "test -r base/b/empty");
}

#[test]
fn standard_input_may_be_one_of_several() {
    let folder = folder();
    let mut command = folder.command("compress --fast -q games.pgn - -o out.plz");
    assert!(command.write_stdin(other()).output().unwrap().status.success());
    assert_eq!(folder.ok("decompress -c out.plz"), [games(), other()].concat());
}
