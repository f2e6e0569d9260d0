//! Recovery records: whatever a disk does to an archive, as far as the parity reaches, it comes back bit for bit.

use std::io::Cursor;
use std::ops::Range;

use plyzip::archive::{
    ArchiveReader, ArchiveWriter, IndexedReader, ProtectedState, Repair, Share, WriterOptions,
    recovery,
};
use plyzip::unstable::SplitMix;
use plyzip::{Error, Model};
use proptest::prelude::*;

use crate::pgn;

fn share(text: &str) -> Share {
    text.parse().unwrap()
}

/// `archive` with a record of `text` of its bytes.
fn protected(archive: &[u8], text: &str) -> Vec<u8> {
    let record = recovery(archive, archive.len() as u64, share(text)).unwrap();
    [archive, &record].concat()
}

/// Bytes that look like an archive's to a code.
fn noise(length: usize, seed: u64) -> Vec<u8> {
    let mut random = SplitMix(seed);
    (0..length).map(|_| random.next() as u8).collect()
}

/// What a repair makes of `damaged`; `None` if some of it is beyond repair.
fn repaired(damaged: Vec<u8>) -> Option<Vec<u8>> {
    let mut repair = Repair::examine(Cursor::new(damaged)).unwrap();
    if repair.protected().is_empty() || repair.beyond().next().is_some() {
        return None;
    }
    let mut bytes = vec![];
    repair.write_to(&mut bytes).unwrap();
    Some(bytes)
}

#[track_caller]
fn comes_back(sound: &[u8], damaged: Vec<u8>, what: &str) {
    assert!(repaired(damaged).is_some_and(|repaired| repaired == sound), "{what}");
}

/// A number below `bound`.
fn below(random: &mut SplitMix, bound: usize) -> usize {
    (random.next() % bound as u64) as usize
}

/// Changes all bytes in `place`.
fn change(bytes: &mut [u8], place: Range<usize>, random: &mut SplitMix) {
    for byte in &mut bytes[place] {
        *byte ^= 1 + (random.next() % 255) as u8;
    }
}

/// The most bytes of damage in one piece that the only record makes good.
fn longest_burst(archive: &[u8]) -> usize {
    Repair::examine(Cursor::new(archive)).unwrap().protected()[0].longest_burst as usize
}

#[test]
fn what_is_sound_stays_as_it_is() {
    for length in [0, 1, 2, 100, 6_400, 12_801, 100_000] {
        let sound = protected(&noise(length, 1), "1%");
        let mut repair = Repair::examine(Cursor::new(&sound)).unwrap();
        assert!(!repair.has_repairs() && repair.beyond().next().is_none());
        assert_eq!(repair.protected()[0].state, ProtectedState::Sound);
        assert_eq!(repair.protected()[0].bytes, length as u64);
        let mut bytes = vec![];
        repair.write_to(&mut bytes).unwrap();
        assert!(bytes == sound);
    }
}

#[test]
fn short_damage_anywhere_is_made_good() {
    let sound = protected(&noise(163_000, 2), "1%");
    let mut random = SplitMix(3);
    for _ in 0..100 {
        let length = 1 + below(&mut random, 100);
        let begin = below(&mut random, sound.len() - length);
        let mut damaged = sound.clone();
        change(&mut damaged, begin..begin + length, &mut random);
        comes_back(&sound, damaged, &format!("{begin} {length}"));
    }
}

#[test]
fn each_byte_of_a_small_archive_may_be_wrong() {
    let sound = protected(&noise(300, 4), "1%");
    for place in 0..sound.len() {
        let mut damaged = sound.clone();
        damaged[place] ^= 0x10;
        comes_back(&sound, damaged, &format!("{place}"));
    }
}

#[test]
fn a_burst_as_long_as_the_share_less_a_tenth_is_made_good() {
    let mut random = SplitMix(5);
    for (length, text) in [(163_000, "1%"), (163_000, "3%"), (1_500_000, "1%"), (20_000, "20%")] {
        let sound = protected(&noise(length, 6), text);
        let burst = longest_burst(&sound);
        assert!(burst as f64 >= 0.9 * (sound.len() - length - 200) as f64, "{burst}");
        for number in 0..12 {
            let begin = below(&mut random, sound.len() - burst);
            let mut damaged = sound.clone();
            match number % 3 {
                0 => damaged[begin..begin + burst].fill(0),
                1 => damaged[begin..begin + burst].fill(0xff),
                _ => change(&mut damaged, begin..begin + burst, &mut random),
            }
            comes_back(&sound, damaged, &format!("{length} {text} {begin}"));
        }
    }
}

#[test]
fn scattered_bytes_are_made_good() {
    let sound = protected(&noise(163_000, 7), "1%");
    let mut random = SplitMix(8);
    for _ in 0..20 {
        let mut damaged = sound.clone();
        for _ in 0..200 {
            let place = below(&mut random, 163_000);
            damaged[place] ^= 1 + (random.next() % 255) as u8;
        }
        comes_back(&sound, damaged, "200 bytes");
    }
}

#[test]
fn lost_doubled_and_moved_sectors_are_put_right() {
    for (length, sector, rounds) in [(163_000, 512, 4), (600_000, 4096, 3)] {
        let sound = protected(&noise(length, 9), "1%");
        let mut random = SplitMix(10);
        let sectors = sound.len() / sector;
        for number in 0..rounds {
            let at = match number {
                0 => 0,
                1 => sectors - 2,
                _ => below(&mut random, sectors),
            } * sector;
            let place = at..at + sector;
            let what = format!("{length}, sector of {sector} at {at}");
            let lost = [&sound[..at], &sound[at + sector..]].concat();
            comes_back(&sound, lost, &format!("lost: {what}"));
            let doubled = [&sound[..at + sector], &sound[at..]].concat();
            comes_back(&sound, doubled, &format!("doubled: {what}"));
            let zeros = [&sound[..at], &vec![0; sector], &sound[at + sector..]].concat();
            comes_back(&sound, zeros, &format!("zeros: {what}"));
            let to = below(&mut random, sectors) * sector;
            let mut exchanged = sound.clone();
            if to.abs_diff(at) >= sector && sector < 4096 {
                exchanged.copy_within(place.clone(), to);
                exchanged[place.clone()].copy_from_slice(&sound[to..to + sector]);
            }
            comes_back(&sound, exchanged, &format!("exchanged with {to}: {what}"));
            let rest = [&sound[..at], &sound[at + sector..]].concat();
            let moved = [&rest[..to.min(rest.len())], &sound[place], &rest[to.min(rest.len())..]];
            comes_back(&sound, moved.concat(), &format!("moved to {to}: {what}"));
        }
        // Of any length, at any place.
        for _ in 0..rounds {
            let (at, bytes) = (below(&mut random, length), 1 + below(&mut random, sector));
            let lost = [&sound[..at], &sound[at + bytes..]].concat();
            comes_back(&sound, lost, &format!("lost: {bytes} at {at}"));
            let more = [&sound[..at], &noise(bytes, at as u64), &sound[at..]].concat();
            comes_back(&sound, more, &format!("came in: {bytes} at {at}"));
        }
    }
}

#[test]
fn cut_ends_are_put_back() {
    let sound = protected(&noise(163_000, 11), "1%");
    for cut in [1, 37, 38, 60, 100, 512, 1024, 1400] {
        comes_back(&sound, sound[..sound.len() - cut].to_vec(), &format!("{cut} bytes at the end"));
        comes_back(&sound, sound[cut..].to_vec(), &format!("{cut} bytes at the begin"));
    }
    // More than the record is no record.
    assert_eq!(repaired(sound[..sound.len() - 4096].to_vec()), None);
}

#[test]
fn damage_beyond_is_told_and_nothing_is_changed() {
    let sound = protected(&noise(163_000, 12), "1%");
    let mut random = SplitMix(13);
    for _ in 0..10 {
        let mut damaged = sound.clone();
        let begin = below(&mut random, 163_000 - 3000);
        change(&mut damaged, begin..begin + 3000, &mut random);
        let mut repair = Repair::examine(Cursor::new(&damaged)).unwrap();
        assert_eq!(repair.beyond().count(), 1);
        assert!(!repair.has_repairs());
        let mut bytes = vec![];
        repair.write_to(&mut bytes).unwrap();
        assert!(bytes == damaged);
    }
}

#[test]
fn each_record_of_a_file_repairs_what_is_before_it() {
    let parts = [
        protected(&noise(70_000, 14), "1%"),
        noise(5_000, 15),
        protected(&noise(30_000, 16), "5%"),
    ];
    let sound = parts.concat();
    let mut damaged = sound.clone();
    let mut random = SplitMix(17);
    change(&mut damaged, 10_000..10_500, &mut random);
    change(&mut damaged, 90_000..91_000, &mut random);
    comes_back(&sound, damaged.clone(), "both");
    // One that is beyond repair does not keep the other from it.
    change(&mut damaged, 20_000..23_000, &mut random);
    let mut repair = Repair::examine(Cursor::new(&damaged)).unwrap();
    assert!(repair.has_repairs() && repair.beyond().count() == 1);
    let mut bytes = vec![];
    repair.write_to(&mut bytes).unwrap();
    assert!(bytes[..90_000] == damaged[..90_000] && bytes[90_000..] == sound[90_000..]);
}

/// The record that the second decoder is tested with.
#[test]
fn a_golden_record_stays_as_it_is() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let archive = std::fs::read(folder.join("archives/1/famous-none.plz")).unwrap();
    let golden = std::fs::read(folder.join("data/protected.plz")).unwrap();
    assert!(protected(&archive, "10%") == golden);
}

/// Headers that claim anything, with checksums that are right: nothing is repaired that is not what it was.
#[test]
fn forged_headers_do_no_harm() {
    let sound = protected(&noise(3_000, 18), "3%");
    let front = sound.windows(4).position(|window| window == b"\xC1PLR").unwrap();
    let back = sound.windows(4).rposition(|window| window == b"\xC1PLR").unwrap();
    let values = [0, 1, 64, 255];
    for place in [front, back] {
        for field in 4..34 {
            for value in values {
                let mut forged = sound.clone();
                forged[place + field] = value;
                let crc = crc32fast::hash(&forged[place..place + 34]).to_le_bytes();
                forged[place + 34..place + 38].copy_from_slice(&crc);
                let mut repair = Repair::examine(Cursor::new(&forged)).unwrap();
                let mut bytes = vec![];
                repair.write_to(&mut bytes).unwrap();
                assert!(bytes == forged || bytes == sound, "{field} {value}");
            }
        }
    }
    // Many of them, one after the other.
    let header = sound[back..back + 38].to_vec();
    let repair = Repair::examine(Cursor::new(header.repeat(10_000))).unwrap();
    assert!(!repair.has_repairs());
}

/// The figures of `docs/experiments/059-recovery.md`, for the archive that `PLYZIP_ARCHIVE` names.
#[test]
#[ignore = "takes minutes, and an archive"]
fn measure() {
    let archive = std::fs::read(std::env::var("PLYZIP_ARCHIVE").unwrap()).unwrap();
    let sound = protected(&archive, "1%");
    let (record, burst) = (sound.len() - archive.len(), longest_burst(&sound));
    let parity = Repair::examine(Cursor::new(&sound)).unwrap().protected()[0].parity_bytes as usize;
    println!("{} bytes, record of {record}, parity of {parity}, burst {burst}", archive.len());
    let runs: usize = std::env::var("PLYZIP_RUNS").map_or(1000, |runs| runs.parse().unwrap());
    // Damage beyond repair takes a second each time.
    let fewer = runs.min(40);
    let mut random = SplitMix(19);
    let mut share =
        |name: &str, runs: usize, damage: &mut dyn FnMut(&mut Vec<u8>, &mut SplitMix)| {
            let found = (0..runs).filter(|_| {
                let mut damaged = sound.clone();
                damage(&mut damaged, &mut random);
                repaired(damaged).is_some_and(|repaired| repaired == sound)
            });
            println!("{name}: {} of {runs}", found.count());
        };
    share("one damage of 1 to 100 bytes", runs, &mut |bytes, random| {
        let length = 1 + below(random, 100);
        let begin = below(random, bytes.len() - length + 1);
        change(bytes, begin..begin + length, random);
    });
    for percent in [50, 90, 95, 100] {
        let length = parity * percent / 100;
        share(&format!("burst of {percent} % of the parity"), fewer, &mut |bytes, random| {
            let begin = below(random, bytes.len() - length + 1);
            change(bytes, begin..begin + length, random);
        });
    }
    for count in [10, 30, 100, 200, 300] {
        share(&format!("{count} single bytes"), fewer, &mut |bytes, random| {
            for _ in 0..count {
                let place = below(random, bytes.len());
                bytes[place] ^= 1 + (random.next() % 255) as u8;
            }
        });
    }
    for count in [3, 10, 30] {
        share(&format!("{count} damages of 1 to 100 bytes"), fewer, &mut |bytes, random| {
            for _ in 0..count {
                let length = 1 + below(random, 100);
                let begin = below(random, bytes.len() - length + 1);
                change(bytes, begin..begin + length, random);
            }
        });
    }
    for sector in [512, 4096] {
        let sectors = archive.len() / sector;
        share(&format!("lost sector of {sector}"), fewer, &mut |bytes, random| {
            let at = below(random, sectors) * sector;
            drop(bytes.drain(at..at + sector));
        });
        share(&format!("doubled sector of {sector}"), fewer, &mut |bytes, random| {
            let at = below(random, sectors) * sector;
            *bytes = [&bytes[..at + sector], &bytes[at..]].concat();
        });
        share(&format!("moved sector of {sector}"), fewer, &mut |bytes, random| {
            let at = below(random, sectors) * sector;
            let moved: Vec<u8> = bytes.drain(at..at + sector).collect();
            let to = below(random, sectors - 1) * sector;
            *bytes = [&bytes[..to], &moved, &bytes[to..]].concat();
        });
    }
    share("cut end of up to 90 % of the record", fewer, &mut |bytes, random| {
        let cut = 1 + below(random, record * 9 / 10);
        bytes.truncate(bytes.len() - cut);
    });
}

/// How long it takes for 100 MB.
#[test]
#[ignore = "takes a minute"]
fn time() {
    let archive = noise(100_000_000, 20);
    let begun = std::time::Instant::now();
    let mut sound = protected(&archive, "1%");
    println!("record of 100 MB: {:.2} s", begun.elapsed().as_secs_f64());
    let begun = std::time::Instant::now();
    assert!(!Repair::examine(Cursor::new(&sound)).unwrap().has_repairs());
    println!("looking for damage: {:.2} s", begun.elapsed().as_secs_f64());
    let kept = sound.clone();
    let begun = std::time::Instant::now();
    sound[50_000_000..50_900_000].fill(0);
    let repaired = repaired(sound).unwrap();
    println!("repair of a burst of 900,000 bytes: {:.2} s", begun.elapsed().as_secs_f64());
    assert!(repaired == kept);
}

fn archive_of(games: u64) -> (Vec<u8>, Vec<u8>) {
    let original = pgn::games(games).concat();
    let options = WriterOptions::new().page_games(16);
    let mut writer = ArchiveWriter::with_options(Vec::new(), Model::none(), options).unwrap();
    writer.push(&original).unwrap();
    (writer.finish().unwrap().0, original)
}

#[test]
fn readers_pass_over_records() {
    let (archive, original) = archive_of(60);
    let with = protected(&archive, "1%");
    let twice = [&with[..], &with].concat();
    for (archive, copies) in [(&with, 1), (&twice, 2)] {
        let mut read = vec![];
        let summary = ArchiveReader::new(&archive[..]).unwrap().copy_to(&mut read).unwrap();
        assert!(read == original.repeat(copies));
        assert_eq!(summary, ArchiveReader::new(&archive[..]).unwrap().skim().unwrap());
        assert_eq!((summary.models.len(), summary.original_hashes.len()), (0, copies));
        assert_eq!(summary.members, copies as u64);
        assert_eq!(summary.recovery_bytes, (copies * (with.len() - archive_of(60).0.len())) as u64);
        let mut reader = IndexedReader::open(Cursor::new(archive)).unwrap();
        assert_eq!(*reader.summary(), summary);
        assert_eq!(reader.members().count(), 2 * copies);
        let last = reader.summary().stats.games - 1;
        assert!(original.ends_with(&reader.game(last).unwrap()));
    }
    // A record that is damaged is no reason not to read the games.
    let mut damaged = with.clone();
    damaged[archive.len() + 100] ^= 1;
    let mut reader = IndexedReader::open(Cursor::new(damaged.clone())).unwrap();
    assert!(original.starts_with(&reader.game(0).unwrap()));
    let read = ArchiveReader::new(&damaged[..]).unwrap().skim();
    assert!(matches!(read, Err(Error::Damaged(_))));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// Any archive and share, any damage: what comes out of a repair without complaint is what was protected.
    #[test]
    fn what_is_repaired_is_what_was(
        length in 0..40_000usize,
        text in prop::sample::select(vec!["0.1%", "1%", "3%", "10%", "100%"]),
        damages in prop::collection::vec((any::<u32>(), 0..3000usize, 0..4u8), 1..6),
        seed in any::<u64>(),
    ) {
        let sound = protected(&noise(length, seed), text);
        let mut bytes = sound.clone();
        let mut random = SplitMix(seed);
        for (at, length, how) in damages {
            let begin = at as usize % (bytes.len() + 1);
            let end = (begin + length).min(bytes.len());
            match how {
                0 => change(&mut bytes, begin..end, &mut random),
                1 => bytes[begin..end].fill(0),
                2 => drop(bytes.drain(begin..end)),
                _ => bytes = [&bytes[..end], &bytes[begin..]].concat(),
            }
        }
        if let Some(repaired) = repaired(bytes) {
            // Bytes that came in before what is protected are bytes of something else, for all that is known.
            prop_assert!(repaired.ends_with(&sound) || repaired.windows(sound.len()).any(|window| window == sound));
        }
    }
}
