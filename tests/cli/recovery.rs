//! `plyzip protect`, `repair` and `repack`, and what the other commands do with recovery records.

use crate::folder::{Folder, stderr};
use plyzip::archive::ArchiveReader;

use crate::pgn;

/// A folder with games and their archive, which has a record.
fn folder(games: u64) -> Folder {
    let folder = Folder::new();
    folder.write("a.pgn", pgn::games(games).concat());
    folder.ok("compress a.pgn -o a.plz --model none --page-games 8 --recovery 10% -q");
    folder
}

/// Some bytes of `name` are no longer what they were.
fn damage(folder: &Folder, name: &str, begin: usize, bytes: usize) {
    let mut archive = folder.read(name);
    archive[begin..begin + bytes].iter_mut().for_each(|byte| *byte ^= 0x55);
    folder.write(name, archive);
}

#[test]
fn damage_is_repaired_in_place() {
    let folder = folder(60);
    let sound = folder.read("a.plz");
    damage(&folder, "a.plz", 40, 12);
    let told = folder.fails(3, "test a.plz");
    assert!(told.contains("; plyzip repair makes it good"), "{told}");
    folder.ok("repair a.plz -o b.plz");
    assert!(folder.read("b.plz") == sound && folder.read("a.plz") != sound);
    let told = stderr(&folder.run("repair a.plz"));
    assert!(told.contains("a.plz: repaired, 12 bytes of the archive"), "{told}");
    assert!(folder.read("a.plz") == sound);
    let told = stderr(&folder.run("repair a.plz"));
    assert!(told.contains("nothing is damaged"), "{told}");
    let told = stderr(&folder.run("test a.plz"));
    assert!(told.contains("its recovery record makes good up to "), "{told}");
    assert_eq!(folder.files(), ["a.pgn", "a.plz", "b.plz"]);
}

#[test]
fn decompression_repairs_on_the_way() {
    let folder = folder(60);
    let length = folder.read("a.plz").len();
    for place in [3, length / 3, length / 2, length - 5] {
        folder.ok("compress a.pgn -o a.plz --model none --page-games 8 --recovery 10% -q -f");
        damage(&folder, "a.plz", place, 5);
        let damaged = folder.read("a.plz");
        let output = folder.run("decompress a.plz -c");
        assert!(output.status.success(), "{place}: {}", stderr(&output));
        assert_eq!(output.stdout, folder.read("a.pgn"), "{place}");
        assert!(stderr(&output).contains("is damaged; it was repaired on the way"), "{place}");
        folder.ok("decompress a.plz -o b.pgn -q -f");
        assert_eq!(folder.read("b.pgn"), folder.read("a.pgn"));
        folder.ok("decompress a.plz -o b.pgn -q -f --salvage");
        assert_eq!(folder.read("b.pgn"), folder.read("a.pgn"));
        assert_eq!(folder.read("a.plz"), damaged);
    }
}

#[test]
fn damage_beyond_repair_is_salvaged_as_without_a_record() {
    let folder = folder(60);
    let length = folder.read("a.plz").len();
    damage(&folder, "a.plz", length / 2, length / 4);
    let damaged = folder.read("a.plz");
    let told = folder.fails(3, "repair a.plz");
    assert!(told.contains("beyond repair") && told.contains("--salvage"), "{told}");
    assert!(folder.read("a.plz") == damaged);
    folder.fails(3, "decompress a.plz -o b.pgn --salvage");
    let saved = folder.read("b.pgn");
    assert!(!saved.is_empty() && saved.len() < folder.read("a.pgn").len());
    folder.write("a.txt", "no archive at all");
    let told = folder.fails(3, "repair a.txt");
    assert!(told.contains("no recovery record"), "{told}");
}

#[test]
fn records_are_added_and_taken_away() {
    let folder = folder(60);
    folder.ok("compress a.pgn -o plain.plz --model none --page-games 8 --recovery none -q");
    let plain = folder.read("plain.plz");
    assert!(folder.read("a.plz").starts_with(&plain));
    folder.ok("protect plain.plz --recovery 10%");
    assert!(folder.read("plain.plz") == folder.read("a.plz"));
    folder.ok("protect plain.plz --recovery 50% -q");
    assert!(folder.read("plain.plz").len() > plain.len() * 3 / 2);
    folder.ok("protect plain.plz --recovery none -q");
    assert!(folder.read("plain.plz") == plain);
    folder.fails(2, "protect plain.plz --recovery 200%");
    damage(&folder, "plain.plz", 40, 1);
    folder.fails(3, "protect plain.plz");
    // By default, archives have none.
    folder.ok("compress a.pgn -o small.plz --model none --page-games 8 -q");
    assert!(folder.read("small.plz") == plain);
    let told = String::from_utf8(folder.ok("info a.plz")).unwrap();
    assert!(told.contains("recovery record"), "{told}");
}

#[test]
fn one_record_protects_all_that_was_appended_or_put_together() {
    let folder = folder(20);
    folder.write("b.pgn", pgn::games(40).concat());
    folder.ok("append a.plz b.pgn -q");
    let whole = folder.read("a.plz");
    let summary = ArchiveReader::new(&whole[..]).unwrap().skim().unwrap();
    assert_eq!((summary.members, summary.original_hashes.len()), (2, 2));
    damage(&folder, "a.plz", whole.len() / 2, 40);
    damage(&folder, "a.plz", 30, 10);
    folder.ok("repair a.plz");
    assert!(folder.read("a.plz") == whole);
    folder.ok("append a.plz b.pgn -q --recovery none");
    let without = folder.read("a.plz");
    let summary = ArchiveReader::new(&without[..]).unwrap().skim().unwrap();
    assert_eq!((summary.members, summary.recovery_bytes), (3, 0));
    folder.write("c.plz", &whole);
    folder.ok("cat c.plz a.plz -o d.plz");
    assert!(folder.read("d.plz") == [&whole[..], &without].concat());
    folder.ok("cat c.plz a.plz -o d.plz -f --recovery 5%");
    let summary = ArchiveReader::new(&folder.read("d.plz")[..]).unwrap().skim().unwrap();
    assert!(summary.members == 5 && summary.recovery_bytes > 64);
    assert_eq!(folder.ok("cat c.plz a.plz --recovery 5%"), folder.read("d.plz"));
    let games = [folder.read("a.pgn"), folder.read("b.pgn")].concat();
    let all = [&games[..], &games, &folder.read("b.pgn")].concat();
    assert_eq!(folder.ok("decompress d.plz -c -q"), all);
}

#[test]
fn repacking_makes_one_member_of_many() {
    let folder = folder(20);
    folder.write("b.pgn", pgn::games(7).concat());
    for _ in 0..6 {
        folder.ok("append a.plz b.pgn -q");
    }
    let before = folder.read("a.plz");
    let games = folder.ok("decompress a.plz -c -q");
    let told = String::from_utf8(folder.ok("info a.plz")).unwrap();
    assert!(told.contains("7 (plyzip repack makes one of them"), "{told}");
    let told = stderr(&folder.run("repack a.plz"));
    assert!(told.contains("% less)"), "{told}");
    let after = folder.read("a.plz");
    let summary = ArchiveReader::new(&after[..]).unwrap().skim().unwrap();
    assert!(after.len() < before.len() && summary.members == 1 && summary.recovery_bytes > 0);
    assert_eq!(folder.ok("decompress a.plz -c -q"), games);
    let told = stderr(&folder.run("repack a.plz"));
    assert!(told.contains("stays as it is"), "{told}");
    assert!(folder.read("a.plz") == after);
    damage(&folder, "a.plz", after.len() / 3, 400);
    let damaged = folder.read("a.plz");
    folder.fails(3, "repack a.plz");
    assert!(folder.read("a.plz") == damaged);
}

#[test]
fn extracted_games_become_an_archive() {
    let folder = folder(20);
    folder.ok("extract a.plz --games 3-9 -o some.plz");
    assert_eq!(folder.ok("decompress some.plz -c -q"), pgn::games(20)[2..9].concat());
    assert_eq!(folder.ok("extract some.plz --game 2 -q"), pgn::games(20)[3]);
    folder.fails(1, "extract a.plz --games 3-9 -o some.plz");
    folder.ok("extract a.plz --games 1 -o some.plz -f");
    assert_eq!(folder.ok("decompress some.plz -c -q"), pgn::games(20)[0]);
}
