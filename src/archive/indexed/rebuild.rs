//! An index made again from the sections, for an archive whose own is lost.

use std::io::{Read, Seek};
use std::ops::Range;

use super::member::Member;
use super::resync::Resync;
use super::{IndexedReader, lost};
use crate::archive::block::Block;
use crate::archive::block::ColumnsSection;
use crate::archive::format::contents::{Contents, HEADER_BYTES};
use crate::archive::format::digest::Digest;
use crate::archive::format::file_info::FileInfo;
use crate::archive::format::limits::{Limits, at_most};
use crate::archive::format::section::{self, End, Kind};
use crate::archive::format::source::Source;
use crate::archive::model_slot::ModelSlot;
use crate::archive::reader::ReaderOptions;
use crate::archive::salvage::Missing;
use crate::archive::summary::{PARTS, Summary};
use crate::{Error, Model, Result};

/// What stands at a place of the archive.
pub(super) enum Section {
    Header,
    Model(section::ModelSection),
    Block(Block),
    End,
}

impl<R: Read + Seek> IndexedReader<R> {
    /// Opens an archive without its index. With it comes what lies between the sections that were found.
    ///
    /// # Errors
    /// [`Error::Damaged`] if there are none, [`Error::Io`] if the archive cannot be read.
    pub(in crate::archive) fn rebuilt(
        source: R,
        options: ReaderOptions,
    ) -> Result<(IndexedReader<R>, Vec<Missing>)> {
        let ReaderOptions { limits, model, store, progress, interrupt, index: _ } = options;
        let mut source = Source::new(source);
        let length = source.length()?;
        let offers = ModelSlot::new(model, store, &progress, interrupt);
        let mut rebuilding = Rebuilding {
            members: vec![],
            contents: Contents::new(),
            begin: 0,
            slot: offers.clone(),
            embedded: None,
        };
        let mut search = Resync::new(length);
        let mut missing = vec![];
        let mut blocks = 0;
        let mut at = 0;
        let mut complete = false;
        while at < length {
            let (section, end) = match read(&mut source, at, length, &limits) {
                Ok(found) => found,
                Err(error @ Error::Io(_)) => return Err(error),
                Err(error) => {
                    let next = search.next_block(&mut source, at + 1, &limits)?;
                    let games = None;
                    missing.push(Missing { games, bytes: at..next, reason: error.to_string() });
                    // What is lost may be the name of the model.
                    if rebuilding.slot.id().is_none() {
                        rebuilding.slot.lost(&mut rebuilding.embedded)?;
                    }
                    rebuilding.contents.next += next - at;
                    at = next;
                    continue;
                }
            };
            complete = matches!(section, Section::End);
            blocks += u64::from(matches!(section, Section::Block(_)));
            at_most(blocks, limits.blocks, "the number of blocks")?;
            rebuilding.take(section, at..end, &offers, &limits)?;
            at = end;
        }
        if !complete {
            let reason = "the archive ends without its index, and perhaps without more".into();
            missing.push(Missing { games: None, bytes: length..length, reason });
        }
        if blocks == 0 {
            return Err(lost());
        }
        rebuilding.end_member(offers);
        let reader = IndexedReader::of_members(source, limits, rebuilding.members)?;
        Ok((reader, missing))
    }
}

/// The members found so far, and the one at hand.
struct Rebuilding {
    members: Vec<Member>,
    contents: Contents,
    /// Where the member at hand begins.
    begin: u64,
    slot: ModelSlot,
    /// The model in the program, once it is opened.
    embedded: Option<Model>,
}

impl Rebuilding {
    /// Takes in a section that lies at these bytes.
    fn take(
        &mut self,
        section: Section,
        place: Range<u64>,
        offers: &ModelSlot,
        limits: &Limits,
    ) -> Result<()> {
        let bytes = place.end - place.start;
        match section {
            Section::Header => {
                if place.start > 0 {
                    let members = self.members.len() as u64 + 2;
                    at_most(members, limits.members, PARTS)?;
                    self.end_member(offers.clone());
                }
                self.begin = place.start;
            }
            Section::Model(section) => {
                self.slot.name(section)?;
                self.contents.next += bytes;
            }
            Section::Block(block) => {
                self.contents.next = place.start - self.begin;
                let (original, figures) = (block.original_bytes(), block.figures());
                self.contents.push_block(bytes, original, &figures, limits)?;
            }
            // With the tail.
            Section::End => self.contents.next += bytes,
        }
        Ok(())
    }

    fn end_member(&mut self, offers: ModelSlot) {
        let contents = std::mem::replace(&mut self.contents, Contents::new());
        let model = std::mem::replace(&mut self.slot, offers);
        let bytes = contents.next;
        let blocks = contents.blocks.clone();
        // The hash is that of nothing: it is lost, and pages have checksums of their own.
        let end = End { contents, original_hash: Digest([0; 16]), file: FileInfo::default() };
        let summary = Summary::new(&end, model.id().cloned(), bytes);
        self.members.push(Member { begin: self.begin, model, blocks, summary, id: None });
    }
}

/// What stands at byte `at`, and where it ends.
pub(super) fn read<R: Read + Seek>(
    source: &mut Source<R>,
    at: u64,
    length: u64,
    limits: &Limits,
) -> Result<(Section, u64)> {
    source.seek(at)?;
    if section::read_header(source).is_ok() {
        return Ok((Section::Header, at + HEADER_BYTES));
    }
    source.seek(at)?;
    let section = match Kind::read(source)? {
        kind @ (Kind::Model | Kind::ModelFile) => {
            Section::Model(section::read_model(kind, source, limits)?)
        }
        kind @ (Kind::Games | Kind::Text) => Section::Block(Block::read(kind, source, limits)?),
        Kind::Columns => {
            // The pages are looked at when they are decoded, one by one.
            let section = ColumnsSection::read(source, limits)?;
            let end = at + section.header.block_bytes();
            return Ok((Section::Block(Block::without_pages(section)), end.min(length)));
        }
        Kind::Page => return Err(Error::damaged("a page whose block is lost")),
        kind @ (Kind::End | Kind::EndWithFile) => {
            End::read(kind, source, limits)?;
            Section::End
        }
    };
    Ok((section, source.position()))
}
