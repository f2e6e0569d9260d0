//! The records of a file, found by what their headers begin with.

use std::io::{self, Read, Seek, SeekFrom};

use super::alignment::read_all;
use super::geometry::RECORD_HEADER;
use super::record::{MAGIC, Place, Record};

/// A record of which at least one header is whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    pub record: Record,
    /// Where its parity begins, if it is known from the header in front.
    pub front: Option<u64>,
    /// Where its parity ends, if it is known from the header behind it.
    pub back: Option<u64>,
}

impl Found {
    /// Where the parity ends, or would if nothing were wrong with it.
    pub fn parity_end(&self) -> u64 {
        let length = self.record.geometry.parity_bytes();
        self.back.or(self.front.map(|front| front.saturating_add(length))).unwrap_or(0)
    }
}

/// Bytes that are searched at a time.
const WINDOW: usize = 1 << 18;

/// The records of `source`, in order.
pub fn records<R: Read + Seek>(source: &mut R) -> io::Result<Vec<Found>> {
    let mut found: Vec<Found> = vec![];
    source.seek(SeekFrom::Start(0))?;
    let mut window = vec![0; WINDOW];
    let (mut filled, mut begin) = (0, 0u64);
    loop {
        let more = read_all(source, &mut window[filled..])?;
        let bytes = &window[..filled + more];
        let is_last = bytes.len() < window.len();
        // Of a header that the window cuts, nothing is looked at yet.
        let end = match is_last {
            true => bytes.len(),
            false => bytes.len() - RECORD_HEADER as usize,
        };
        let mut place = 0;
        while let Some(next) = bytes[place..end].iter().position(|&byte| byte == MAGIC[0]) {
            place += next;
            if let Some((record, which)) = Record::read(&bytes[place..]) {
                add(&mut found, record, which, begin + place as u64);
            }
            place += 1;
        }
        if is_last {
            return Ok(found);
        }
        begin += end as u64;
        filled = bytes.len() - end;
        window.copy_within(end.., 0);
    }
}

fn add(found: &mut Vec<Found>, record: Record, which: Place, at: u64) {
    match which {
        Place::Front => {
            // A sector that a disk has written twice may have it, too.
            let again = |last: &&mut Found| {
                last.record == record && last.back.is_none() && at < last.parity_end()
            };
            if let Some(last) = found.last_mut().filter(again) {
                last.front = Some(at + RECORD_HEADER);
                return;
            }
            found.push(Found { record, front: Some(at + RECORD_HEADER), back: None });
        }
        Place::Back => match found.last_mut() {
            Some(last) if last.record == record && last.back.is_none() => last.back = Some(at),
            _ => found.push(Found { record, front: None, back: Some(at) }),
        },
    }
}
