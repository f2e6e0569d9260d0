//! Recovery records: of archives that were changed, and forged.

use std::io::Cursor;

use plyzip::archive::{ProtectedState, Repair, Share, recovery};
use plyzip::unstable::SplitMix;

/// Bytes of a record's header before its checksum.
const FIELDS: usize = 34;

/// Bytes that choose a protected file and what becomes of it: changes, losses, bytes that come in, and headers of records
/// with other figures and checksums that are right. What a repair gives is sound, or is what it was told of.
pub fn recovery_records(bytes: &[u8]) {
    let Some((&[size, share, count, ref rest @ ..], _)) = bytes.split_first_chunk::<4>() else {
        return;
    };
    let (length, seed) = (usize::from(size) * 64, u64::from(rest[0]));
    let mut random = SplitMix(seed);
    let noise: Vec<u8> = (0..length).map(|_| random.next() as u8).collect();
    let share: Share = ["0.1%", "1%", "5%", "40%", "100%"][usize::from(share) % 5].parse().unwrap();
    let record = recovery(&noise[..], length as u64, share).unwrap();
    let sound = [noise, record].concat().repeat(1 + usize::from(count) % 3);
    let mut file = sound.clone();
    for change in bytes[4..].chunks_exact(6).take(8) {
        let &[kind, at, more, by, with, what] = change else { continue };
        let at = (usize::from(at) << 8 | usize::from(more)) % (file.len() + 1);
        let end = (at + usize::from(by)).min(file.len());
        match kind % 5 {
            0 => file[at..end].iter_mut().for_each(|byte| *byte ^= with),
            1 => drop(file.drain(at..end)),
            2 => file = [&file[..end], &file[at..]].concat(),
            3 => file = [&file[..at], &[with, what], &file[at..]].concat(),
            _ => forge(&mut file, usize::from(by), usize::from(with), what),
        }
    }
    let mut repair = Repair::examine(Cursor::new(&file)).unwrap();
    let (some, all) = (repair.has_repairs(), repair.beyond().next().is_none());
    let mut repaired = vec![];
    repair.write_to(&mut repaired).unwrap();
    if !some {
        assert_eq!(repaired, file);
    }
    if all {
        let again = Repair::examine(Cursor::new(&repaired)).unwrap();
        let states = again.protected().iter().map(|protected| protected.state);
        assert!(!some || states.into_iter().any(|state| state == ProtectedState::Sound));
    }
}

/// Gives one of the headers in `file` another byte among its figures, with the checksum that it should have.
fn forge(file: &mut [u8], which: usize, field: usize, value: u8) {
    let places: Vec<usize> =
        (0..file.len()).filter(|&place| file[place..].starts_with(b"\xC1PLR")).collect();
    let Some(&place) = places.get(which % places.len().max(1)) else { return };
    let Some(header) = file.get_mut(place..place + FIELDS + 4) else { return };
    header[4 + field % (FIELDS - 4)] = value;
    let crc = crc32fast::hash(&header[..FIELDS]).to_le_bytes();
    header[FIELDS..].copy_from_slice(&crc);
}
