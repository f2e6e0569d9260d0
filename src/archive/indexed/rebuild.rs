//! An index made again from the sections, for an archive whose own is lost.

use std::io::{Read, Seek};
use std::ops::Range;

use super::member::Member;
use super::resync::Resync;
use super::section_at::{Section, section_at};
use super::{IndexedReader, lost};
use crate::archive::format::contents::Contents;
use crate::archive::format::digest::Digest;
use crate::archive::format::file_info::FileInfo;
use crate::archive::format::limits::{Limits, at_most};
use crate::archive::format::section::End;
use crate::archive::format::source::Source;
use crate::archive::model_slot::ModelSlot;
use crate::archive::reader::ReaderOptions;
use crate::archive::salvage::Missing;
use crate::archive::summary::{MEMBERS, Summary};
use crate::{Error, Model, Result};

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
            let (section, end) = match section_at(&mut source, at, length, &limits) {
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
                    at_most(members, limits.members, MEMBERS)?;
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
                let (original, figures) = (block.header.original_bytes(), block.header.figures());
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
