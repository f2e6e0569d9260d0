//! The archives that follow each other in a file.

use std::io::{Read, Seek};

use plyzip_codec::block::{BlockStats, Run};

use super::{lost, mismatch};
use crate::archive::block::{Block, Header};
use crate::archive::format::contents::{BlockEntry, HEADER_BYTES};
use crate::archive::format::digest::Digest;
use crate::archive::format::limits::Limits;
use crate::archive::format::section::{self, End, Kind, ModelSection, TAIL_BYTES};
use crate::archive::format::source::Source;
use crate::archive::model_slot::ModelSlot;
use crate::archive::moves_index::MemberId;
use crate::archive::summary::Summary;
use crate::{Error, Model, Result};

/// One of the archives that follow each other.
#[derive(Debug)]
pub(super) struct Member {
    /// Where it begins, behind the one before it.
    pub begin: u64,
    pub model: ModelSlot,
    /// Its blocks, with offsets from its own beginning.
    pub blocks: Vec<BlockEntry>,
    pub summary: Summary,
    /// What tells it from all others; `None` if its end is lost.
    pub id: Option<MemberId>,
}

impl Member {
    /// Reads the header, the index and the model of the archive that ends at byte `end`.
    pub fn read<R: Read + Seek>(
        source: &mut Source<R>,
        end: u64,
        mut model: ModelSlot,
        limits: &Limits,
    ) -> Result<Member> {
        // What is no archive at all says so.
        if end < HEADER_BYTES + TAIL_BYTES {
            source.seek(0)?;
            section::read_header(source)?;
        }
        source.seek(end.checked_sub(TAIL_BYTES).ok_or_else(lost)?)?;
        let end_bytes = u64::from(source.u32()?) + TAIL_BYTES;
        let end_offset = end.checked_sub(end_bytes);
        let index = end_offset.ok_or_else(lost).and_then(|offset| {
            source.seek(offset)?;
            match Kind::read(source).map_err(|_| lost())? {
                kind @ (Kind::End | Kind::EndWithFile) => End::read(kind, source, limits),
                _ => Err(lost()),
            }
        });
        let mut index = match index {
            Ok(index) => index,
            Err(error) => {
                // A file that is no archive, or one of another version, has no index to be damaged.
                source.seek(0)?;
                section::read_header(source)?;
                return Err(error);
            }
        };
        let begin = end_offset.and_then(|offset| offset.checked_sub(index.contents.next));
        let begin = begin
            .ok_or_else(|| Error::damaged("the index does not match the length of the archive"))?;
        source.seek(end - end_bytes)?;
        let id = MemberId {
            end: Digest::of(&blake3::hash(&source.bytes(end_bytes)?)),
            bytes: end - begin,
            blocks: index.contents.blocks.len() as u64,
        };
        source.seek(begin)?;
        section::read_header(source)?;
        if let Some(entry) = &index.contents.model {
            match read_model(source, begin + entry.offset, entry.bytes, limits) {
                Ok(section) => model.name(section)?,
                // Without games it is a recovery record, which nothing but a repair needs.
                Err(Error::Damaged(_)) if index.contents.blocks.is_empty() => {}
                Err(error) => return Err(error),
            }
        }
        if let [block] = &index.contents.blocks[..] {
            match block_figures(source, begin + block.offset, limits) {
                Ok((stats, stored)) => {
                    stored.map_or(Ok(()), |block| block.check_stored_games())?;
                    index.contents.set_figures_of_only_block(&stats);
                }
                Err(error @ Error::Io(_)) => return Err(error),
                // What is damaged there is found when the block is read.
                Err(_) => {}
            }
        }
        let summary = Summary::new(&index, model.id().cloned(), end - begin);
        Ok(Member { begin, model, blocks: index.contents.blocks, summary, id: Some(id) })
    }
}

/// The section of the model, which has so many bytes from `offset` on.
fn read_model<R: Read + Seek>(
    source: &mut Source<R>,
    offset: u64,
    bytes: u64,
    limits: &Limits,
) -> Result<ModelSection> {
    source.seek(offset)?;
    let section = match Kind::read(source)? {
        kind @ (Kind::Model | Kind::ModelFile) => section::read_model(kind, source, limits)?,
        _ => return Err(mismatch()),
    };
    match source.position() - offset == bytes {
        true => Ok(section),
        false => Err(mismatch()),
    }
}

/// The figures of the block at `offset`, from its header; with them the block, if it is stored and so has its games in
/// sight.
fn block_figures<R: Read + Seek>(
    source: &mut Source<R>,
    offset: u64,
    limits: &Limits,
) -> Result<(BlockStats, Option<Block>)> {
    source.seek(offset)?;
    let kind = Kind::read(source)?;
    if !kind.begins_block() {
        return Err(mismatch());
    }
    let header = Header::read(kind, source, limits)?;
    let figures = header.figures();
    let counted = kind == Kind::Games && header.is_stored();
    let stored = counted.then(|| Block::read_payload(header, source)).transpose()?;
    Ok((figures, stored))
}

/// The model of the archive that has a section at `offset`. Archives that name the same model share it, wherever it was
/// found.
fn model_at(members: &mut [Member], offset: u64) -> Result<&Run> {
    let after = members.partition_point(|member| member.begin <= offset);
    let index = after.checked_sub(1).ok_or_else(mismatch)?;
    let id = members[index].model.id().cloned();
    if id.is_some() && !members[index].model.has_model() {
        let mut others = members.iter_mut().map(|member| &mut member.model);
        if let Some(other) = others.find(|slot| slot.id() == id.as_ref() && slot.has_model()) {
            let model = other.get()?.model().clone();
            members[index].model.offer(model);
        }
    }
    members[index].model.get()
}

/// The result of `work` with the model of the archive that has a section at `offset`, if it is `needed`. If the model's
/// name is lost, each model that it may be is tried until one gives the original.
pub(super) fn with_model<T>(
    members: &mut [Member],
    offset: u64,
    needed: bool,
    work: impl Fn(&Run) -> Result<T>,
) -> Result<T> {
    if !needed {
        return work(&Run::new(Model::none()));
    }
    let after = members.partition_point(|member| member.begin <= offset);
    let slot = &members[after.checked_sub(1).ok_or_else(mismatch)?].model;
    let Some((last, others)) = slot.candidates().split_last() else {
        return work(model_at(members, offset)?);
    };
    let found = others.iter().find_map(|run| Some((work(run).ok()?, run.clone())));
    let (result, run) = match found {
        Some((result, run)) => (result, run),
        None => (work(last)?, last.clone()),
    };
    members[after - 1].model.settle(run);
    Ok(result)
}
