//! Salvage of what is left of a damaged archive.

use std::io::{Read, Seek, Write};
use std::ops::Range;

use super::indexed::{IndexedReader, Piece};
use super::reader::ReaderOptions;
use crate::{Error, Result};

/// What of an archive could be saved, and what is missing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Salvage {
    /// Games that are whole.
    pub games: u64,
    /// Bytes of the original that are whole.
    pub original_bytes: u64,
    /// What is not, in the order of the archive.
    pub missing: Vec<Missing>,
}

/// A part of an archive that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Missing {
    /// The numbers of its games, from 0 on; `None` if they are not known because the index is lost, too. Games behind
    /// such a part are counted as if it had none.
    pub games: Option<Range<u64>>,
    /// Its bytes of the original, or if `games` is `None`, its bytes of the archive.
    pub bytes: Range<u64>,
    /// What is wrong with it.
    pub reason: String,
}

/// Writes all pages and blocks of an archive that are whole to `sink`, in their order, and tells which are not. If the
/// index is lost, the sections are sought. Each page is checked by its checksums before it is written: what `sink` gets
/// are bytes of the original and nothing else.
///
/// ```
/// use std::io::Cursor;
/// use plyzip::archive::{ArchiveWriter, ReaderOptions, WriterOptions, salvage};
/// use plyzip::Model;
/// let options = WriterOptions::new().page_games(1);
/// let mut writer = ArchiveWriter::with_options(Vec::new(), Model::none(), options)?;
/// writer.push(b"[Event \"A\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 1-0\n\n")?;
/// writer.push(b"[Event \"A\"]\n\n1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 0-1\n\n")?;
/// let mut archive = writer.finish()?.0;
/// let place = archive.len() - 40; // in the last page
/// archive[place] ^= 1;
/// let mut saved = Vec::new();
/// let found = salvage(Cursor::new(archive), ReaderOptions::default(), &mut saved)?;
/// assert_eq!(found.games, 1);
/// assert_eq!(found.missing[0].games, Some(1..2));
/// assert!(saved.starts_with(b"[Event \"A\"]\n\n1. e4 e5"));
/// # Ok::<(), plyzip::Error>(())
/// ```
///
/// # Errors
/// [`Error::Io`] if `source` cannot be read or `sink` cannot be written to, [`Error::ModelMissing`] if the archive's
/// model is not at hand, [`Error::Damaged`] if nothing of it looks like an archive.
pub fn salvage<R: Read + Seek, W: Write>(
    source: R,
    options: ReaderOptions,
    sink: &mut W,
) -> Result<Salvage> {
    let found = gather(source, options, Some(sink))?;
    sink.flush()?;
    Ok(found)
}

/// Tells what [`salvage`] would save, by the checksums of sections, and of the original where no model is needed for it:
/// at most that. What a page with games decodes to is not looked at.
///
/// # Errors
/// Those of [`salvage`] but for the model and the sink.
pub fn assess<R: Read + Seek>(source: R, options: ReaderOptions) -> Result<Salvage> {
    gather(source, options, None::<&mut std::io::Sink>)
}

fn gather<R: Read + Seek, W: Write>(
    mut source: R,
    options: ReaderOptions,
    mut sink: Option<&mut W>,
) -> Result<Salvage> {
    let mut found = Salvage::default();
    let mut reader = match IndexedReader::with_options(&mut source, options.clone()) {
        Ok(reader) => reader,
        Err(Error::Damaged(_) | Error::Unsupported(_) | Error::Limit(_)) => {
            let (reader, gaps) = IndexedReader::rebuilt(&mut source, options)?;
            found.missing = gaps;
            reader
        }
        Err(error) => return Err(error),
    };
    for number in 0..reader.blocks().len() {
        reader.pieces(number, sink.is_some(), |Piece { games, original, text }| {
            match text {
                Ok(text) => {
                    if let Some(sink) = &mut sink {
                        sink.write_all(&text)?;
                    }
                    found.games += games.end - games.start;
                    found.original_bytes += original.end - original.start;
                }
                Err(error @ (Error::Io(_) | Error::ModelMissing { .. })) => return Err(error),
                Err(error) => {
                    let reason = error.to_string();
                    found.missing.push(Missing { games: Some(games), bytes: original, reason });
                }
            }
            Ok(())
        })?;
    }
    Ok(found)
}
