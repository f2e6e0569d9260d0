//! Reading an archive in order.

use std::io::{self, BufRead, Read, Write};

use plyzip_codec::block::{BlockStats, Run};

use super::block::Block;
use super::format::contents::Contents;
use super::format::digest::Digest;
use super::format::figures;
use super::format::limits::Limits;
use super::format::section::{self, End, Kind};
use super::format::source::Source;
use super::model_slot::ModelSlot;
use super::model_store::ModelStore;
use super::moves_index::{BlockMoves, MovesIndex, fault};
use super::pending::first_game;
use super::progress::Progress;
use super::summary::Summary;
use crate::{Error, Interrupt, Model, Result};

/// What a reader may use.
///
/// ```
/// use plyzip::ModelStore;
/// use plyzip::archive::{Limits, ReaderOptions};
///
/// let options = ReaderOptions::new().store(ModelStore::of_system()).limits(Limits::new().games(1_000_000));
/// assert!(options.model.is_none());
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ReaderOptions {
    /// What the archive may ask for.
    pub limits: Limits,
    /// A model that the archive may have been made with.
    pub model: Option<Model>,
    /// Where the archive's model is looked for if it is not that one. By default, only in the program.
    pub store: ModelStore,
    /// What says how far the reading has come.
    pub progress: Progress,
    /// What ends decoding, which then gives [`Error::Interrupted`].
    pub interrupt: Interrupt,
    /// An index of the archive, which spares the model: what it says is checked like everything else. One that does not
    /// fit is passed over.
    pub index: Option<MovesIndex>,
}

impl ReaderOptions {
    /// The defaults.
    pub fn new() -> ReaderOptions {
        ReaderOptions::default()
    }

    /// The same, with these limits.
    #[must_use]
    pub fn limits(self, limits: Limits) -> ReaderOptions {
        ReaderOptions { limits, ..self }
    }

    /// The same, with a model that the archive may have been made with.
    #[must_use]
    pub fn model(self, model: impl Into<Option<Model>>) -> ReaderOptions {
        ReaderOptions { model: model.into(), ..self }
    }

    /// The same, with the models of this store.
    #[must_use]
    pub fn store(self, store: ModelStore) -> ReaderOptions {
        ReaderOptions { store, ..self }
    }

    /// The same, with `progress` to say how far the reading has come.
    #[must_use]
    pub fn progress(self, progress: &Progress) -> ReaderOptions {
        ReaderOptions { progress: progress.clone(), ..self }
    }

    /// The same, with `interrupt` to end decoding.
    #[must_use]
    pub fn interrupt(self, interrupt: &Interrupt) -> ReaderOptions {
        ReaderOptions { interrupt: interrupt.clone(), ..self }
    }

    /// The same, with an index of the archive.
    #[must_use]
    pub fn index(self, index: impl Into<Option<MovesIndex>>) -> ReaderOptions {
        ReaderOptions { index: index.into(), ..self }
    }
}

/// Reads an archive from any [`Read`], block after block, and checks everything on the way:
/// each section, the index against the sections, the original against its hash. Archives that follow each other, as
/// `cat a.plz b.plz` puts them, are one archive of all their games.
///
/// It is a [`Read`] and [`BufRead`] of the original itself. Its bytes come before all of the archive is checked: only when
/// the end has been read is everything known to be in order. An [`Error`] comes inside the [`io::Error`]; `Error::from`
/// gets it back. Once reading has failed, every further read fails.
///
/// ```
/// # use plyzip::archive::{ArchiveReader, ArchiveWriter};
/// # use plyzip::Model;
/// # let mut writer = ArchiveWriter::new(Vec::new(), Model::none())?;
/// # writer.push(b"1. e4 e5 *\n")?;
/// # let (archive, _) = writer.finish()?;
/// let mut original = Vec::new();
/// let summary = ArchiveReader::new(&archive[..])?.copy_to(&mut original)?;
/// assert_eq!(original, b"1. e4 e5 *\n");
/// assert_eq!(summary.original_bytes, 11);
///
/// let mut text = String::new();
/// std::io::Read::read_to_string(&mut ArchiveReader::new(&archive[..])?, &mut text)?;
/// assert_eq!(text, "1. e4 e5 *\n");
/// # Ok::<(), plyzip::Error>(())
/// ```
#[derive(Debug)]
pub struct ArchiveReader<R> {
    source: Source<R>,
    limits: Limits,
    progress: Progress,
    model: ModelSlot,
    index: Option<MovesIndex>,
    index_fault: Option<String>,
    /// Blocks of the archives that have ended.
    blocks_before: usize,
    contents: Contents,
    hasher: blake3::Hasher,
    /// The block that is read byte by byte, and how many of its bytes were.
    block: Vec<u8>,
    taken: usize,
    finished: bool,
    /// Whether all was read and found in order.
    complete: bool,
    /// The archives that have ended, which may follow each other.
    summary: Option<Summary>,
    /// The figures of their blocks.
    stats_before: BlockStats,
}

impl<R: Read> ArchiveReader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// [`Error::Io`] if `source` cannot be read, [`Error::Damaged`] if it is no archive,
    /// [`Error::Unsupported`] if it is newer than this program.
    pub fn new(source: R) -> Result<ArchiveReader<R>> {
        ArchiveReader::with_options(source, ReaderOptions::default())
    }

    /// Reads the header of an archive with other limits or another model than by default.
    ///
    /// # Errors
    /// Those of [`new`](ArchiveReader::new).
    pub fn with_options(source: R, options: ReaderOptions) -> Result<ArchiveReader<R>> {
        let mut source = Source::new(source);
        section::read_header(&mut source)?;
        Ok(ArchiveReader {
            source,
            limits: options.limits,
            model: ModelSlot::new(
                options.model,
                options.store,
                &options.progress,
                options.interrupt,
            ),
            progress: options.progress,
            index: options.index,
            index_fault: None,
            blocks_before: 0,
            contents: Contents::new(),
            hasher: blake3::Hasher::new(),
            block: vec![],
            taken: 0,
            finished: false,
            complete: false,
            summary: None,
            stats_before: BlockStats::default(),
        })
    }

    /// The original bytes of the next block, or what is left of one that was begun as a [`Read`]; `None` after the last, when the index
    /// and the hash of the original have been checked too, and after an error.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::Damaged`], [`Error::Unsupported`] and [`Error::Limit`] for
    /// what can be wrong with the archive, [`Error::ModelMissing`] if its model is not at hand.
    pub fn next_block(&mut self) -> Result<Option<Vec<u8>>> {
        let (mut block, taken) = (std::mem::take(&mut self.block), std::mem::take(&mut self.taken));
        if taken < block.len() {
            block.drain(..taken);
            return Ok(Some(block));
        }
        self.until_finished(|reader| {
            loop {
                let (kind, block) = reader.next_section()?;
                if let Some(block) = block {
                    reader.progress.begin_block(block.header.original_bytes(), 1);
                    reader.progress.announce(block.header.figures().moves);
                    let original = reader.decode(block)?;
                    reader.progress.end_block();
                    reader.hasher.update(&original);
                    return Ok(Some(original));
                }
                let hash = Digest::of(&reader.hasher.finalize());
                let end = reader.read_end(kind)?;
                if end.original_hash != hash {
                    return Err(Error::damaged("the original has another hash than it had"));
                }
                if !reader.begin_next(&end)? {
                    return Ok(None);
                }
            }
        })
    }

    /// The original of the block that was read last: with its moves, if the index has them; an index that has others is
    /// not asked again.
    fn decode(&mut self, block: Block) -> Result<Vec<u8>> {
        let needs_model = block.header.needs_model();
        let Some(moves) = self.moves_of(&block) else {
            // A model that is missing is said before anything is decoded.
            let run = if needs_model { self.model.get()? } else { &Run::new(Model::none()) };
            return block.open()?.decode(run);
        };
        let block = block.open()?;
        match block.decode_known(&moves) {
            Ok(original) => return Ok(original),
            Err(error) => (self.index_fault, self.index) = (Some(fault(error)), None),
        }
        block.decode(self.model.get()?)
    }

    /// The moves of the block that was read last, if the index has them.
    fn moves_of(&self, block: &Block) -> Option<BlockMoves> {
        let number = self.blocks_before + self.contents.blocks.len().checked_sub(1)?;
        let index = self.index.as_ref().filter(|_| block.header.needs_model())?;
        BlockMoves::new(index, number, block.header.original_bytes())
    }

    /// Why the index is not used any more.
    pub fn index_fault(&self) -> Option<&str> {
        self.index_fault.as_deref()
    }

    /// Writes the whole original to `sink`.
    ///
    /// # Errors
    /// Those of [`next_block`](ArchiveReader::next_block), and [`Error::Io`] if `sink`
    /// cannot be written to. What `sink` got before an error is not to be trusted.
    pub fn copy_to<W: Write>(mut self, mut sink: W) -> Result<Summary> {
        while let Some(original) = self.next_block()? {
            sink.write_all(&original)?;
        }
        sink.flush()?;
        self.summary().cloned().ok_or_else(failed)
    }

    /// The games one by one.
    pub fn games(self) -> Games<R> {
        Games { reader: self }
    }

    /// Reads the rest without decoding it, so without the model: each section's
    /// checksum and the index are checked, the original's hash is not.
    ///
    /// # Errors
    /// Those of [`next_block`](ArchiveReader::next_block) but for the model.
    pub fn skim(mut self) -> Result<Summary> {
        loop {
            let (kind, block) = self.next_section()?;
            if block.is_some() {
                continue;
            }
            let end = self.read_end(kind)?;
            if !self.begin_next(&end)? {
                break;
            }
        }
        self.summary.ok_or_else(failed)
    }

    /// What the archive holds, once [`next_block`](ArchiveReader::next_block) has
    /// come to its end and found everything in order.
    pub fn summary(&self) -> Option<&Summary> {
        self.summary.as_ref().filter(|_| self.complete)
    }

    /// Bytes of the archive read so far.
    pub fn archive_bytes(&self) -> u64 {
        self.source.position()
    }

    /// The figures of the blocks read so far.
    pub fn stats(&self) -> BlockStats {
        let mut stats = self.stats_before;
        // A sum that does not fit is an error where the archive ends.
        let _ = figures::add(&mut stats, &self.contents.stats);
        stats
    }

    fn until_finished<T>(
        &mut self,
        next: impl FnOnce(&mut Self) -> Result<Option<T>>,
    ) -> Result<Option<T>> {
        if self.finished {
            return Ok(None);
        }
        let result = next(self);
        self.finished = !matches!(result, Ok(Some(_)));
        self.complete = matches!(result, Ok(None));
        result
    }

    /// The next block, undecoded; with no block, the kind of the end section that begins here.
    fn next_section(&mut self) -> Result<(Kind, Option<Block>)> {
        loop {
            let begin = self.source.position();
            match Kind::read(&mut self.source)? {
                kind @ (Kind::Model | Kind::ModelFile) => {
                    let section = section::read_model(kind, &mut self.source, &self.limits)?;
                    self.contents.push_model(self.source.position() - begin)?;
                    self.model.name(section)?;
                }
                kind @ (Kind::Games | Kind::Text | Kind::Columns) => {
                    let block = Block::read(kind, &mut self.source, &self.limits)?;
                    self.contents.push_block(
                        block.header.bytes(),
                        block.header.original_bytes(),
                        &block.header.figures(),
                        &self.limits,
                    )?;
                    let before = self.summary.as_ref().map_or(0, |summary| summary.original_bytes);
                    self.limits.check_original(
                        before.saturating_add(self.contents.original_bytes()),
                        self.stats().games,
                    )?;
                    return Ok((kind, Some(block)));
                }
                Kind::Page => return Err(Error::damaged("a page that belongs to no block")),
                kind @ (Kind::End | Kind::EndWithFile) => return Ok((kind, None)),
            }
        }
    }

    /// Reads the end section from its second byte on and compares it with what came before.
    fn read_end(&mut self, kind: Kind) -> Result<End> {
        let mut end = End::read(kind, &mut self.source, &self.limits)?;
        end.contents.set_figures_of_only_block(&self.contents.stats);
        if end.contents != self.contents {
            return Err(Error::damaged("the index does not match the blocks"));
        }
        Ok(end)
    }

    /// Adds an archive that has ended to the figures, and begins the one that follows it, if one does.
    fn begin_next(&mut self, end: &End) -> Result<bool> {
        let before = self.summary.as_ref().map_or(0, |summary| summary.archive_bytes);
        let bytes = self.source.position() - before;
        let summary = Summary::new(end, self.model.id().cloned(), bytes);
        self.summary = Some(match self.summary.take() {
            Some(before) => before.and(summary, &self.limits)?,
            None => summary,
        });
        if self.source.is_at_end()? {
            return Ok(false);
        }
        section::read_header(&mut self.source).map_err(|error| match error {
            Error::Damaged(_) => Error::damaged("something follows its end that is no archive"),
            other => other,
        })?;
        figures::add(&mut self.stats_before, &self.contents.stats)?;
        self.blocks_before += self.contents.blocks.len();
        self.contents = Contents::new();
        self.hasher = blake3::Hasher::new();
        self.model = self.model.next();
        Ok(true)
    }
}

/// The games of an archive in order, each as it stands in the original: from its tag section to
/// the next. What stands before the first game comes first, as if it were one. Together the
/// pieces are the original.
///
/// A game that alone is larger than a block comes in pieces. After an error there
/// are no more games.
#[derive(Debug)]
pub struct Games<R> {
    reader: ArchiveReader<R>,
}

impl<R: Read> Iterator for Games<R> {
    type Item = Result<Vec<u8>>;

    fn next(&mut self) -> Option<Result<Vec<u8>>> {
        let reader = &mut self.reader;
        while reader.taken == reader.block.len() {
            reader.block = reader.next_block().transpose()?.unwrap_or_default();
        }
        let rest = &reader.block[reader.taken..];
        let game = rest[..first_game(rest)].to_vec();
        reader.taken += game.len();
        Some(Ok(game))
    }
}

impl<R: Read> Read for ArchiveReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: Read> BufRead for ArchiveReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.taken == self.block.len() {
            match self.next_block()? {
                Some(block) => self.block = block,
                None if self.complete => break,
                None => return Err(failed().into()),
            }
        }
        Ok(&self.block[self.taken..])
    }

    fn consume(&mut self, count: usize) {
        self.taken = self.block.len().min(self.taken.saturating_add(count));
    }
}

fn failed() -> Error {
    Error::Usage("this archive has failed before".into())
}
