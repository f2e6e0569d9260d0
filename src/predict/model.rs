//! A model by name, path or none at all.

use std::path::Path;
use std::sync::Arc;

use tract_onnx::pb::ModelProto;
use tract_onnx::pb::tensor_proto::DataType;
use tract_onnx::prelude::Framework;

use super::book::{self, Book};
use crate::analysis::{Effort, RERANKER_SIZE, Reranker, SEARCH_FEATURES, SearchModel};
use crate::engine::{NNUE_SIZES, Nnue};
use crate::features::FEATURES_VERSION;
use crate::network::{Network, take_numbers, take_tensor};
use crate::{Error, Result};

/// What predicts the moves of an archive.
#[derive(Debug, Clone)]
pub struct Model {
    name: String,
    network: Option<(Arc<Network>, blake3::Hash)>,
    search_model: Option<Arc<SearchModel>>,
    book: Option<Arc<Book>>,
    repertoires: Option<Arc<Book>>,
}

/// The models that are built in, the default first; their manifests stand beside them.
static EMBEDDED: &[(&str, &[u8])] = &[
    ("standard", include_bytes!("../../models/standard.onnx")),
    #[cfg(feature = "embed-max")]
    ("max", include_bytes!("../../models/max.onnx")),
];

/// The names of the tensors that hold the opening book, and the repertoires: a book by position and
/// player ([`Player::repertoire`](super::Player::repertoire)).
const BOOK: &str = "plyzip.book";
const REPERTOIRES: &str = "plyzip.repertoires";

/// The names of the metadata that ask for a search, and of the tensors with the network that values
/// its positions, with the weights of its verdicts and with the network of the second look, which a
/// model may lack.
const SEARCH: &str = "plyzip.search";
const VALUES: &str = "plyzip.values";
const VERDICTS: &str = "plyzip.verdicts";
const SECOND_LOOK: &str = "plyzip.second_look";

/// Largest model file that is read, in bytes.
const MAX_FILE: u64 = 64 << 20;

impl Model {
    /// No network: the deterministic heuristic predictor.
    pub fn none() -> Model {
        Model {
            name: "none".into(),
            network: None,
            search_model: None,
            book: None,
            repertoires: None,
        }
    }

    /// The default of the models that are built into the program, `standard`.
    ///
    /// # Errors
    /// [`Error::Model`] if it does not compute exactly on this machine.
    pub fn embedded() -> Result<Model> {
        Model::from_bytes(EMBEDDED[0].1)
    }

    /// Names and files of the models that are built into the program.
    pub(crate) fn embedded_files() -> &'static [(&'static str, &'static [u8])] {
        EMBEDDED
    }

    /// The model of this name among those that are built into the program: `standard`, and `max` with the
    /// feature `embed-max`.
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
    pub fn open(path: &Path) -> Result<Model> {
        let named = |error: std::io::Error| {
            std::io::Error::new(error.kind(), format!("model {}: {error}", path.display()))
        };
        let length = std::fs::metadata(path).map_err(named)?.len();
        if length > MAX_FILE {
            return Err(Error::Model(format!("{} has over {MAX_FILE} bytes", path.display())));
        }
        Model::from_bytes(&std::fs::read(path).map_err(named)?).map_err(|error| match error {
            Error::Model(what) => Error::Model(format!("{}: {what}", path.display())),
            other => other,
        })
    }

    /// The network in the bytes of an ONNX file.
    ///
    /// # Errors
    /// [`Error::Model`] if it is not a model of plyzip.
    pub fn from_bytes(bytes: &[u8]) -> Result<Model> {
        let proto = tract_onnx::onnx()
            .proto_model_for_read(&mut &bytes[..])
            .map_err(|error| Error::Model(format!("not an ONNX file: {error}")))?;
        Model::from_proto(proto, blake3::hash(bytes))
    }

    fn from_proto(mut proto: ModelProto, hash: blake3::Hash) -> Result<Model> {
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
        let book = take_book(&mut proto, BOOK)?.map(Arc::new);
        let repertoires = take_book(&mut proto, REPERTOIRES)?.map(Arc::new);
        let search_model = take_search_model(&mut proto)?.map(Arc::new);
        let network = Network::from_proto(proto, &check)?;
        Ok(Model {
            name,
            network: Some((Arc::new(network), hash)),
            search_model,
            book,
            repertoires,
        })
    }

    /// The model's name as archives record it; `none` for the heuristic predictor.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// BLAKE3 of the network; `None` for the heuristic predictor.
    pub fn hash(&self) -> Option<blake3::Hash> {
        self.network.as_ref().map(|&(_, hash)| hash)
    }

    /// The search, if the model has one.
    pub(crate) fn search_model(&self) -> Option<&Arc<SearchModel>> {
        self.search_model.as_ref()
    }

    /// The network, unless the model has none.
    pub(crate) fn network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref().map(|(network, _)| network)
    }

    /// The opening book, if the model has one.
    pub(crate) fn book(&self) -> Option<&Arc<Book>> {
        self.book.as_ref()
    }

    /// What players play, if the model knows.
    pub(crate) fn repertoires(&self) -> Option<&Arc<Book>> {
        self.repertoires.as_ref()
    }
}

/// Takes what the search needs out of the graph. There is none in a model without `plyzip.search`
/// among its metadata.
///
/// # Errors
/// [`Error::Model`] if it is not what it should be.
fn take_search_model(proto: &mut ModelProto) -> Result<Option<SearchModel>> {
    let searches = proto.metadata_props.iter().find(|property| property.key == SEARCH);
    let Some(searches) = searches else { return Ok(None) };
    let effort = Effort::parse(&searches.value)
        .ok_or_else(|| Error::Model(format!("`{SEARCH}` is no effort of a search")))?;
    let too_large = |name: &str| Error::Model(format!("`{name}` has numbers that are too large"));
    let lacks = |name: &str| Error::Model(format!("a model that searches and has no `{name}`"));
    let weights =
        take_numbers(proto, VERDICTS, &[SEARCH_FEATURES])?.ok_or_else(|| lacks(VERDICTS))?;
    let values = take_numbers(proto, VALUES, &NNUE_SIZES)?.ok_or_else(|| lacks(VALUES))?;
    let values = Nnue::new(&values).ok_or_else(|| too_large(VALUES))?;
    let reranker = take_numbers(proto, SECOND_LOOK, &[RERANKER_SIZE])?
        .map(|numbers| Reranker::new(numbers).ok_or_else(|| too_large(SECOND_LOOK)))
        .transpose()?;
    Ok(Some(SearchModel { effort, nnue: Arc::new(values), weights, reranker }))
}

/// Takes a book, a tensor of bytes that no node uses, out of the graph.
///
/// # Errors
/// [`Error::Model`] if there is one of this name that is no book.
fn take_book(proto: &mut ModelProto, name: &str) -> Result<Option<Book>> {
    let Some(tensor) = take_tensor(proto, name) else { return Ok(None) };
    let size = tensor.raw_data.len();
    if tensor.data_type != DataType::Uint8 as i32
        || tensor.dims[..] != [size as i64]
        || size > book::MAX_SIZE
    {
        return Err(Error::Model(format!("`{name}` is not a vector of bytes")));
    }
    Book::from_bytes(tensor.raw_data).map(Some)
}

/// Tests, and models for the tests of others.
#[cfg(test)]
pub mod tests {
    use tract_onnx::pb::TensorProto;

    use super::super::book::write_book;
    use super::*;
    use crate::network::LONG;

    /// The embedded network with this tensor for a book, or without a book.
    pub fn model_with(book: Option<TensorProto>) -> Result<Model> {
        let mut proto = tract_onnx::onnx().proto_model_for_read(&mut &*EMBEDDED[0].1).unwrap();
        let initializers = &mut proto.graph.as_mut().unwrap().initializer;
        initializers.retain(|tensor| tensor.name != BOOK);
        initializers.extend(book);
        Model::from_proto(proto, blake3::hash(b"test"))
    }

    /// The bytes of a book as a tensor.
    pub fn tensor(bytes: Vec<u8>) -> TensorProto {
        TensorProto {
            name: BOOK.into(),
            dims: vec![bytes.len() as i64],
            data_type: DataType::Uint8 as i32,
            raw_data: bytes,
            ..TensorProto::default()
        }
    }

    #[test]
    fn what_is_no_book_is_refused() {
        let good = tensor(write_book(vec![]));
        let refused = |book: TensorProto| matches!(model_with(Some(book)), Err(Error::Model(_)));
        assert!(model_with(Some(good.clone())).is_ok());
        assert!(refused(tensor(vec![])));
        assert!(refused(tensor(vec![1; 1000])));
        assert!(refused(tensor(vec![0; book::MAX_SIZE + 1])));
        assert!(refused(TensorProto { dims: vec![i64::MAX], ..good.clone() }));
        assert!(refused(TensorProto { data_type: DataType::Int8 as i32, ..good.clone() }));
        assert!(refused(TensorProto { name: REPERTOIRES.into(), ..tensor(vec![1; 1000]) }));
        // By another name it is a constant that nobody uses.
        let model = model_with(Some(TensorProto { name: "plyzip.books".into(), ..good }));
        assert!(model.unwrap().book().is_none());
    }

    #[test]
    fn damaged_searches_are_refused() {
        let with = |effort: &str, tensors: &[TensorProto]| {
            let mut proto = tract_onnx::onnx().proto_model_for_read(&mut &*EMBEDDED[0].1).unwrap();
            let initializers = &mut proto.graph.as_mut().unwrap().initializer;
            let replaced = [VERDICTS, VALUES, SECOND_LOOK];
            initializers.retain(|tensor| !replaced.contains(&&*tensor.name));
            initializers.extend_from_slice(tensors);
            for property in &mut proto.metadata_props {
                if property.key == SEARCH {
                    property.value = effort.into();
                }
            }
            Model::from_proto(proto, blake3::hash(b"test"))
        };
        let weights =
            |count: usize| TensorProto { name: VERDICTS.into(), ..tensor(vec![0; count]) };
        let values = |bytes: Vec<u8>| TensorProto { name: VALUES.into(), ..tensor(bytes) };
        const NNUE_SIZE: usize = NNUE_SIZES[0];
        let small = |count: usize| values(vec![0xff; count]);
        let ending = |end: &[u8]| values([&vec![1; NNUE_SIZE - 1][..], end].concat());
        let large = values([&[LONG, 0, 0x7f], &vec![1; NNUE_SIZE - 1][..]].concat());
        let verdicts = weights(SEARCH_FEATURES);
        let second = |bytes: Vec<u8>| TensorProto { name: SECOND_LOOK.into(), ..tensor(bytes) };
        for good in [small(NNUE_SIZE), ending(&[LONG, 100, 0]), small(NNUE_SIZES[1])] {
            assert!(with("100 4", &[verdicts.clone(), good.clone()]).is_ok());
            let second = second(vec![1; RERANKER_SIZE]);
            assert!(with("100 4 30", &[verdicts.clone(), good, second]).is_ok());
        }
        let largest = second([LONG, 0xff, 0x7f].repeat(RERANKER_SIZE));
        for damaged in [second(vec![1; RERANKER_SIZE - 1]), second(vec![]), largest] {
            let tensors = [verdicts.clone(), small(NNUE_SIZE), damaged];
            assert!(matches!(with("100 4", &tensors), Err(Error::Model(_))));
        }
        for (effort, tensors) in [
            ("100 4 few", vec![verdicts.clone(), small(NNUE_SIZE)]),
            ("many", vec![verdicts.clone(), small(NNUE_SIZE)]),
            ("99999999999 4", vec![verdicts.clone(), small(NNUE_SIZE)]),
            ("100 4", vec![weights(SEARCH_FEATURES - 1), small(NNUE_SIZE)]),
            ("100 4", vec![small(NNUE_SIZE)]),
            ("100 4", vec![verdicts.clone()]),
            ("100 4", vec![verdicts.clone(), small(NNUE_SIZE + 1)]),
            ("100 4", vec![verdicts.clone(), small(NNUE_SIZE - 1)]),
            ("100 4", vec![verdicts.clone(), small(4 * NNUE_SIZE)]),
            ("100 4", vec![verdicts.clone(), small(NNUE_SIZES[1] + 1)]),
            // Cut off within a number, and one that is too large.
            ("100 4", vec![verdicts.clone(), ending(&[LONG, 1])]),
            ("100 4", vec![verdicts.clone(), ending(&[LONG])]),
            ("100 4", vec![verdicts.clone(), large]),
        ] {
            assert!(matches!(with(effort, &tensors), Err(Error::Model(_))));
        }
    }
}
