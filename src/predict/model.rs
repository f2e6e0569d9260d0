//! A model by name, path or none at all.

use std::path::Path;
use std::sync::Arc;

use tract_onnx::prelude::Framework;

use super::features::FEATURES_VERSION;
use super::neural::Network;
use super::verdict::Effort;
use crate::{Error, Result};

/// What predicts the moves of an archive.
#[derive(Debug, Clone)]
pub struct Model {
    name: String,
    network: Option<(Arc<Network>, blake3::Hash)>,
    effort: Option<Effort>,
}

/// The network that is built in; its manifest stands beside it.
static EMBEDDED: &[u8] = include_bytes!("../../models/standard.onnx");

/// The name of the network that is built in.
const EMBEDDED_NAME: &str = "standard";

/// Largest model file that is read, in bytes.
const MAX_FILE: u64 = 64 << 20;

impl Model {
    /// No network: the deterministic heuristic predictor.
    pub fn none() -> Model {
        Model { name: "none".into(), network: None, effort: None }
    }

    /// The network that is built into the program.
    ///
    /// # Errors
    /// [`Error::Model`] if it does not compute exactly on this machine.
    pub fn embedded() -> Result<Model> {
        Model::from_bytes(EMBEDDED)
    }

    /// The network in the ONNX file `path`.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be read, [`Error::Model`] if it is not a model of plyzip.
    pub fn open(path: &Path) -> Result<Model> {
        let named = |error: std::io::Error| {
            std::io::Error::new(error.kind(), format!("model {}: {error}", path.display()))
        };
        let length = std::fs::metadata(path).map_err(named)?.len();
        if length > MAX_FILE {
            return Err(Error::Model(format!("{} has over {MAX_FILE} bytes", path.display())));
        }
        Model::from_bytes(&std::fs::read(path).map_err(named)?)
    }

    /// The network in the bytes of an ONNX file.
    ///
    /// # Errors
    /// [`Error::Model`] if it is not a model of plyzip.
    pub fn from_bytes(bytes: &[u8]) -> Result<Model> {
        let proto = tract_onnx::onnx()
            .proto_model_for_read(&mut &bytes[..])
            .map_err(|error| Error::Model(format!("not an ONNX file: {error}")))?;
        let property = |key: &str| {
            let found = proto.metadata_props.iter().find(|property| property.key == key);
            found.map(|property| property.value.clone()).ok_or_else(|| {
                Error::Model(format!("not a model of plyzip: the file has no `{key}`"))
            })
        };
        let features = property("plyzip.features")?;
        if features != FEATURES_VERSION.to_string() {
            return Err(Error::Model(format!("unknown features version `{features}`")));
        }
        let (name, check) = (property("plyzip.name")?, property("plyzip.check")?);
        let network = Network::from_proto(proto, &check)?;
        let effort = std::env::var("EFFORT")
            .ok()
            .and_then(|e| e.parse().ok())
            .map(|nodes| Effort { nodes, width: 12 });
        Ok(Model { name, network: Some((Arc::new(network), blake3::hash(bytes))), effort })
    }

    /// `none`, the name of an embedded network, or a path.
    ///
    /// # Errors
    /// Those of [`Model::embedded`] and [`Model::open`].
    pub fn find(name_or_path: &str) -> Result<Model> {
        match name_or_path {
            "none" => Ok(Model::none()),
            EMBEDDED_NAME => Model::embedded(),
            path => Model::open(Path::new(path)),
        }
    }

    /// The model's name as archives record it; `none` for the heuristic predictor.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// BLAKE3 of the network; `None` for the heuristic predictor.
    pub fn hash(&self) -> Option<blake3::Hash> {
        self.network.as_ref().map(|&(_, hash)| hash)
    }

    /// The network, if the model has one.
    /// How much is searched, if anything.
    pub(crate) fn effort(&self) -> Option<Effort> {
        self.effort
    }

    /// The network, unless the model has none.
    pub(crate) fn network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref().map(|(network, _)| network)
    }
}
