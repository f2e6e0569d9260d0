//! The model that a reader needs, found when it is first needed.

use super::format::model_id::ModelId;
use super::model_store::ModelStore;
use crate::predict::Model;
use crate::{Error, Result};

/// The model of one archive. An archive whose blocks have no games, or a reader
/// that decodes none, never opens it.
#[derive(Debug)]
pub struct ModelSlot {
    id: Option<ModelId>,
    given: Option<Model>,
    store: ModelStore,
    found: Option<Model>,
}

impl ModelSlot {
    /// A slot for an archive that has not named a model yet; `given` is the caller's offer, `store` has others.
    pub fn new(given: Option<Model>, store: ModelStore) -> ModelSlot {
        ModelSlot { id: None, given, store, found: None }
    }

    /// Takes note of the model that the archive names.
    ///
    /// # Errors
    /// [`Error::Damaged`] if a block has been decoded with another one.
    pub fn name(&mut self, id: ModelId) -> Result<()> {
        if self.found.is_some() {
            return Err(Error::damaged("it names its model after the games"));
        }
        self.id = Some(id);
        Ok(())
    }

    /// The name and hash of the model, if the archive has named one.
    pub fn id(&self) -> Option<&ModelId> {
        self.id.as_ref()
    }

    /// The model that decodes the archive's games: the one given, if it is the one
    /// that the archive names, else the one of that hash in the store; without a name, none.
    ///
    /// # Errors
    /// Those of [`ModelStore::find`].
    pub fn get(&mut self) -> Result<&Model> {
        let model = match (self.found.take(), &self.id) {
            (Some(found), _) => found,
            (None, None) => Model::none(),
            (None, Some(id)) => match self.given.take().filter(|given| id.is(given)) {
                Some(given) => given,
                None => self.store.find(id)?,
            },
        };
        Ok(self.found.insert(model))
    }
}
