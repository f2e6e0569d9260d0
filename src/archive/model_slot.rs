//! The model that a reader needs, found when it is first needed.

use plyzip_codec::block::Run;

use super::format::model_id::ModelId;
use super::format::section::ModelSection;
use super::model_store::ModelStore;
use super::progress::Progress;
use super::recovery;
use crate::{Error, Interrupt, Model, Result};

/// The model of one archive. An archive whose blocks have no games, or a reader
/// that decodes none, never opens it.
#[derive(Debug, Clone)]
pub struct ModelSlot {
    id: Option<ModelId>,
    /// The model's file, if the archive holds it.
    file: Option<Vec<u8>>,
    /// What the caller offers.
    given: Option<Model>,
    /// What another archive led to. Not more than one, so that a chain of archives takes no more memory than two.
    offered: Option<Model>,
    store: ModelStore,
    /// What ends decoding.
    interrupt: Interrupt,
    found: Option<Run>,
    /// What the model may be, if the section that names it is lost.
    candidates: Vec<Run>,
    /// What counts the plies that the model decodes.
    progress: Progress,
}

impl ModelSlot {
    /// A slot for an archive that has not named a model yet; `given` is the caller's offer, `store` has others.
    pub fn new(
        given: Option<Model>,
        store: ModelStore,
        progress: &Progress,
        interrupt: Interrupt,
    ) -> ModelSlot {
        let (id, file, offered, found) = (None, None, None, None);
        let progress = progress.clone();
        let candidates = vec![];
        ModelSlot { id, file, given, offered, store, interrupt, found, candidates, progress }
    }

    /// A slot for the archive that follows this one's, with the same offers.
    pub fn next(&self) -> ModelSlot {
        let (given, store) = (self.given.clone(), self.store.clone());
        let mut next = ModelSlot::new(given, store, &self.progress, self.interrupt.clone());
        // What was found for one archive, perhaps in it, is likely to be what the next one names.
        let found = self.found.as_ref().map(Run::model).filter(|found| found.hash().is_some());
        next.offered = found.or(self.offered.as_ref()).cloned();
        next
    }

    /// Takes note of the model that the archive names, with its file if it is there.
    ///
    /// # Errors
    /// [`Error::Damaged`] if a block has been decoded with another one.
    pub fn name(&mut self, section: ModelSection) -> Result<()> {
        if self.found.is_some() {
            return Err(Error::damaged("it names its model after the games"));
        }
        // A recovery record is no model, and is only read to repair an archive.
        self.file = section.file.filter(|_| section.id.name != recovery::NAME);
        self.id = Some(section.id);
        Ok(())
    }

    /// Whether the model is at hand already, or in the archive.
    pub fn has_model(&self) -> bool {
        self.found.is_some() || self.file.is_some()
    }

    /// Gives the slot a model that another archive led to.
    pub fn offer(&mut self, model: Model) {
        self.offered = Some(model);
    }

    /// Takes note that the section which names the model may be lost: it is the one given, the one in the program, or
    /// none. `embedded` is the one in the program, once it is opened; it may have none.
    ///
    /// # Errors
    /// Those of [`Model::embedded`].
    pub fn lost(&mut self, embedded: &mut Option<Model>) -> Result<()> {
        if self.candidates.is_empty() {
            if embedded.is_none() {
                *embedded = match Model::embedded() {
                    Err(Error::ModelMissing { .. }) => None,
                    opened => Some(opened?),
                };
            }
            let offered = self.given.iter().chain(embedded.as_ref()).cloned();
            self.candidates =
                offered.chain([Model::none()]).map(|candidate| self.run(candidate)).collect();
        }
        Ok(())
    }

    /// Bytes of the model's file that are at hand; none of a file that `others` name, too, which is dropped.
    pub fn keep_file(&mut self, others: &[ModelId]) -> u64 {
        if self.id.as_ref().is_some_and(|id| others.contains(id)) {
            self.file = None;
        }
        self.file.as_ref().map_or(0, |file| file.len() as u64)
    }

    /// What the model may be, while that is not known.
    pub fn candidates(&self) -> &[Run] {
        &self.candidates
    }

    /// Takes note of which candidate it was.
    pub fn settle(&mut self, found: Run) {
        self.candidates.clear();
        self.found = Some(found);
    }

    /// The name and hash of the model, if the archive has named one.
    pub fn id(&self) -> Option<&ModelId> {
        self.id.as_ref()
    }

    /// The model that decodes the archive's games: the one given, if it is the one that the archive names, else the one
    /// in the archive, else the one of that hash in the store; without a name, none.
    ///
    /// # Errors
    /// Those of [`ModelStore::find`].
    pub fn get(&mut self) -> Result<&Run> {
        let model = match (self.found.take(), &self.id) {
            (Some(found), _) => return Ok(self.found.insert(found)),
            (None, None) => Model::none(),
            (None, Some(id)) => {
                let offers = [&self.given, &self.offered];
                let mut offers = offers.into_iter().flatten();
                match (offers.find(|offer| id.is(offer)), self.file.take()) {
                    (Some(given), _) => given.clone(),
                    (None, Some(file)) => Model::from_bytes(&file)?,
                    (None, None) => self.store.find(id)?,
                }
            }
        };
        let run = self.run(model);
        Ok(self.found.insert(run))
    }

    /// Work with `model` that the caller can follow and end.
    fn run(&self, model: Model) -> Run {
        Run::new(model).interrupted_by(&self.interrupt).counted_by(self.progress.counter())
    }
}
