//! The identity of the model that an archive was made with.

use super::digest::Digest;
use crate::Model;

/// A model as archives name it: by a name for people and a hash that decides.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ModelId {
    /// The model's name; no control characters.
    pub name: String,
    /// The first 16 bytes of the model's BLAKE3.
    pub hash: Digest,
}

impl ModelId {
    /// The identity of `model`; `None` without a network: that predictor is part of the format.
    pub fn of(model: &Model) -> Option<ModelId> {
        model.hash().map(|hash| ModelId { name: model.name().to_owned(), hash: hash.into() })
    }

    /// Whether `model` is the one.
    pub fn is(&self, model: &Model) -> bool {
        ModelId::of(model).is_some_and(|id| id.hash == self.hash)
    }
}
