//! The section at a place of an archive whose index is lost.

use std::io::{Read, Seek};

use crate::archive::block::Block;
use crate::archive::format::contents::HEADER_BYTES;
use crate::archive::format::limits::Limits;
use crate::archive::format::section::{self, End, Kind};
use crate::archive::format::source::Source;
use crate::{Error, Result};

/// A section as it is sought: the header of a member, a model, a block, or the end of a member.
pub(super) enum Section {
    Header,
    Model(section::ModelSection),
    Block(Block),
    End,
}

/// Reads the section at byte `at` of an archive of `length` bytes; with it comes where it ends.
pub(super) fn section_at<R: Read + Seek>(
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
        kind @ (Kind::Games | Kind::Text | Kind::Columns) => {
            // The pages are looked at when they are decoded, one by one.
            let block = Block::read_first(kind, source, limits)?;
            let end = at + block.header.bytes();
            return Ok((Section::Block(block), end.min(length)));
        }
        Kind::Page => return Err(Error::damaged("a page whose block is lost")),
        kind @ (Kind::End | Kind::EndWithFile) => {
            End::read(kind, source, limits)?;
            Section::End
        }
    };
    Ok((section, source.position()))
}
