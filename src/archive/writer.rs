//! Writing an archive: PGN in, blocks out.

use std::io::{self, Write};

use plyzip_codec::block::{BlockStats, Run};

use super::block::Block;
use super::format::contents::Contents;
use super::format::digest::Digest;
use super::format::file_info::FileInfo;
use super::format::limits::Limits;
use super::format::model_id::ModelId;
use super::format::section::{self, End};
use super::moves_index::{IndexWriter, MemberId};
use super::options::WriterOptions;
use super::pending::{self, Pending};
use super::progress::Progress;
use super::summary::Summary;
use crate::{Error, Interrupt, Model, Result};

/// Writes an archive to any [`Write`], never seeking.
///
/// What is pushed is cut into blocks at game starts; a block is written when it is full,
/// so memory is bounded by [`WriterOptions::block_bytes`]. Only
/// [`finish`](ArchiveWriter::finish) makes the archive complete; one that is
/// dropped before leaves a truncated archive, which readers refuse.
///
/// It is a [`Write`] of the original itself: [`io::copy`] takes PGN from any [`Read`](io::Read). An [`Error`] comes inside
/// the [`io::Error`]; `Error::from` gets it back.
///
/// ```
/// use plyzip::archive::{ArchiveReader, ArchiveWriter};
/// use plyzip::Model;
///
/// let mut writer = ArchiveWriter::new(Vec::new(), Model::none())?;
/// writer.push(b"[Event \"A\"]\n\n1. e4")?; // anywhere, not only between games
/// writer.push(b" e5 *\n")?;
/// let (archive, summary) = writer.finish()?;
/// assert_eq!(summary.original_bytes, 24);
/// # let mut back = Vec::new();
/// # ArchiveReader::new(&archive[..])?.copy_to(&mut back)?;
/// # assert_eq!(back, b"[Event \"A\"]\n\n1. e4 e5 *\n");
///
/// let mut writer = ArchiveWriter::new(Vec::new(), Model::none())?;
/// std::io::copy(&mut &back[..], &mut writer)?;
/// assert_eq!(writer.finish()?.0, archive);
/// # Ok::<(), plyzip::Error>(())
/// ```
#[derive(Debug)]
pub struct ArchiveWriter<W> {
    sink: W,
    run: Run,
    interrupt: Interrupt,
    /// What names the model, until it is written.
    naming: Option<(ModelId, Vec<u8>)>,
    /// The model's identity once it is in the archive.
    model_id: Option<ModelId>,
    options: WriterOptions,
    limits: Limits,
    pending: Pending,
    hasher: blake3::Hasher,
    contents: Contents,
    failed: bool,
    file: FileInfo,
    progress: Progress,
    /// What takes an index on the way.
    index: Option<IndexWriter<Box<dyn Write + Send>>>,
}

impl<W: Write> ArchiveWriter<W> {
    /// Begins an archive whose moves `model` predicts.
    ///
    /// # Errors
    /// [`Error::Io`] if `sink` cannot be written to.
    pub fn new(sink: W, model: Model) -> Result<ArchiveWriter<W>> {
        ArchiveWriter::with_options(sink, model, WriterOptions::default())
    }

    /// Begins an archive that is cut in another way than by default.
    ///
    /// # Errors
    /// [`Error::Io`] if `sink` cannot be written to, [`Error::Usage`] if `options` are
    /// out of range, [`Error::Model`] if the model has a name that archives cannot hold.
    pub fn with_options(
        mut sink: W,
        model: Model,
        options: WriterOptions,
    ) -> Result<ArchiveWriter<W>> {
        let limits = Limits::default();
        if options.block_games == 0 || options.block_games > limits.block_games {
            return Err(Error::Usage(format!(
                "a block must hold 1 to {} games",
                limits.block_games
            )));
        }
        if options.page_games == Some(0) {
            return Err(Error::Usage("a page must hold at least one game".into()));
        }
        if options.block_bytes == 0 || options.block_bytes as u64 > limits.block_original {
            return Err(Error::Usage(format!(
                "a block must hold 1 to {} bytes",
                limits.block_original
            )));
        }
        let naming = ModelId::of(&model)
            .map(|id| section::model(&id, None, &limits).map(|section| (id, section)))
            .transpose()?;
        sink.write_all(&section::header())?;
        Ok(ArchiveWriter {
            sink,
            run: Run::new(model),
            interrupt: Interrupt::default(),
            naming,
            model_id: None,
            options,
            limits,
            pending: Pending::default(),
            hasher: blake3::Hasher::new(),
            contents: Contents::new(),
            failed: false,
            file: FileInfo::default(),
            progress: Progress::default(),
            index: None,
        })
    }

    /// Has the archive hold the model's file, so that reading it takes nothing but a program of its generation. `file`
    /// is the file that the model was opened from.
    ///
    /// # Errors
    /// [`Error::Usage`] if it is not, or if the archive has named its model already, which it does with the first block;
    /// [`Error::Limit`] if it is too large.
    pub fn embed_model(&mut self, file: &[u8]) -> Result<()> {
        let other = || Error::Usage("this is not the file of the archive's model".into());
        let (id, naming) = self.naming.as_mut().ok_or_else(other)?;
        if Digest::of(&blake3::hash(file)) != id.hash {
            return Err(other());
        }
        *naming = section::model(id, Some(file), &self.limits)?;
        Ok(())
    }

    /// Has `sink` take an [index](super::MovesIndex) of the archive while that is written. It is complete, and flushed, when
    /// [`finish`](ArchiveWriter::finish) is done. Each block is decoded again for it, as it is to be verified.
    ///
    /// ```
    /// # use plyzip::Model;
    /// # use plyzip::archive::{ArchiveWriter, MovesIndex};
    /// let path = std::env::temp_dir().join(format!("plyzip-{}.idx", std::process::id()));
    /// let mut writer = ArchiveWriter::new(Vec::new(), Model::none())?;
    /// writer.write_index_to(Box::new(std::fs::File::create(&path)?))?;
    /// writer.push(&b"[Event \"A\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n".repeat(20))?;
    /// writer.finish()?;
    /// assert!(MovesIndex::open(std::fs::File::open(&path)?).is_ok());
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), plyzip::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Usage`] if blocks are written already, [`Error::Io`] if `sink` cannot be written to.
    pub fn write_index_to(&mut self, sink: Box<dyn Write + Send>) -> Result<()> {
        if !self.contents.blocks.is_empty() {
            return Err(Error::Usage("an index has all blocks of an archive".into()));
        }
        self.index = Some(IndexWriter::new(sink)?);
        Ok(())
    }

    /// Has the archive hold the name and the time of the original's file.
    pub fn set_file_info(&mut self, file: FileInfo) {
        self.file = file;
    }

    /// Has `progress` say how far this has come.
    pub fn set_progress(&mut self, progress: &Progress) {
        self.run = self.run.clone().counted_by(progress.counter());
        self.progress = progress.clone();
    }

    /// Has `interrupt` end the work, which then gives [`Error::Interrupted`].
    pub fn set_interrupt(&mut self, interrupt: &Interrupt) {
        self.run = self.run.clone().interrupted_by(interrupt);
        self.interrupt = interrupt.clone();
    }

    /// Appends bytes of the original, cut anywhere.
    ///
    /// # Errors
    /// [`Error::Io`] if the sink cannot be written to, [`Error::Verification`] if a block does not
    /// decode to what it was made from, [`Error::Model`] if the network fails, [`Error::Interrupted`] if that is asked
    /// for. After any of them the writer takes no more.
    pub fn push(&mut self, bytes: &[u8]) -> Result<()> {
        self.unless_failed(|writer| {
            writer.interrupt.check()?;
            writer.hasher.update(bytes);
            let mut rest = bytes;
            while !rest.is_empty() {
                writer.pending.fill(&mut rest, &writer.options);
                writer.write_blocks(true)?;
            }
            Ok(())
        })
    }

    /// Appends one game: its tag section first, then the movetext, to the end of a line.
    /// [`ArchiveReader::games`](super::ArchiveReader::games) gives it back as it is.
    ///
    /// # Errors
    /// [`Error::Usage`] if `game` is not one game of that form, and those of
    /// [`push`](ArchiveWriter::push).
    pub fn push_game(&mut self, game: &[u8]) -> Result<()> {
        if !pending::is_one_game(game) {
            return Err(Error::Usage(
                "a game must begin with its only tag section, have a movetext and end with a line"
                    .into(),
            ));
        }
        self.push(game)
    }

    /// Writes what is left, the index and the tail. Gives back the sink, flushed.
    ///
    /// # Errors
    /// Those of [`push`](ArchiveWriter::push).
    pub fn finish(mut self) -> Result<(W, Summary)> {
        self.pending.close();
        self.unless_failed(|writer| writer.write_blocks(false))?;
        let original_hash = Digest::of(&self.hasher.finalize());
        let end = End { contents: self.contents, original_hash, file: self.file };
        let bytes = end.to_bytes()?;
        self.sink.write_all(&bytes)?;
        self.sink.flush()?;
        if let Some(mut index) = self.index {
            index.end_member(&MemberId {
                end: Digest::of(&blake3::hash(&bytes)),
                bytes: end.contents.next + bytes.len() as u64,
                blocks: end.contents.blocks.len() as u64,
            });
            index.finish()?;
        }
        let summary = Summary::new(&end, self.model_id, end.contents.next + bytes.len() as u64);
        Ok((self.sink, summary))
    }

    /// Bytes of the original in the blocks written so far.
    pub fn original_bytes(&self) -> u64 {
        self.contents.original_bytes()
    }

    /// The figures of the blocks written so far.
    pub fn stats(&self) -> BlockStats {
        self.contents.stats
    }

    fn unless_failed(&mut self, work: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        if self.failed {
            return Err(Error::Usage("this archive has failed before".into()));
        }
        let result = work(self);
        self.failed = result.is_err();
        result
    }

    /// Writes the blocks that are complete; if no `more` bytes come, all that is left.
    fn write_blocks(&mut self, more: bool) -> Result<()> {
        while let Some(original) = self.pending.next_block(more, &self.options) {
            // The section, and its length in the index. A file that the caller wants in the archive is no reason to
            // store games as they are.
            let naming = match &self.naming {
                Some((id, _)) => section::model(id, None, &self.limits)?.len() as u64 + 1,
                None => 0,
            };
            let passes = if self.options.verify || self.index.is_some() { 2 } else { 1 };
            self.progress.begin_block(original.len() as u64, passes);
            let mut records = vec![];
            let wanted = self.index.is_some().then_some(&mut records);
            let (options, limits) = (&self.options, &self.limits);
            let block = Block::encode(original, &self.run, naming, options, limits, wanted)?;
            if let Some(index) = &mut self.index {
                index.push_block(records)?;
            }
            let length = original.len();
            self.progress.end_block();
            self.write_block(&block)?;
            self.pending.remove(length);
        }
        Ok(())
    }

    /// Writes `block`, and before the first that needs it the name of the model.
    fn write_block(&mut self, block: &Block) -> Result<()> {
        if block.header.needs_model()
            && let Some((id, section)) = self.naming.take()
        {
            self.contents.push_model(section.len() as u64)?;
            self.sink.write_all(&section)?;
            self.model_id = Some(id);
        }
        self.contents.push_block(
            block.header.bytes(),
            block.header.original_bytes(),
            &block.header.figures(),
            &self.limits,
        )?;
        block.write(&mut self.sink)
    }
}

impl<W: Write> Write for ArchiveWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.push(bytes)?;
        Ok(bytes.len())
    }

    /// Flushes the sink. What is in no block yet waits for more: only [`finish`](ArchiveWriter::finish) writes it.
    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}
