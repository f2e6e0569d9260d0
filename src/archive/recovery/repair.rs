//! Making good what is damaged in a file.

use std::io::{Read, Seek, SeekFrom, Write};
use std::ops::Range;

use super::alignment::{Alignment, Layout, read_all};
use super::correction::{Correction, Corrector};
use super::encoder::Encoder;
use super::field::Field;
use super::found::{Found, records};
use super::record::Record;
use super::search::Search;
use crate::archive::format::digest::Digest;
use crate::{Error, Result};

/// What recovery records can do for a file: which of its bytes are protected, which of those are damaged, and what they
/// were.
///
/// A file that is an archive with a record comes back bit for bit, and so does each archive with one in a file of
/// several. What is repaired has the hash that the record has of it; nothing else is changed.
///
/// ```
/// use std::io::Cursor;
/// use plyzip::archive::{ArchiveWriter, Repair, Share, recovery};
/// # use plyzip::Model;
/// let mut writer = ArchiveWriter::new(Vec::new(), Model::none())?;
/// writer.push(b"[Event \"A\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n")?;
/// let (mut archive, _) = writer.finish()?;
/// let record = recovery(&archive[..], archive.len() as u64, Share::default())?;
/// archive.extend(record);
///
/// let mut damaged = archive.clone();
/// damaged[20..45].fill(0);
/// let mut repair = Repair::examine(Cursor::new(damaged))?;
/// assert!(repair.has_repairs() && repair.beyond().next().is_none());
/// let mut repaired = Vec::new();
/// repair.write_to(&mut repaired)?;
/// assert!(repaired == archive);
/// # Ok::<(), plyzip::Error>(())
/// ```
#[derive(Debug)]
pub struct Repair<R> {
    source: R,
    field: Field,
    parts: Vec<Part>,
    protected: Vec<Protected>,
}

/// A record, what it can do, and what it has done.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Protected {
    /// Bytes of archive that it protects.
    pub bytes: u64,
    /// Bytes of parity.
    pub parity_bytes: u64,
    /// Bytes of damage in one piece that it could make good, wherever they are.
    pub longest_burst: u64,
    /// Damaged bytes that it could make good for certain, each by itself, wherever they are.
    pub scattered_bytes: u64,
    /// What it found.
    pub state: ProtectedState,
}

/// What is found of protected bytes and their record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProtectedState {
    /// They are as they were written.
    Sound,
    /// Some are damaged, and known again: so many of those that are protected or parity.
    Repaired(u64),
    /// They are damaged beyond what the record can do.
    Beyond,
}

/// A part of the file that the repair writes.
#[derive(Debug)]
enum Part {
    /// Bytes as they lie.
    Copy(Range<u64>),
    /// Protected bytes, with the carrier of their record.
    Repaired { layout: Layout, alignment: Alignment, corrections: Vec<Correction> },
}

/// Multiplications that the search for what is damaged may take, besides some for each byte: about a minute.
const BUDGET: u64 = 1 << 34;
/// How many alignments are tried on all codewords, for all records together.
const ALIGNMENTS: u32 = 100;
/// Bytes read at a time.
const CHUNK: usize = 1 << 18;

impl<R: Read + Seek> Repair<R> {
    /// Looks for records and for what they tell. Takes memory for some times the parity, of which a file holds as much,
    /// and at most 64 MiB for each record.
    ///
    /// # Errors
    /// [`Error::Io`] if `source` cannot be read.
    pub fn examine(mut source: R) -> Result<Repair<R>> {
        let length = source.seek(SeekFrom::End(0))?;
        let found = records(&mut source)?;
        let mut repair = Repair { source, field: Field::new(), parts: vec![], protected: vec![] };
        let (mut budget, mut alignments) = (BUDGET, ALIGNMENTS);
        let mut done = 0;
        for record in found {
            done = repair.examine_record(record, done, length, &mut budget, &mut alignments)?;
        }
        if done < length {
            repair.parts.push(Part::Copy(done..length));
        }
        Ok(repair)
    }

    /// The records of the file.
    pub fn protected(&self) -> &[Protected] {
        &self.protected
    }

    /// Whether something is damaged and can be made good.
    pub fn has_repairs(&self) -> bool {
        self.protected
            .iter()
            .any(|protected| matches!(protected.state, ProtectedState::Repaired(_)))
    }

    /// What is damaged and cannot be made good.
    pub fn beyond(&self) -> impl Iterator<Item = &Protected> {
        self.protected.iter().filter(|protected| protected.state == ProtectedState::Beyond)
    }

    /// Writes the file with everything made good that can be. What the records protect is compared with its hash.
    ///
    /// # Errors
    /// [`Error::Io`] if the source cannot be read or `sink` cannot be written to, or if the source has changed since it
    /// was examined.
    pub fn write_to<W: Write>(&mut self, sink: &mut W) -> Result<()> {
        for part in &self.parts {
            match part {
                Part::Copy(range) => {
                    self.source.seek(SeekFrom::Start(range.start))?;
                    let length = range.end - range.start;
                    if std::io::copy(&mut (&mut self.source).take(length), sink)? != length {
                        return Err(changed());
                    }
                }
                Part::Repaired { layout, alignment, corrections } => {
                    let mut encoder = Encoder::new(&self.field, &layout.0.geometry);
                    let hash = data(&mut self.source, *layout, alignment, corrections, |bytes| {
                        encoder.push(bytes);
                        Ok(sink.write_all(bytes)?)
                    })?;
                    if hash != layout.0.hash {
                        return Err(changed());
                    }
                    sink.write_all(&layout.0.carrier(&encoder.finish())?)?;
                }
            }
        }
        sink.flush()?;
        Ok(())
    }

    /// Takes in a record; `done` bytes of the file's `length` belong to what is before it. Returns where what follows it
    /// begins.
    fn examine_record(
        &mut self,
        found: Found,
        done: u64,
        length: u64,
        budget: &mut u64,
        alignments: &mut u32,
    ) -> Result<u64> {
        let layout = Layout(found.record);
        let geometry = found.record.geometry;
        let end = found.parity_end().min(length);
        let behind = end.saturating_add(found.record.bytes_behind()).min(length);
        // What claims to protect more than there can have been, or with more parity than there is, is no record.
        let there = end.saturating_sub(done);
        if geometry.length() > there.saturating_add(geometry.parity_bytes())
            || geometry.parity_bytes() / 2 > there
        {
            return Ok(done);
        }
        let (alignment, corrections, state) =
            match self.diagnose(layout, done..end, behind, budget, alignments)? {
                Some(found) => found,
                None => (Alignment::straight(done, end), vec![], ProtectedState::Beyond),
            };
        self.protected.push(Protected {
            bytes: geometry.length(),
            parity_bytes: geometry.parity_bytes(),
            longest_burst: geometry.longest_burst(),
            scattered_bytes: geometry.scattered_bytes(),
            state,
        });
        match state {
            ProtectedState::Repaired(_) => {
                let start = alignment.start;
                let is_doubled =
                    is_doubled(&mut self.source, done, layout, &alignment, &corrections)?;
                if done < start && !is_doubled {
                    self.parts.push(Part::Copy(done..start));
                }
                self.parts.push(Part::Repaired { layout, alignment, corrections });
            }
            ProtectedState::Sound | ProtectedState::Beyond => {
                self.parts.push(Part::Copy(done..behind));
            }
        }
        Ok(behind)
    }

    /// How the protected bytes lie in `place`, which ends with their parity, and what is wrong with them; `None` if that
    /// cannot be known.
    fn diagnose(
        &mut self,
        layout: Layout,
        place: Range<u64>,
        behind: u64,
        budget: &mut u64,
        alignments: &mut u32,
    ) -> Result<Option<(Alignment, Vec<Correction>, ProtectedState)>> {
        let straight = place.end.checked_sub(layout.end()).filter(|&start| start >= place.start);
        if let Some(start) = straight {
            let alignment = Alignment::straight(start, place.end);
            let examined = attempt(&self.field, &mut self.source, layout, &alignment, budget)?;
            if let Some((corrections, remainders)) = examined {
                let carrier = start + layout.0.geometry.length();
                let is_sound = corrections.is_empty()
                    && is_there(&mut self.source, carrier..behind, &layout.0.carrier(&remainders)?)?
                    // Bytes that came in before it are no part of it.
                    && !is_doubled(&mut self.source, place.start, layout, &alignment, &[])?;
                let state = match is_sound {
                    true => ProtectedState::Sound,
                    false => ProtectedState::Repaired(bytes(&corrections)),
                };
                return Ok(Some((alignment, corrections, state)));
            }
        }
        let mut search =
            Search { field: &self.field, layout, start: place.start, end: place.end, budget };
        let found = search.find(&mut self.source, |source, alignment, budget| {
            let Some(left) = alignments.checked_sub(1) else { return Ok(None) };
            *alignments = left;
            let examined = attempt(&self.field, source, layout, &alignment, budget)?;
            Ok(examined.map(|(corrections, _)| {
                let state = ProtectedState::Repaired(bytes(&corrections));
                (alignment, corrections, state)
            }))
        })?;
        Ok(found)
    }
}

/// Whether the bytes from `begin` to where the protected ones lie are those that these begin with, once they are
/// corrected, as when a disk has written a sector twice.
fn is_doubled<R: Read + Seek>(
    source: &mut R,
    begin: u64,
    layout: Layout,
    alignment: &Alignment,
    corrections: &[Correction],
) -> Result<bool> {
    const LARGEST: u64 = 1 << 16;
    let between = alignment.start.saturating_sub(begin);
    if between == 0 || between > LARGEST.min(layout.0.geometry.length()) {
        return Ok(false);
    }
    let mut before = vec![0; between as usize];
    source.seek(SeekFrom::Start(begin))?;
    if read_all(source, &mut before)? != before.len() {
        return Ok(false);
    }
    let mut protected = Vec::with_capacity(before.len());
    data(source, layout, alignment, corrections, |bytes| {
        let missing = (before.len() - protected.len()).min(bytes.len());
        protected.extend_from_slice(&bytes[..missing]);
        Ok(())
    })?;
    Ok(protected == before)
}

/// Whether just these bytes stand in `place`.
fn is_there<R: Read + Seek>(source: &mut R, place: Range<u64>, bytes: &[u8]) -> Result<bool> {
    if place.end - place.start != bytes.len() as u64 {
        return Ok(false);
    }
    let mut there = vec![0; bytes.len()];
    source.seek(SeekFrom::Start(place.start))?;
    Ok(read_all(source, &mut there)? == bytes.len() && there == bytes)
}

/// What makes the protected bytes those that have the record's hash, if they lie in this way; with it, the remainders
/// that their parity is made of.
fn attempt<R: Read + Seek>(
    field: &Field,
    source: &mut R,
    layout: Layout,
    alignment: &Alignment,
    budget: &mut u64,
) -> Result<Option<(Vec<Correction>, Vec<u16>)>> {
    let Record { geometry, hash } = layout.0;
    let parity = geometry.parity();
    let steps = alignment.steps.iter();
    let lost = steps.flat_map(|step| layout.columns(step.at..step.at.saturating_add(step.lost)));
    let mut lost: Vec<usize> = lost.take(2 * parity).collect();
    lost.sort_unstable();
    lost.dedup();
    if lost.len() >= parity {
        return Ok(None);
    }
    let mut encoder = Encoder::new(field, &geometry);
    let found = data(source, layout, alignment, &[], |bytes| {
        encoder.push(bytes);
        Ok(())
    })?;
    let mut remainders = encoder.finish();
    let mut column = vec![0; geometry.column_bytes() as usize];
    for number in 0..parity {
        let at = layout.parity_begin() + number as u64 * geometry.column_bytes();
        alignment.read(source, at, &mut column)?;
        let symbols = column.as_chunks::<2>().0.iter().map(|&symbol| u16::from_le_bytes(symbol));
        for (remainder, symbol) in remainders[number..].iter_mut().step_by(parity).zip(symbols) {
            *remainder ^= symbol;
        }
    }
    let mut corrector = Corrector { field, geometry: &geometry, budget };
    let damaged = corrector.syndromes(&mut remainders);
    let (corrections, is_complete) = corrector.correct(&remainders, damaged, &lost);
    drop(remainders);
    if !is_complete || corrections.is_empty() && found != hash {
        return Ok(None);
    }
    let mut encoder = Encoder::new(field, &geometry);
    let found = data(source, layout, alignment, &corrections, |bytes| {
        encoder.push(bytes);
        Ok(())
    })?;
    Ok((found == hash).then(|| (corrections, encoder.finish())))
}

/// Gives the protected bytes, corrected, to `each`, and returns their hash.
fn data<R: Read + Seek>(
    source: &mut R,
    layout: Layout,
    alignment: &Alignment,
    corrections: &[Correction],
    mut each: impl FnMut(&[u8]) -> Result<()>,
) -> Result<Digest> {
    let geometry = layout.0.geometry;
    let mut corrections = corrections.iter().peekable();
    let mut hasher = blake3::Hasher::new();
    let mut bytes = vec![0; CHUNK];
    let mut at = 0;
    while at < geometry.length() {
        let length = CHUNK.min(usize::try_from(geometry.length() - at).unwrap_or(CHUNK));
        let bytes = &mut bytes[..length];
        alignment.read(source, at, bytes)?;
        // Symbols begin at even places, and so do chunks.
        let place = |correction: &Correction| {
            u64::from(correction.column) * geometry.column_bytes()
                + 2 * u64::from(correction.codeword)
        };
        let end = at + length as u64;
        while let Some(correction) = corrections.next_if(|correction| place(correction) < end) {
            let there = &mut bytes[(place(correction) - at) as usize..];
            for (byte, change) in there.iter_mut().zip(correction.change.to_le_bytes()) {
                *byte ^= change;
            }
        }
        hasher.update(bytes);
        each(bytes)?;
        at = end;
    }
    Ok(Digest::of(&hasher.finalize()))
}

/// Bytes that are wrong.
fn bytes(corrections: &[Correction]) -> u64 {
    let bytes = corrections.iter().flat_map(|correction| correction.change.to_le_bytes());
    bytes.filter(|&byte| byte != 0).count() as u64
}

fn changed() -> Error {
    Error::Io(std::io::Error::other("the archive was changed while it was read"))
}
