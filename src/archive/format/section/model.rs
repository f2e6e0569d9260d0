//! The section of the model.

use std::io::Read;

use super::{Kind, close};
use crate::archive::format::digest::Digest;
use crate::archive::format::limits::{Limits, at_most};
use crate::archive::format::model_id::ModelId;
use crate::archive::format::source::Source;
use crate::{Error, Result, varint};

/// The section of the model, complete; with its `file` if there is one.
///
/// # Errors
/// [`Error::Model`] if no reader would accept the name.
pub fn model(id: &ModelId, file: Option<&[u8]>, limits: &Limits) -> Result<Vec<u8>> {
    let kind = if file.is_some() { Kind::ModelFile } else { Kind::Model };
    let mut section = vec![kind as u8];
    varint::put(&mut section, id.name.len() as u64);
    section.extend(id.name.as_bytes());
    section.extend(id.hash.0);
    if let Some(file) = file {
        at_most(file.len() as u64, limits.model_file, "the size of the model's file")?;
        varint::put(&mut section, file.len() as u64);
        section.extend(file);
    }
    section.extend(close(&section, &[]));
    if id.name.len() as u64 > limits.model_name || id.name.contains(char::is_control) {
        return Err(Error::Model(format!("{:?} cannot be a model's name", id.name)));
    }
    Ok(section)
}

/// The section of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelSection {
    pub id: ModelId,
    /// The model's file, if the archive holds it.
    pub file: Option<Vec<u8>>,
}

/// Reads the section of the model, which has this kind, from its second byte on.
///
/// # Errors
/// Among others [`Error::Damaged`] if the file is not that of the model.
pub fn read_model<R: Read>(
    kind: Kind,
    source: &mut Source<R>,
    limits: &Limits,
) -> Result<ModelSection> {
    let length = at_most(source.varint()?, limits.model_name, "the length of the model's name")?;
    let name = String::from_utf8(source.bytes(length)?)
        .ok()
        .filter(|name| !name.contains(char::is_control))
        .ok_or_else(|| Error::damaged("the model's name is no text"))?;
    let hash = Digest(source.array()?);
    let mut file = None;
    if kind == Kind::ModelFile {
        let length = at_most(source.varint()?, limits.model_file, "the size of the model's file")?;
        file = Some(source.bytes(length)?);
    }
    source.end_section()?;
    if file.as_ref().is_some_and(|file| Digest::of(&blake3::hash(file)) != hash) {
        return Err(Error::damaged("the model's file is not that of the model"));
    }
    Ok(ModelSection { id: ModelId { name, hash }, file })
}
