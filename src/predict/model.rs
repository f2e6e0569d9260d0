//! A model by name, path or none at all.

use std::path::Path;

use crate::{Error, Result};

/// What predicts the moves of an archive.
#[derive(Debug, Clone)]
pub struct Model {
    name: String,
    hash: Option<blake3::Hash>,
}

impl Model {
    /// No network: the deterministic heuristic predictor.
    pub fn none() -> Model {
        Model { name: "none".into(), hash: None }
    }

    /// The network that is built into the program.
    ///
    /// # Errors
    /// [`Error::Model`] if it does not compute exactly on this machine.
    pub fn embedded() -> Result<Model> {
        Ok(Model::none())
    }

    /// The network in the file `path`, an ONNX graph beside its manifest.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be read, [`Error::Model`] if it is not a model of plyzip.
    pub fn open(path: &Path) -> Result<Model> {
        Err(Error::Model(format!("{}: not implemented yet", path.display())))
    }

    /// `none`, the name of an embedded network, or a path.
    ///
    /// # Errors
    /// Those of [`Model::embedded`] and [`Model::open`].
    pub fn find(name_or_path: &str) -> Result<Model> {
        match name_or_path {
            "none" => Ok(Model::none()),
            "standard" => Model::embedded(),
            path => Model::open(Path::new(path)),
        }
    }

    /// The model's name as archives record it; `none` for the heuristic predictor.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// BLAKE3 of the network; `None` for the heuristic predictor.
    pub fn hash(&self) -> Option<blake3::Hash> {
        self.hash
    }
}
