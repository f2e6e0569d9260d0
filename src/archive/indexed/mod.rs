//! Reading any block of an archive alone.

mod candidates;
mod explained;
mod jobs;
mod known;
mod member;
mod opened;
mod page_job;
mod rebuild;
mod resync;
mod scout;
mod section_at;
mod select;
mod selection;
mod visitor;
mod write_index;

use std::io::{Read, Seek};
use std::ops::Range;

use plyzip_codec::block::PageText;

pub use self::explained::ExplainedGame;
use self::member::{Member, with_model};
pub(super) use self::opened::Piece;
pub(super) use self::select::Searchable;
pub use self::select::Select;
pub use self::selection::{AllGames, Follower, Selection, Verdict, is_late};
pub(super) use self::visitor::Visitor;
use super::block::OpenBlock;
use super::format::contents::BlockEntry;
use super::format::limits::{Limits, at_most};
use super::format::source::Source;
use super::model_slot::ModelSlot;
use super::moves_index::{BlockMoves, MovesIndex};
use super::progress::Progress;
use super::reader::ReaderOptions;
use super::summary::{MEMBERS, Summary};
use crate::pgn::Tag;
use crate::{Error, Model, Result};

/// Reads an archive through its index, from a source that can seek: the figures at
/// once, and any block without those before it.
///
/// ```
/// use std::io::Cursor;
/// # use plyzip::archive::{ArchiveWriter, IndexedReader, WriterOptions};
/// # use plyzip::Model;
/// # let options = WriterOptions::new().block_games(1);
/// # let mut writer = ArchiveWriter::with_options(Vec::new(), Model::none(), options)?;
/// # writer.push(b"[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n\n1. d4 *\n")?;
/// # let archive = Cursor::new(writer.finish()?.0);
/// let mut reader = IndexedReader::open(archive)?;
/// assert_eq!(reader.summary().blocks, 2);
/// assert_eq!(reader.block(1)?, b"[Event \"B\"]\n\n1. d4 *\n");
/// assert_eq!(reader.game(1)?, b"[Event \"B\"]\n\n1. d4 *\n");
/// assert_eq!(reader.page_of_game(1)?, 1..2);
/// assert_eq!(reader.tags(0)?[0][0].value, b"A");
/// # Ok::<(), plyzip::Error>(())
/// ```
#[derive(Debug)]
pub struct IndexedReader<R> {
    source: Source<R>,
    limits: Limits,
    /// The archives that follow each other.
    members: Vec<Member>,
    /// The blocks of all of them.
    blocks: Vec<BlockEntry>,
    summary: Summary,
    /// The block that was last looked into, by its number.
    block: Option<(usize, OpenBlock)>,
    /// Its page that a game was last read from, by its number.
    page: Option<(u64, PageText)>,
    /// The moves of so many of the first blocks, as long as nothing is wrong with them.
    index: Option<(MovesIndex, usize)>,
    /// What was wrong.
    index_fault: Option<String>,
    /// The moves of the block that was last looked into.
    moves: Option<BlockMoves>,
    progress: Progress,
}

impl<R: Read + Seek> IndexedReader<R> {
    /// Reads the header, the index and the name of the model.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::Damaged`], [`Error::Unsupported`] and [`Error::Limit`] for
    /// what can be wrong with them.
    pub fn open(source: R) -> Result<IndexedReader<R>> {
        IndexedReader::with_options(source, ReaderOptions::default())
    }

    /// Opens an archive with other limits or another model than by default.
    ///
    /// # Errors
    /// Those of [`open`](IndexedReader::open).
    pub fn with_options(source: R, options: ReaderOptions) -> Result<IndexedReader<R>> {
        let ReaderOptions { limits, model, store, progress, interrupt, index } = options;
        let mut source = Source::new(source);
        let offers = ModelSlot::new(model, store, &progress, interrupt);
        // Archives may follow each other; each is found from the end of the one before it.
        let mut end = source.length()?;
        let mut members: Vec<Member> = vec![];
        let (mut files, mut file_bytes, mut blocks) = (vec![], 0, 0);
        loop {
            let mut member = Member::read(&mut source, end, offers.clone(), &limits)?;
            // Together they take no more memory than one may.
            at_most(members.len() as u64 + 1, limits.members, MEMBERS)?;
            blocks =
                at_most(blocks + member.summary.blocks, limits.blocks, "the number of blocks")?;
            let bytes = member.model.keep_file(&files);
            if bytes > 0 {
                files.extend(member.model.id().cloned());
                file_bytes = at_most(
                    file_bytes + bytes,
                    limits.model_files,
                    "the size of the models' files",
                )?;
            }
            end = member.begin;
            members.push(member);
            if end == 0 {
                break;
            }
        }
        members.reverse();
        let mut reader = IndexedReader::of_members(source, limits, members)?;
        reader.progress = progress;
        reader.take_index(index);
        Ok(reader)
    }

    fn of_members(
        source: Source<R>,
        limits: Limits,
        members: Vec<Member>,
    ) -> Result<IndexedReader<R>> {
        let mut blocks: Vec<BlockEntry> = vec![];
        let mut summary: Option<Summary> = None;
        for member in &members {
            let (games, bytes) = summary
                .as_ref()
                .map_or((0, 0), |summary| (summary.stats.games, summary.original_bytes));
            summary = Some(match summary {
                Some(before) => before.and(member.summary.clone(), &limits)?,
                None => member.summary.clone(),
            });
            blocks.extend(member.blocks.iter().map(|block| BlockEntry {
                offset: member.begin + block.offset,
                original_offset: bytes + block.original_offset,
                first_game: games + block.first_game,
                ..*block
            }));
        }
        let summary = summary.ok_or_else(lost)?;
        limits.check_original(summary.original_bytes, summary.stats.games)?;
        Ok(IndexedReader {
            source,
            limits,
            members,
            blocks,
            summary,
            block: None,
            page: None,
            index: None,
            index_fault: None,
            moves: None,
            progress: Progress::default(),
        })
    }

    /// What the archive holds, as its index says.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Where each block is.
    pub fn blocks(&self) -> &[BlockEntry] {
        &self.blocks
    }

    /// The bytes of each of the archives that follow each other: alone, they are archives of the same blocks.
    ///
    /// ```
    /// use std::io::Cursor;
    /// # use plyzip::archive::{ArchiveWriter, IndexedReader};
    /// # let mut writer = ArchiveWriter::new(Vec::new(), plyzip::Model::none())?;
    /// # writer.push(b"1. e4 *\n")?;
    /// # let (archive, _) = writer.finish()?;
    /// let twice = [&archive[..], &archive[..]].concat();
    /// let reader = IndexedReader::open(Cursor::new(twice))?;
    /// let length = archive.len() as u64;
    /// assert_eq!(reader.members().collect::<Vec<_>>(), [0..length, length..2 * length]);
    /// # Ok::<(), plyzip::Error>(())
    /// ```
    pub fn members(&self) -> impl Iterator<Item = Range<u64>> {
        self.members.iter().map(|member| member.begin..member.begin + member.summary.archive_bytes)
    }

    /// The bytes of those [`members`](IndexedReader::members) that are no recovery records: alone, they are archives of
    /// the same blocks.
    pub fn members_with_games(&self) -> impl Iterator<Item = Range<u64>> {
        let recovery = self.members.iter().map(|member| member.summary.recovery_bytes);
        self.members().zip(recovery).filter(|(_, recovery)| *recovery == 0).map(|(bytes, _)| bytes)
    }

    /// The number of the block that holds game `game`, counted from 0; `None` if there is no such
    /// game.
    pub fn block_of_game(&self, game: u64) -> Option<usize> {
        let after = self.blocks.partition_point(|block| block.first_game <= game);
        // Blocks without games share their `first_game` with the next one.
        let number = self.blocks[..after].iter().rposition(|block| block.games > 0)?;
        let block = &self.blocks[number];
        (game - block.first_game < block.games).then_some(number)
    }

    /// The original bytes of block `number`, counted from 0.
    ///
    /// # Errors
    /// [`Error::Usage`] if there is no such block, and those of
    /// [`ArchiveReader::next_block`](super::ArchiveReader::next_block).
    pub fn block(&mut self, number: usize) -> Result<Vec<u8>> {
        let offset = self.entry(number)?.offset;
        let block = self.whole_block(number)?.open()?;
        let known = self.block_moves(number).map(|moves| block.decode_known(&moves));
        if let Some(original) = self.unless_wrong(known) {
            return Ok(original);
        }
        with_model(&mut self.members, offset, block.needs_model(), |run| block.decode(run))
    }

    /// The games of block `number` with their tags, but for those that the moves foretell: no page is read.
    ///
    /// # Errors
    /// Those of [`block`](IndexedReader::block).
    pub fn tags(&mut self, number: usize) -> Result<Vec<Vec<Tag>>> {
        let items = self.look_into(number)?.columns.items.clone();
        let games = items.into_iter().filter_map(|mut item| item.game_mut().map(std::mem::take));
        Ok(games.map(|game| game.tags).collect())
    }

    /// The original bytes of game `game`, counted from 0, of all games of the archive. Only the columns of its block
    /// and its page are read, and neither again for the games that follow it there.
    ///
    /// # Errors
    /// [`Error::Usage`] if there is no such game, and those of [`block`](IndexedReader::block).
    pub fn game(&mut self, game: u64) -> Result<Vec<u8>> {
        let (BlockEntry { first_game, offset, .. }, page_games) = self.look_for(game)?;
        let index = game - first_game;
        let (page, index) = (index / page_games, (index % page_games) as usize);
        let text = match self.page.take() {
            Some((known, text)) if known == page => text,
            _ => self.page(offset, page as usize)?,
        };
        let (_, text) = self.page.insert((page, text));
        let range = text.games.get(index).cloned().ok_or_else(|| no_game(game))?;
        Ok(text.bytes[range].to_vec())
    }

    /// The games, counted from 0, that are decoded together with game `game`: those of its page, or of its block if it
    /// has no pages.
    ///
    /// # Errors
    /// Those of [`tags`](IndexedReader::tags), and [`Error::Usage`] if there is no such game.
    pub fn page_of_game(&mut self, game: u64) -> Result<Range<u64>> {
        let (BlockEntry { first_game, games, .. }, page_games) = self.look_for(game)?;
        let index = game - first_game;
        let begin = index - index % page_games;
        Ok(first_game + begin..first_game + begin.saturating_add(page_games).min(games))
    }

    /// Looks into the block of game `game`: where it is, and how many games its pages have.
    fn look_for(&mut self, game: u64) -> Result<(BlockEntry, u64)> {
        let number = self.block_of_game(game).ok_or_else(|| no_game(game))?;
        let page_games = self.look_into(number)?.page_games;
        Ok((*self.entry(number)?, page_games))
    }

    /// The model that the last games of the archive were coded with; `None` if none of its games needs one, not even
    /// [`Model::none`].
    ///
    /// # Errors
    /// [`Error::ModelMissing`] if it is not at hand, and those of [`block`](IndexedReader::block).
    pub fn last_model(&mut self) -> Result<Option<Model>> {
        for number in (0..self.blocks.len()).rev() {
            let entry = self.blocks[number];
            if entry.games > 0 && self.read_block(number)?.needs_model() {
                return with_model(&mut self.members, entry.offset, true, |run| {
                    Ok(Some(run.model().clone()))
                });
            }
        }
        Ok(None)
    }

    fn entry(&self, number: usize) -> Result<&BlockEntry> {
        let none = || Error::Usage(format!("the archive has no block {number}"));
        self.blocks.get(number).ok_or_else(none)
    }
}

fn no_game(game: u64) -> Error {
    Error::Usage(format!("the archive has no game {}", game.saturating_add(1)))
}

fn lost() -> Error {
    Error::damaged("the index is not where its last four bytes say")
}

fn mismatch() -> Error {
    Error::damaged("a section is not what the index says")
}
