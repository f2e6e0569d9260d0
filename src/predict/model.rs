//! A model by name, path or none at all.

use std::path::Path;
use std::sync::Arc;

use tract_onnx::pb::tensor_proto::DataType;
use tract_onnx::pb::{ModelProto, TensorProto};
use tract_onnx::prelude::Framework;

use super::book::{self, Book};
use super::features::FEATURES_VERSION;
use super::findings::Effort;
use super::neural::Network;
use super::second_look::{SECOND_LOOK_SIZE, SecondLook};
use super::values::{VALUES_SIZES, Values};
use super::verdict::{Expert, VERDICT_FEATURES};
use crate::{Error, Result};

/// What predicts the moves of an archive.
#[derive(Debug, Clone)]
pub struct Model {
    name: String,
    network: Option<(Arc<Network>, blake3::Hash)>,
    expert: Option<Arc<Expert>>,
    book: Option<Arc<Book>>,
    repertoires: Option<Arc<Book>>,
}

/// The models that are built in, the default first; their manifests stand beside them.
static EMBEDDED: &[(&str, &[u8])] = &[
    ("standard", include_bytes!("../../models/standard.onnx")),
    #[cfg(feature = "embed-max")]
    ("max", include_bytes!("../../models/max.onnx")),
];

/// The names of the tensors that hold the opening book, and the repertoires: a book by position and player
/// ([`Player::repertoire`](super::Player::repertoire)).
const BOOK: &str = "plyzip.book";
const REPERTOIRES: &str = "plyzip.repertoires";

/// The names of the metadata that ask for a search, and of the tensors with the network that values
/// its positions, with the weights of its verdicts and with the network of the second look, which a model may lack.
const SEARCH: &str = "plyzip.search";
const VALUES: &str = "plyzip.values";
const VERDICTS: &str = "plyzip.verdicts";
const SECOND_LOOK: &str = "plyzip.second_look";

/// Largest model file that is read, in bytes.
const MAX_FILE: u64 = 64 << 20;

impl Model {
    /// No network: the deterministic heuristic predictor.
    pub fn none() -> Model {
        Model { name: "none".into(), network: None, expert: None, book: None, repertoires: None }
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
        let expert = take_expert(&mut proto)?.map(Arc::new);
        let network = Network::from_proto(proto, &check)?;
        Ok(Model { name, network: Some((Arc::new(network), hash)), expert, book, repertoires })
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
    pub(crate) fn expert(&self) -> Option<&Arc<Expert>> {
        self.expert.as_ref()
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

/// Takes a tensor out of the graph.
fn take_tensor(proto: &mut ModelProto, name: &str) -> Option<TensorProto> {
    let initializers = &mut proto.graph.as_mut()?.initializer;
    let place = initializers.iter().position(|tensor| tensor.name == name)?;
    Some(initializers.remove(place))
}

/// A byte that says that a number of two bytes follows.
const LONG: u8 = 0x80;

/// Takes a vector of as many numbers as one of `counts` says, a tensor of bytes that no node uses, out of the graph: a number from
/// -127 to 127 is one byte, any other two, little-endian, after [`LONG`].
///
/// # Errors
/// [`Error::Model`] if there is one of this name that is no such vector.
fn take_numbers(proto: &mut ModelProto, name: &str, counts: &[usize]) -> Result<Option<Vec<i16>>> {
    let most = counts.iter().copied().max().unwrap_or(0);
    let Some(tensor) = take_tensor(proto, name) else { return Ok(None) };
    let refuse = || {
        let counts: Vec<String> = counts.iter().map(usize::to_string).collect();
        Error::Model(format!("`{name}` is not a vector of {} numbers", counts.join(" or ")))
    };
    let size = tensor.raw_data.len();
    if tensor.data_type != DataType::Uint8 as i32
        || tensor.dims[..] != [size as i64]
        || size > 3 * most
    {
        return Err(refuse());
    }
    let mut numbers = Vec::with_capacity(size.min(most));
    let mut bytes = &tensor.raw_data[..];
    while let Some((&byte, rest)) = bytes.split_first() {
        bytes = rest;
        if byte == LONG {
            let (number, rest) = bytes.split_first_chunk().ok_or_else(refuse)?;
            numbers.push(i16::from_le_bytes(*number));
            bytes = rest;
        } else {
            numbers.push(i16::from(byte as i8));
        }
    }
    if counts.contains(&numbers.len()) { Ok(Some(numbers)) } else { Err(refuse()) }
}

/// Takes what the search needs out of the graph. There is none in a model without `plyzip.search`
/// among its metadata.
///
/// # Errors
/// [`Error::Model`] if it is not what it should be.
fn take_expert(proto: &mut ModelProto) -> Result<Option<Expert>> {
    let searches = proto.metadata_props.iter().find(|property| property.key == SEARCH);
    let Some(searches) = searches else { return Ok(None) };
    let effort = Effort::parse(&searches.value)
        .ok_or_else(|| Error::Model(format!("`{SEARCH}` is no effort of a search")))?;
    let too_large = |name: &str| Error::Model(format!("`{name}` has numbers that are too large"));
    let lacks = |name: &str| Error::Model(format!("a model that searches and has no `{name}`"));
    let weights =
        take_numbers(proto, VERDICTS, &[VERDICT_FEATURES])?.ok_or_else(|| lacks(VERDICTS))?;
    let values = take_numbers(proto, VALUES, &VALUES_SIZES)?.ok_or_else(|| lacks(VALUES))?;
    let values = Values::new(&values).ok_or_else(|| too_large(VALUES))?;
    let second_look = take_numbers(proto, SECOND_LOOK, &[SECOND_LOOK_SIZE])?
        .map(|numbers| SecondLook::new(numbers).ok_or_else(|| too_large(SECOND_LOOK)))
        .transpose()?;
    Ok(Some(Expert { effort, values: Arc::new(values), weights, second_look }))
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

/// The file of the default model without what the network does not need.
#[cfg(test)]
pub(super) fn embedded_network() -> ModelProto {
    let mut proto = tract_onnx::onnx().proto_model_for_read(&mut &*EMBEDDED[0].1).unwrap();
    take_book(&mut proto, BOOK).unwrap();
    take_expert(&mut proto).unwrap();
    proto
}

#[cfg(test)]
mod tests {
    use shakmaty::{Chess, Move, Position as _};

    use super::super::book::{Position, write_book};
    use super::super::{Player, Predictor, legal_moves, position_key};
    use super::*;
    use crate::entropy::{Decoder, Encoder};
    use crate::streams::moves::{LineJob, code};
    use crate::{GameCodec, GameContext};

    /// The embedded network with this tensor for a book, or without a book.
    fn model_with(book: Option<TensorProto>) -> Result<Model> {
        let mut proto = tract_onnx::onnx().proto_model_for_read(&mut &*EMBEDDED[0].1).unwrap();
        let initializers = &mut proto.graph.as_mut().unwrap().initializer;
        initializers.retain(|tensor| tensor.name != BOOK);
        initializers.extend(book);
        Model::from_proto(proto, blake3::hash(b"test"))
    }

    fn tensor(bytes: Vec<u8>) -> TensorProto {
        TensorProto {
            name: BOOK.into(),
            dims: vec![bytes.len() as i64],
            data_type: DataType::Uint8 as i32,
            raw_data: bytes,
            ..TensorProto::default()
        }
    }

    #[test]
    fn a_book_makes_its_games_shorter() {
        // a game of the least likely sort, and a book that has it
        let (mut position, mut moves, mut known) = (Chess::default(), vec![], vec![]);
        for ply in 0..40 {
            let legal = legal_moves(&position);
            let place = ply * 7 % legal.len();
            let beyond = if ply % 3 == 0 { 255 } else { u8::from(place == 0) };
            known.push(Position {
                key: position_key(&position),
                moves: vec![(place as u8, 160), (beyond, 40)],
                rest: 16 * (ply as u32 % 2),
            });
            moves.push(legal[place]);
            position.play_unchecked(legal[place]);
        }
        let context = GameContext::default();
        let sizes = [None, Some(tensor(write_book(known)))].map(|book| {
            let codec = GameCodec::new(model_with(book).unwrap());
            let bytes = codec.encode(&Chess::default(), &moves, &context).unwrap();
            assert_eq!(codec.decode(&Chess::default(), &bytes, &context).unwrap(), moves);
            bytes.len()
        });
        assert!(sizes[1] * 3 < sizes[0], "{sizes:?}");
    }

    #[test]
    fn a_book_of_moves_that_do_not_exist_changes_nothing() {
        // as if another position had the same key
        let start = Chess::default();
        let key = position_key(&start);
        let book = write_book(vec![Position { key, moves: vec![(63, 160), (20, 16)], rest: 0 }]);
        let moves = [legal_moves(&start)[3]];
        let context = GameContext::default();
        let [with, without] = [Some(tensor(book)), None].map(|book| {
            GameCodec::new(model_with(book).unwrap()).encode(&start, &moves, &context).unwrap()
        });
        assert_eq!(with, without);
    }

    #[test]
    fn a_repertoire_makes_the_games_of_its_player_shorter() {
        // White plays what is unlikely, and is known for it.
        let champion = Player::named(b"Champion,A");
        let (mut position, mut moves, mut known) = (Chess::default(), vec![], vec![]);
        for ply in 0..40 {
            let legal = legal_moves(&position);
            let place = ply * 7 % legal.len();
            if ply % 2 == 0 {
                known.push(Position {
                    key: position_key(&position) ^ champion.repertoire().unwrap(),
                    moves: vec![(place as u8, 160)],
                    rest: 0,
                });
            }
            moves.push(legal[place]);
            position.play_unchecked(legal[place]);
        }
        let repertoires = TensorProto { name: REPERTOIRES.into(), ..tensor(write_book(known)) };
        let model = model_with(Some(repertoires)).unwrap();
        let other = Player::named(b"Other,A");
        let [whites, blacks, nobodys] =
            [[champion, other], [other, champion], [Player::default(); 2]].map(|players| {
                let context = GameContext::default();
                let job = |moves: &[Move]| {
                    LineJob::new(Chess::default(), context, players, moves.to_vec())
                };
                let (mut encoder, mut jobs) = (Encoder::new(), [job(&moves)]);
                code(&mut encoder, &mut Predictor::new(&model), &mut jobs, 0).unwrap();
                let bytes = encoder.finish();
                let mut decoder = Decoder::new(&bytes);
                let mut jobs = [job(&[])];
                code(&mut decoder, &mut Predictor::new(&model), &mut jobs, moves.len()).unwrap();
                assert_eq!(jobs[0].moves, moves);
                bytes.len()
            });
        assert!(whites * 3 < nobodys * 2, "{whites} {nobodys}");
        assert_eq!(blacks, nobodys);
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
        const VALUES_SIZE: usize = VALUES_SIZES[0];
        let small = |count: usize| values(vec![0xff; count]);
        let ending = |end: &[u8]| values([&vec![1; VALUES_SIZE - 1][..], end].concat());
        let large = values([&[LONG, 0, 0x7f], &vec![1; VALUES_SIZE - 1][..]].concat());
        let verdicts = weights(VERDICT_FEATURES);
        let second = |bytes: Vec<u8>| TensorProto { name: SECOND_LOOK.into(), ..tensor(bytes) };
        for good in [small(VALUES_SIZE), ending(&[LONG, 100, 0]), small(VALUES_SIZES[1])] {
            assert!(with("100 4", &[verdicts.clone(), good.clone()]).is_ok());
            let second = second(vec![1; SECOND_LOOK_SIZE]);
            assert!(with("100 4 30", &[verdicts.clone(), good, second]).is_ok());
        }
        let largest = second([LONG, 0xff, 0x7f].repeat(SECOND_LOOK_SIZE));
        for damaged in [second(vec![1; SECOND_LOOK_SIZE - 1]), second(vec![]), largest] {
            let tensors = [verdicts.clone(), small(VALUES_SIZE), damaged];
            assert!(matches!(with("100 4", &tensors), Err(Error::Model(_))));
        }
        for (effort, tensors) in [
            ("100 4 few", vec![verdicts.clone(), small(VALUES_SIZE)]),
            ("many", vec![verdicts.clone(), small(VALUES_SIZE)]),
            ("99999999999 4", vec![verdicts.clone(), small(VALUES_SIZE)]),
            ("100 4", vec![weights(VERDICT_FEATURES - 1), small(VALUES_SIZE)]),
            ("100 4", vec![small(VALUES_SIZE)]),
            ("100 4", vec![verdicts.clone()]),
            ("100 4", vec![verdicts.clone(), small(VALUES_SIZE + 1)]),
            ("100 4", vec![verdicts.clone(), small(VALUES_SIZE - 1)]),
            ("100 4", vec![verdicts.clone(), small(4 * VALUES_SIZE)]),
            ("100 4", vec![verdicts.clone(), small(VALUES_SIZES[1] + 1)]),
            // Cut off within a number, and one that is too large.
            ("100 4", vec![verdicts.clone(), ending(&[LONG, 1])]),
            ("100 4", vec![verdicts.clone(), ending(&[LONG])]),
            ("100 4", vec![verdicts.clone(), large]),
        ] {
            assert!(matches!(with(effort, &tensors), Err(Error::Model(_))));
        }
    }
}
