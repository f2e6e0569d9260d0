//! A model: what predicts the moves of an archive, from a file, built in, or none.

mod effort_in_file;
mod hash;
mod open_models;
mod tensors;
#[cfg(test)]
pub mod tests;

use std::path::Path;
use std::sync::Arc;

pub use self::hash::ModelHash;
pub use self::tensors::{
    BOARD, BOARD_WEIGHTS, BOOK, BUILT_IN_BOOK, MIXER_SCALES, NNUE, REPERTOIRES, RERANKER, SEARCH,
    SEARCH_FEATURE_WEIGHTS,
};
use self::tensors::{
    named_book, take_board_policy, take_book, take_mixer_scales, take_search_model,
};
use super::board_policy::BoardPolicy;
use super::book::{Book, Books};
use super::mixer_scales::MixerScales;
use crate::analysis::{Reranker, SearchModel};
use crate::features::FEATURES_VERSION;
use crate::network::onnx::{self, ModelProto};
use crate::network::{CHECK, Network};
use crate::{Error, Result};

/// What predicts the moves of an archive.
///
/// Clones share the network and all else that is large, and so do models that are opened from the same bytes: a process
/// has it once, as long as one of them is there.
#[derive(Debug, Clone)]
pub struct Model {
    parts: Arc<Parts>,
}

/// What models of the same bytes share.
#[derive(Debug)]
struct Parts {
    name: String,
    network: Option<(Arc<Network>, ModelHash)>,
    board_policy: Option<Arc<BoardPolicy>>,
    search_model: Option<Arc<SearchModel>>,
    mixer_scales: Option<MixerScales>,
    books: Books,
    repertoires: Option<Arc<Book>>,
}

/// The default of the models that are built in.
const DEFAULT: &str = "standard";

/// The models that are built in.
#[cfg(any(feature = "embed-standard", feature = "embed-max"))]
use plyzip_models::FILES as EMBEDDED;
#[cfg(not(any(feature = "embed-standard", feature = "embed-max")))]
static EMBEDDED: &[(&str, &[u8])] = &[];

/// The metadata with the version of features.
const FEATURES: &str = "plyzip.features";

/// What follows the version of features in the file of a model that asks its board network: programs that know of none,
/// those of version 1.0, refuse such a file instead of predicting without it.
pub const WITH_BOARD: &str = " board";

/// The metadata with the model's name.
const NAME: &str = "plyzip.name";

impl Model {
    /// Bytes of the largest model file that [`Model::read`] reads: 64 MiB.
    pub const MAX_FILE: u64 = 64 << 20;

    /// No network: the linear policy, with the opening book that is built in.
    pub fn none() -> Model {
        Model {
            parts: Arc::new(Parts {
                name: "none".into(),
                network: None,
                board_policy: None,
                search_model: None,
                mixer_scales: None,
                books: Books::new([Book::built_in()]),
                repertoires: None,
            }),
        }
    }

    /// The default of the models that are built into the program, `standard`.
    ///
    /// # Errors
    /// [`Error::ModelMissing`] if it was built without the feature `embed-standard`, [`Error::Model`] if it does not
    /// compute exactly on this machine.
    pub fn embedded() -> Result<Model> {
        Model::embedded_as(DEFAULT)?.ok_or_else(|| Error::ModelMissing {
            name: DEFAULT.into(),
            hash: None,
            searched: vec![],
        })
    }

    /// Names and files of the models that are built into the program.
    pub fn embedded_files() -> &'static [(&'static str, &'static [u8])] {
        EMBEDDED
    }

    /// The model of this name among those that are built into the program: `standard` with the feature
    /// `embed-standard`, which is on by default, and `max` with the feature `embed-max`.
    ///
    /// # Errors
    /// [`Error::Model`] if it does not compute exactly on this machine.
    pub fn embedded_as(name: &str) -> Result<Option<Model>> {
        let found = EMBEDDED.iter().find(|(known, _)| *known == name);
        found.map(|(_, bytes)| Model::from_bytes(bytes)).transpose()
    }

    /// The network in the ONNX file `path`.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be read, [`Error::Model`] if it is not a model of plyzip.
    pub fn open(path: impl AsRef<Path>) -> Result<Model> {
        let path = path.as_ref();
        Model::from_bytes(&Model::read(path)?).map_err(|error| match error {
            Error::Model(what) => Error::Model(format!("{}: {what}", path.display())),
            other => other,
        })
    }

    /// The file of the model `name`, such as `standard@800x8`, made from `file`: the same networks with the effort of the
    /// search that the name says, nodes for a position and moves, or `@0` for neither a search nor a board network;
    /// `-board` behind an effort leaves the board network out. Its bytes depend on `file` and `name` alone.
    /// `plyzip::ModelStore::open` does this for models that it finds.
    ///
    /// # Errors
    /// [`Error::Usage`] if the name says no effort, [`Error::Model`] if `file` is no model that searches.
    pub fn file_with_effort(file: &[u8], name: &str) -> Result<Vec<u8>> {
        effort_in_file::with_effort(file, name)?.ok_or_else(|| {
            Error::Usage(format!("`{name}` is no model with an effort, as `standard@800x8` is"))
        })
    }

    /// The model's name and the effort of a name such as `standard@800x8`: `standard` and `800x8`; `None` if the name
    /// says no effort, or in another spelling than the shortest.
    pub fn split_name(name: &str) -> Option<(&str, &str)> {
        let (base, _) = effort_in_file::split_name(name)?;
        Some((base, &name[base.len() + 1..]))
    }

    /// The bytes of the file `path`, which may be a model's: at most 64 MiB.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be read, [`Error::Model`] if it is longer.
    pub fn read(path: impl AsRef<Path>) -> Result<Vec<u8>> {
        let path = path.as_ref();
        let named = |error: std::io::Error| {
            std::io::Error::new(error.kind(), format!("model {}: {error}", path.display()))
        };
        let length = std::fs::metadata(path).map_err(named)?.len();
        if length > Model::MAX_FILE {
            return Err(Error::Model(format!(
                "{} has over {} bytes",
                path.display(),
                Model::MAX_FILE
            )));
        }
        Ok(std::fs::read(path).map_err(named)?)
    }

    /// The network in the bytes of an ONNX file. While another model of the same bytes is there, it is that one.
    ///
    /// # Errors
    /// [`Error::Model`] if it is not a model of plyzip.
    pub fn from_bytes(bytes: &[u8]) -> Result<Model> {
        let hash = ModelHash::of(bytes);
        if let Some(parts) = open_models::find(hash) {
            return Ok(Model { parts });
        }
        let Model { parts } = Model::from_proto(onnx::decode(bytes)?, hash)?;
        Ok(Model { parts: open_models::keep(hash, parts) })
    }

    fn from_proto(mut proto: ModelProto, hash: ModelHash) -> Result<Model> {
        let property = |key: &str| {
            let found = proto.metadata_props.iter().find(|property| property.key == key);
            found.map(|property| property.value.clone()).ok_or_else(|| {
                Error::Model(format!("not a model of plyzip: the file has no `{key}`"))
            })
        };
        let (features, name, check) = (property(FEATURES)?, property(NAME)?, property(CHECK)?);
        let without = features.strip_suffix(WITH_BOARD);
        if without.unwrap_or(&features) != FEATURES_VERSION.to_string() {
            return Err(Error::Model(format!("unknown features version `{features}`")));
        }
        let board_policy = match without {
            Some(_) => Some(Arc::new(take_board_policy(&mut proto)?)),
            None => None,
        };
        let own = take_book(&mut proto, BOOK)?.map(Arc::new);
        let books = Books::new(own.into_iter().chain(named_book(&proto)?));
        let repertoires = take_book(&mut proto, REPERTOIRES)?.map(Arc::new);
        let search_model = take_search_model(&mut proto)?.map(Arc::new);
        let mixer_scales = match search_model {
            Some(_) => take_mixer_scales(&mut proto)?,
            None => None,
        };
        let network = Network::from_proto(proto, &check)?;
        let reranker = search_model.as_ref().and_then(|search| search.reranker.as_ref());
        let read = reranker.map_or(0, Reranker::vector);
        if read != 0 && read != network.vector() {
            return Err(Error::Model(format!(
                "`{RERANKER}` reads {read} numbers of a move, and the network has {}",
                network.vector()
            )));
        }
        let network = Some((Arc::new(network), hash));
        let parts =
            Parts { name, network, board_policy, search_model, mixer_scales, books, repertoires };
        Ok(Model { parts: Arc::new(parts) })
    }

    /// The model's name as archives record it; `none` without a network.
    pub fn name(&self) -> &str {
        &self.parts.name
    }

    /// The hash of its file; `None` without a network.
    pub fn hash(&self) -> Option<ModelHash> {
        self.parts.network.as_ref().map(|&(_, hash)| hash)
    }

    /// The search, if the model has one.
    pub(crate) fn search_model(&self) -> Option<&Arc<SearchModel>> {
        self.parts.search_model.as_ref()
    }

    /// The scales that the mixer begins with, if the model's file has them.
    pub(crate) fn mixer_scales(&self) -> Option<&MixerScales> {
        self.parts.mixer_scales.as_ref()
    }

    /// The network, unless the model has none.
    pub(crate) fn network(&self) -> Option<&Arc<Network>> {
        self.parts.network.as_ref().map(|(network, _)| network)
    }

    /// The board network and its weights, if the model's file has them.
    pub(crate) fn board_policy(&self) -> Option<&Arc<BoardPolicy>> {
        self.parts.board_policy.as_ref()
    }

    /// The opening books: the model's own, then the one that is built in, as far as it has them.
    pub(crate) fn books(&self) -> &Books {
        &self.parts.books
    }

    /// The repertoires of players, if the model has them.
    pub(crate) fn repertoires(&self) -> Option<&Arc<Book>> {
        self.parts.repertoires.as_ref()
    }
}
