//! What other programs have compressed.

use std::io::Write;

use super::{folder, games, other};
use crate::folder::{Folder, stderr};

type Packer = fn(&[u8]) -> Vec<u8>;

/// Extension and compressor of each format that files may follow each other in.
const PACKERS: [(&str, Packer); 4] = [("gz", gzip), ("bz2", bzip2), ("xz", xz), ("zst", zstd)];

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(vec![], flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(vec![], bzip2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let options = lzma_rust2::XzOptions::with_preset(0);
    let mut encoder = lzma_rust2::XzWriter::new(vec![], options).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    // With a checksum, as the program writes it.
    let mut encoder = zstd::stream::write::Encoder::new(vec![], 3).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A zip of these members; those without content are folders.
fn zip(members: &[(&str, &[u8])], deflated: bool) -> Vec<u8> {
    let mut zip = vec![];
    let mut archive = rawzip::ZipArchiveWriter::new(&mut zip);
    for &(name, content) in members {
        if name.ends_with('/') {
            archive.new_dir(name).create().unwrap();
            continue;
        }
        let method = match deflated {
            true => rawzip::CompressionMethod::DEFLATE,
            false => rawzip::CompressionMethod::STORE,
        };
        let (mut entry, config) =
            archive.new_file(name).compression_method(method).start().unwrap();
        let descriptor = if deflated {
            let level = flate2::Compression::default();
            let mut writer = config.wrap(flate2::write::DeflateEncoder::new(&mut entry, level));
            writer.write_all(content).unwrap();
            let (encoder, descriptor) = writer.finish().unwrap();
            encoder.finish().unwrap();
            descriptor
        } else {
            let mut writer = config.wrap(&mut entry);
            writer.write_all(content).unwrap();
            writer.finish().unwrap().1
        };
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap();
    zip
}

#[test]
fn the_pgn_inside_is_compressed() {
    for (extension, pack) in PACKERS {
        let folder = folder();
        let (plain, packed) = ("games.pgn", format!("games.pgn.{extension}"));
        folder.ok("compress --fast -q games.pgn -o plain.plz");
        folder.write(&packed, pack(&games()));
        let output = folder.run(&format!("compress --fast {packed}"));
        assert!(output.status.success());
        let told = stderr(&output);
        assert!(told.starts_with(&packed) && told.contains("the PGN inside"), "{told}");
        assert_eq!(folder.read("games.pgn.plz"), folder.read("plain.plz"));
        assert_eq!(folder.run(&format!("compress -fq --fast {packed}")).stderr, b"");
        // Through a pipe, and whatever the file is called.
        let mut command = folder.command("compress --fast -");
        let piped = command.write_stdin(pack(&games())).output().unwrap();
        assert_eq!(piped.stdout, folder.read("plain.plz"));
        folder.write("any", pack(&games()));
        folder.ok("compress --fast -q any");
        assert_eq!(folder.read("any.plz"), folder.read("plain.plz"));
        // With the name of the PGN.
        folder.ok(&format!("compress --fast -qN {packed} -o named.plz"));
        std::fs::remove_file(folder.path(plain)).unwrap();
        folder.ok("decompress -qN named.plz");
        assert_eq!(folder.read(plain), games());
    }
}

#[test]
fn all_frames_are_read() {
    for (extension, pack) in PACKERS {
        let folder = folder();
        let packed = [pack(&games()), pack(b""), pack(&other())].concat();
        folder.write(&format!("a.pgn.{extension}"), &packed);
        folder.ok(&format!("compress --fast -q a.pgn.{extension}"));
        let expected = [games(), other()].concat();
        assert_eq!(folder.ok("decompress -c a.pgn.plz"), expected, "{extension}");
        // Among files, and appended.
        folder.ok(&format!("compress --fast -q games.pgn a.pgn.{extension} -o b.plz"));
        folder.ok("compress --fast -q games.pgn -o c.plz");
        folder.ok(&format!("append -q c.plz a.pgn.{extension}"));
        let expected = [games(), expected].concat();
        for archive in ["b.plz", "c.plz"] {
            assert_eq!(folder.ok(&format!("decompress -c {archive}")), expected, "{extension}");
        }
    }
}

#[test]
fn a_file_is_kept_as_it_lies_on_demand() {
    for (extension, pack) in [PACKERS[0], PACKERS[3], ("zip", |bytes| zip(&[("a", bytes)], true))] {
        let folder = folder();
        let (name, packed) = (format!("games.pgn.{extension}"), pack(&games()));
        folder.write(&name, &packed);
        folder.ok(&format!("compress --fast -q --as-is {name}"));
        assert_eq!(folder.ok(&format!("decompress -c {name}.plz")), packed);
        folder.ok(&format!("append -q --as-is {name}.plz {name}"));
        let twice = packed.repeat(2);
        assert_eq!(folder.ok(&format!("decompress -c {name}.plz")), twice);
    }
    let folder = folder();
    folder.ok("compress --fast -q games.pgn -o a.plz");
    assert!(folder.fails(2, "compress a.plz").contains("is an archive of plyzip already"));
    folder.ok("compress -q --as-is a.plz");
    assert_eq!(folder.ok("decompress -c a.plz.plz"), folder.read("a.plz"));
}

#[test]
fn zeros_behind_gzip_data_are_passed_over() {
    let folder = folder();
    for zeros in [1, 511, 100_000] {
        let packed = [gzip(&games()), gzip(&other()), vec![0; zeros]].concat();
        folder.write("a.pgn.gz", &packed);
        folder.ok("compress --fast -qf a.pgn.gz");
        assert_eq!(folder.ok("decompress -c a.pgn.plz"), [games(), other()].concat());
        folder.write("a.pgn.gz", [&packed[..], b"x"].concat());
        let told = folder.fails(1, "compress --fast -qf a.pgn.gz");
        assert!(told.contains("something follows the zeros") && told.contains("--as-is"), "{told}");
    }
}

#[test]
fn what_only_begins_like_a_zip_can_be_kept() {
    let folder = folder();
    folder.write("a", b"PK\x03\x04 is how this text begins");
    assert!(folder.fails(1, "compress --fast a").contains("--as-is takes the file as it lies"));
    let piped = folder.command("compress --fast -").write_stdin(folder.read("a")).output().unwrap();
    assert_eq!(piped.status.code(), Some(2));
    assert!(stderr(&piped).contains("--as-is takes it as it lies"));
    folder.ok("compress --fast -q --as-is a");
    assert_eq!(folder.ok("decompress -c a.plz"), folder.read("a"));
    // Names are told, and not more of them than can be read.
    let names = ["a", "b"].map(|letter| letter.repeat(60_000));
    folder.write("long.zip", zip(&[(&names[0], b"1. e4 *"), (&names[1], b"1. e4 *")], false));
    let told = folder.fails(2, "compress --fast long.zip");
    assert!(told.contains("a…a") && told.contains("--as-is") && told.len() < 500, "{told}");
}

#[test]
fn what_is_cut_or_damaged_is_an_error() {
    for (extension, pack) in PACKERS {
        let folder = folder();
        let name = format!("bad.pgn.{extension}");
        let packed = pack(&games());
        let before = folder.files().len() + 1;
        let (length, middle) = (packed.len(), packed.len() / 2);
        let cuts = (1..12).chain([middle, length - 9]).map(|cut| length - cut);
        let mut cases: Vec<Vec<u8>> =
            cuts.filter(|&cut| cut > 12).map(|cut| packed[..cut].to_vec()).collect();
        cases.extend(
            [&b"x"[..], b"\n\n\n\n", b"something else", &packed[..20]]
                .map(|rest| [&packed[..], rest].concat()),
        );
        for place in [middle, length - 20, length - 9] {
            let mut damaged = packed.clone();
            damaged[place] ^= 0x40;
            cases.push(damaged);
        }
        for (number, case) in cases.iter().enumerate() {
            folder.write(&name, case);
            let output = folder.run(&format!("compress --fast {name}"));
            let told = stderr(&output);
            if output.status.success() {
                // A bit may say the same in another way, of which there are many in repetitive text.
                assert_eq!(folder.ok("decompress -c bad.pgn.plz"), games(), "{extension} {number}");
                std::fs::remove_file(folder.path("bad.pgn.plz")).unwrap();
                continue;
            }
            assert_eq!(output.status.code(), Some(1), "{told}");
            let message = told.lines().last().unwrap();
            assert!(message.starts_with(&format!("plyzip: {name}: ")), "{told}");
            assert!(message.contains(" data") && message.contains("--as-is"), "{told}");
            assert_eq!(folder.files().len(), before, "{extension} {number}");
        }
    }
}

#[test]
fn the_only_file_in_a_zip_is_read() {
    let folder = folder();
    let games = games();
    for (deflated, members) in [
        (true, &[("games.pgn", &games[..])][..]),
        (false, &[("games.pgn", &games[..])]),
        (true, &[("a/", &b""[..]), ("a/../../games.pgn", &games), ("__MACOSX/._games.pgn", b"x")]),
    ] {
        folder.write("games.zip", zip(members, deflated));
        folder.ok("compress --fast -qf games.zip");
        assert_eq!(folder.ok("decompress -c games.pgn.plz"), games);
    }
    folder.write("games.PGN.ZIP", folder.read("games.zip"));
    folder.ok("compress --fast -q games.PGN.ZIP");
    assert!(folder.path("games.PGN.plz").exists());
}

#[test]
fn other_zips_are_refused_with_their_names() {
    let folder = folder();
    let (games, other) = (games(), other());
    let one = zip(&[("games.pgn", &games)], true);
    folder.write("a.zip", zip(&[("games.pgn", &games), ("b/other.pgn", &other)], true));
    let told = folder.fails(2, "compress --fast a.zip");
    assert!(told.contains("2 files: games.pgn, b/other.pgn (unzip"), "{told}");
    let many: Vec<String> = (0..30).map(|number| format!("{number}\n.pgn")).collect();
    let many: Vec<(&str, &[u8])> = many.iter().map(|name| (&name[..], &b"x"[..])).collect();
    folder.write("a.zip", zip(&many, true));
    let told = folder.fails(2, "compress --fast a.zip");
    assert!(
        told.contains("30 files: 0\\u{a}.pgn, ") && told.contains("9\\u{a}.pgn, ... ("),
        "{told}"
    );
    folder.write("a.zip", zip(&[], true));
    assert!(folder.fails(2, "compress --fast a.zip").contains("no file in it"));

    // Two zips in one file: the directory of the second does not have what is in the first.
    let mut damaged = one.clone();
    damaged[60] ^= 1;
    for bytes in [
        &[&one[..], &one].concat()[..],
        &[&one[..], b"more"].concat(),
        &one[..one.len() - 1],
        &one[..100],
        b"PK\x03\x04",
        &damaged,
    ] {
        folder.write("a.zip", bytes);
        let told = folder.fails(1, "compress --fast a.zip");
        assert!(told.lines().last().unwrap().starts_with("plyzip: a.zip: damaged zip"), "{told}");
    }
    let mut command = folder.command("compress --fast -");
    let output = command.write_stdin(one).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("can only be read from a file"));
    assert_eq!(folder.files(), ["a.zip", "games.pgn", "other.pgn"]);
}

/// Fails with a message that names `a.pgn.EXTENSION`, and soon.
fn is_refused(folder: &Folder, extension: &str, bytes: &[u8]) -> String {
    folder.write(&format!("a.pgn.{extension}"), bytes);
    folder.fails(1, &format!("compress --fast a.pgn.{extension}"))
}

#[test]
fn a_few_bytes_do_not_take_gigabytes() {
    let folder = folder();
    // A dictionary of almost 4 GiB.
    let mut packed = xz(b"[Event \"A\"]\n\n*\n");
    let header = 12..12 + 4 * (usize::from(packed[12]) + 1);
    assert_eq!(packed[14..16], [0x21, 1]);
    packed[16] = 40;
    let check = crc32fast::hash(&packed[12..header.end - 4]);
    packed[header.end - 4..header.end].copy_from_slice(&check.to_le_bytes());
    let told = is_refused(&folder, "xz", &packed);
    assert!(told.contains("more memory than allowed (`xz -dc`"), "{told}");
    // A window of 2 GiB, and a block of one byte.
    let packed = b"\x28\xB5\x2F\xFD\x00\xA8\x09\x00\x00x";
    let told = is_refused(&folder, "zst", packed);
    assert!(told.contains("too much memory"), "{told}");
}

#[test]
fn what_expands_is_read_bit_by_bit() {
    let folder = folder();
    // 64 MiB of nothing in 64 kB: two blocks.
    let zeros = gzip(&vec![b'\n'; 64 << 20]);
    assert!(zeros.len() < 1 << 17);
    folder.write("zeros.gz", &zeros);
    folder.ok("compress --fast -q zeros.gz");
    let info = String::from_utf8(folder.ok("info zeros.plz --json")).unwrap();
    assert!(info.contains("\"original_bytes\":67108864"), "{info}");
    // Only once: what is inside is taken as it is.
    folder.write("twice.gz", gzip(&gzip(&games())));
    folder.ok("compress --fast -q twice.gz");
    assert_eq!(folder.ok("decompress -c twice.plz"), gzip(&games()));
}
