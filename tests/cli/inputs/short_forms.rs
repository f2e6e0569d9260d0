//! The forms that users of gzip, xz and zstd know, `--fast` and `--best`, and hints in errors.

use super::{folder, games, other};

#[test]
fn a_line_without_a_command_is_one_of_zstd() {
    let folder = folder();
    folder.ok("-q --fast games.pgn");
    assert_eq!(folder.files(), ["games.pgn", "games.pgn.plz", "other.pgn"]);
    folder.ok("-t games.pgn.plz");
    let info = folder.ok("info games.pgn.plz");
    assert_eq!(folder.ok("-l games.pgn.plz"), info);
    assert_eq!(folder.ok("games.pgn --fast -c"), folder.read("games.pgn.plz"));
    assert_eq!(folder.ok("-z --fast -c games.pgn"), folder.read("games.pgn.plz"));
    for line in ["-dc games.pgn.plz", "-d -c games.pgn.plz", "-qcd games.pgn.plz"] {
        assert_eq!(folder.ok(line), games(), "{line}");
    }
    assert_eq!(folder.ok("games.pgn.plz --decompress --stdout"), games());
    folder.ok("-kfq --fast games.pgn other.pgn");
    folder.ok("-df --rm games.pgn.plz other.pgn.plz");
    assert_eq!(folder.files(), ["games.pgn", "other.pgn"]);
    assert_eq!((folder.read("games.pgn"), folder.read("other.pgn")), (games(), other()));
    // What is misspelt is no file.
    assert!(folder.fails(2, "decomprss games.pgn").contains("unrecognized subcommand"));
    assert!(folder.fails(1, "missing.pgn").contains("missing.pgn"));
}

#[test]
fn models_have_short_names() {
    let folder = folder();
    assert_eq!(
        folder.ok("compress --fast games.pgn -c"),
        folder.ok("compress --model none games.pgn -c")
    );
    // This one is a file, which is not there.
    assert!(folder.fails(4, "compress --best games.pgn -c").contains("`max`"));
    for line in ["--fast --best", "--fast --model standard", "--best --model max"] {
        folder.fails(2, &format!("compress games.pgn {line}"));
    }
    folder.ok("compress --fast -q games.pgn");
    folder.ok("append --fast -q games.pgn.plz other.pgn");
    assert_eq!(folder.ok("-dc games.pgn.plz"), [games(), other()].concat());
}

#[test]
fn errors_tell_what_was_perhaps_meant() {
    let folder = folder();
    folder.ok("compress --fast -q games.pgn");
    folder.write("a.gz", b"\x1F\x8B\x08\0\0\0\0\0\0\x03");
    for (command, status) in [("decompress -c", 3), ("test", 3), ("cat", 3)] {
        let told = folder.fails(status, &format!("{command} games.pgn"));
        assert!(told.contains("did you mean `plyzip compress games.pgn`?"), "{command}: {told}");
        let told = folder.fails(status, &format!("{command} a.gz"));
        assert!(told.contains("a.gz: is no archive") && told.contains("gzip"), "{command}: {told}");
    }
    assert!(folder.fails(3, "append games.pgn other.pgn").contains("did you mean"));
    assert!(folder.fails(2, "decompress games.pgn").contains("did you mean"));
    for line in
        ["compress games.pgn.plz", "append games.pgn.plz games.pgn.plz", "compare games.pgn.plz"]
    {
        let told = folder.fails(2, line);
        assert!(told.contains("is an archive of plyzip"), "{line}: {told}");
    }
    for line in ["extrct games.pgn.plz", "help extrct"] {
        let told = folder.fails(2, line);
        assert!(told.contains("similar") && told.contains("'extract'"), "{line}: {told}");
    }
    assert!(folder.ok("help extract").starts_with(b"Print games"), "help of a command");
}
