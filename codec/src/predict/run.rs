//! A model at work.

use super::model::Model;
use super::ply_counter::PlyCounter;
use crate::Interrupt;

/// A model at work: what predicts, what may end the work, and what counts its plies. A model alone is one that nothing
/// ends and nobody counts.
///
/// ```
/// use plyzip_codec::block::{Run, encode_block};
/// use plyzip_codec::{Error, Interrupt, Model};
///
/// let interrupt = Interrupt::default();
/// let run = Run::new(Model::none()).interrupted_by(&interrupt);
/// interrupt.set(); // by another thread
/// assert!(matches!(encode_block(b"1. e4 e5 *\n", &run, 192), Err(Error::Interrupted)));
/// ```
#[derive(Debug, Clone)]
pub struct Run {
    pub(crate) model: Model,
    pub(crate) interrupt: Interrupt,
    pub(crate) plies: PlyCounter,
}

impl Run {
    /// Work with `model` that nothing ends and nobody counts.
    pub fn new(model: Model) -> Run {
        Run { model, interrupt: Interrupt::default(), plies: PlyCounter::default() }
    }

    /// The same work, which gives [`Error::Interrupted`](crate::Error::Interrupted) once `interrupt` is set.
    #[must_use]
    pub fn interrupted_by(self, interrupt: &Interrupt) -> Run {
        Run { interrupt: interrupt.clone(), ..self }
    }

    /// The same work, whose plies `plies` counts.
    #[must_use]
    pub fn counted_by(self, plies: &PlyCounter) -> Run {
        Run { plies: plies.clone(), ..self }
    }

    /// What predicts.
    pub fn model(&self) -> &Model {
        &self.model
    }
}

impl From<&Model> for Run {
    fn from(model: &Model) -> Run {
        Run::new(model.clone())
    }
}

impl From<&Run> for Run {
    fn from(run: &Run) -> Run {
        run.clone()
    }
}
