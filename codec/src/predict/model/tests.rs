//! Tests of model files, and models for the tests of others.

use shakmaty::{Chess, Position as _};

use super::super::book::{self, Entry, Position, write_book};
use super::tensors::{
    BOARD, BOARD_WEIGHTS, BOOK, BUILT_IN_BOOK, MIXER_SCALES, NNUE, REPERTOIRES, RERANKER, SEARCH,
    SEARCH_FEATURE_WEIGHTS,
};
use super::*;
use crate::analysis::{MAX_RERANKER_SIZE, RERANKER_HEADER, SEARCH_FEATURES};
use crate::board_network::{Sizes, sample};
use crate::chess::position_key;
use crate::engine::NNUE_SIZES;
use crate::network::LONG_NUMBER;
use crate::network::onnx::{DataType, StringStringEntryProto, TensorProto};
use crate::{GameCodec, GameHeader};

/// The embedded network with this tensor for a book, or without a book.
pub fn model_with(book: Option<TensorProto>) -> Result<Model> {
    let mut proto = onnx::decode(EMBEDDED[0].1).unwrap();
    let initializers = &mut proto.graph.as_mut().unwrap().initializer;
    initializers.retain(|tensor| tensor.name != BOOK);
    initializers.extend(book);
    proto.metadata_props.retain(|property| property.key != BUILT_IN_BOOK);
    Model::from_proto(proto, ModelHash::of(b"test"))
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
    assert!(model.unwrap().books().is_empty());
}

#[test]
fn a_model_names_the_book_that_is_built_in() {
    let named = |hash: &str, own: Option<TensorProto>| {
        let mut proto = onnx::decode(EMBEDDED[0].1).unwrap();
        let initializers = &mut proto.graph.as_mut().unwrap().initializer;
        initializers.retain(|tensor| tensor.name != BOOK);
        initializers.extend(own);
        let properties = &mut proto.metadata_props;
        properties.retain(|property| property.key != BUILT_IN_BOOK);
        let (key, value) = (BUILT_IN_BOOK.into(), hash.into());
        properties.push(StringStringEntryProto { key, value });
        Model::from_proto(proto, ModelHash::of(b"test"))
    };
    let hash = book::built_in_hash().to_hex();
    let start = position_key(&Chess::default());
    let built_in = Book::built_in();
    let moves = |entry: Option<Entry>| entry.unwrap().moves().collect::<Vec<_>>();
    let model = named(&hash, None).unwrap();
    assert_eq!(moves(model.books().find(start)), moves(built_in.find(start)));
    assert!(model.books().find(1).is_none());
    // A book of the model's own is asked first.
    let position = |key, index| Position { key, moves: vec![(index, 16)], rest: 0 };
    let own = |key| tensor(write_book(vec![position(key, 3)]));
    let model = named(&hash, Some(own(1))).unwrap();
    assert_eq!(moves(model.books().find(start)), moves(built_in.find(start)));
    assert_eq!(moves(model.books().find(1)), [(3, 4)]);
    let model = named(&hash, Some(own(start))).unwrap();
    assert_eq!(moves(model.books().find(start)), [(3, 4)]);
    for other in ["", "built in", blake3::hash(b"another book").to_hex().as_str()] {
        assert!(matches!(named(other, None), Err(Error::Model(_))), "{other}");
        assert!(matches!(named(other, Some(own(1))), Err(Error::Model(_))), "{other}");
    }
    assert!(!Model::embedded().unwrap().books().is_empty());
}

#[test]
fn damaged_searches_are_refused() {
    let with = |effort: &str, tensors: &[TensorProto]| {
        let mut proto = onnx::decode(EMBEDDED[0].1).unwrap();
        let initializers = &mut proto.graph.as_mut().unwrap().initializer;
        let replaced = [SEARCH_FEATURE_WEIGHTS, NNUE, RERANKER];
        initializers.retain(|tensor| !replaced.contains(&&*tensor.name));
        initializers.extend_from_slice(tensors);
        for property in &mut proto.metadata_props {
            if property.key == SEARCH {
                property.value = effort.into();
            }
        }
        Model::from_proto(proto, ModelHash::of(b"test"))
    };
    let weights = |count: usize| TensorProto {
        name: SEARCH_FEATURE_WEIGHTS.into(),
        ..tensor(vec![0; count])
    };
    let values = |bytes: Vec<u8>| TensorProto { name: NNUE.into(), ..tensor(bytes) };
    const NNUE_SIZE: usize = NNUE_SIZES[0];
    const FIRST_FORM: usize = 308_161;
    let small = |count: usize| values(vec![0xff; count]);
    let ending = |end: &[u8]| values([&vec![1; NNUE_SIZE - 1][..], end].concat());
    let large = values([&[LONG_NUMBER, 0, 0x7f], &vec![1; NNUE_SIZE - 1][..]].concat());
    let weights_of_search = weights(SEARCH_FEATURES);
    let second = |bytes: Vec<u8>| TensorProto { name: RERANKER.into(), ..tensor(bytes) };
    for good in [small(NNUE_SIZE), ending(&[LONG_NUMBER, 100, 0]), small(NNUE_SIZES[1])] {
        assert!(with("100 4", &[weights_of_search.clone(), good.clone()]).is_ok());
        let second = second(vec![1; FIRST_FORM]);
        assert!(with("100 4 30", &[weights_of_search.clone(), good, second]).is_ok());
    }
    // The second form: its header, the width of vectors, and as many numbers as that says.
    let headed = |vector: u8, numbers: Vec<u8>| {
        let long = |number: i16| [&[LONG_NUMBER][..], &number.to_le_bytes()].concat();
        let header = RERANKER_HEADER.map(long).concat();
        second([header, vec![vector], numbers].concat())
    };
    const SECOND_FORM: usize = MAX_RERANKER_SIZE - 3 - 512 * 96;
    for (vector, good) in [(0, true), (1, false)] {
        // This network has vectors of another width than 1.
        let numbers = vec![1; SECOND_FORM + usize::from(vector) * 96];
        let tensors = [weights_of_search.clone(), small(NNUE_SIZE), headed(vector, numbers)];
        assert_eq!(with("100 4", &tensors).is_ok(), good, "{vector}");
    }
    let largest = second([LONG_NUMBER, 0xff, 0x7f].repeat(FIRST_FORM));
    for damaged in [
        second(vec![1; FIRST_FORM - 1]),
        second(vec![]),
        largest,
        headed(0, vec![1; SECOND_FORM - 1]),
        headed(0, vec![]),
        headed(0xff, vec![1; SECOND_FORM]),
        headed(0, [LONG_NUMBER, 0xff, 0x7f].repeat(SECOND_FORM)),
        second(vec![LONG_NUMBER, 0, 0x80]),
    ] {
        let tensors = [weights_of_search.clone(), small(NNUE_SIZE), damaged];
        assert!(matches!(with("100 4", &tensors), Err(Error::Model(_))));
    }
    for (effort, tensors) in [
        ("100 4 few", vec![weights_of_search.clone(), small(NNUE_SIZE)]),
        ("many", vec![weights_of_search.clone(), small(NNUE_SIZE)]),
        ("99999999999 4", vec![weights_of_search.clone(), small(NNUE_SIZE)]),
        ("100 4", vec![weights(SEARCH_FEATURES - 1), small(NNUE_SIZE)]),
        ("100 4", vec![small(NNUE_SIZE)]),
        ("100 4", vec![weights_of_search.clone()]),
        ("100 4", vec![weights_of_search.clone(), small(NNUE_SIZE + 1)]),
        ("100 4", vec![weights_of_search.clone(), small(NNUE_SIZE - 1)]),
        ("100 4", vec![weights_of_search.clone(), small(4 * NNUE_SIZE)]),
        ("100 4", vec![weights_of_search.clone(), small(NNUE_SIZES[1] + 1)]),
        // Cut off within a number, and one that is too large.
        ("100 4", vec![weights_of_search.clone(), ending(&[LONG_NUMBER, 1])]),
        ("100 4", vec![weights_of_search.clone(), ending(&[LONG_NUMBER])]),
        ("100 4", vec![weights_of_search.clone(), large]),
    ] {
        assert!(matches!(with(effort, &tensors), Err(Error::Model(_))));
    }
}

#[test]
fn scales_of_the_mixer_are_those_of_the_file() {
    let with = |searches: bool, scales: Option<Vec<u8>>| {
        let mut proto = onnx::decode(EMBEDDED[0].1).unwrap();
        let initializers = &mut proto.graph.as_mut().unwrap().initializer;
        initializers.retain(|tensor| tensor.name != MIXER_SCALES);
        initializers
            .extend(scales.map(|bytes| TensorProto { name: MIXER_SCALES.into(), ..tensor(bytes) }));
        proto.metadata_props.retain(|property| searches || property.key != SEARCH);
        Model::from_proto(proto, ModelHash::of(b"test"))
    };
    const COUNT: usize = MixerScales::COUNT;
    let scales = |model: Result<Model>| model.unwrap().mixer_scales().cloned();
    assert_eq!(scales(with(true, None)), None);
    let mut expected = MixerScales::usual(true, true);
    expected.iter_mut().for_each(|scale| *scale = 3 << 8);
    assert_eq!(scales(with(true, Some(vec![3; COUNT]))), Some(expected.clone()));
    let long = [&[LONG_NUMBER, 0, 0x40][..], &[3; COUNT - 1]].concat();
    expected.reranker[0] = 4 << 20;
    assert_eq!(scales(with(true, Some(long))), Some(expected));
    let too_large = [&[LONG_NUMBER, 1, 0x40][..], &[3; COUNT - 1]].concat();
    for damaged in [vec![3; COUNT - 1], vec![3; COUNT + 1], vec![], too_large] {
        assert!(matches!(with(true, Some(damaged.clone())), Err(Error::Model(_))));
        // Without a search nobody reads them.
        assert_eq!(scales(with(false, Some(damaged))), None);
    }
}

/// The embedded model with these tensors in place of its board network, and this version of features.
fn with_board(tensors: &[(&str, Vec<u8>)], version: &str) -> Result<Model> {
    let mut proto = onnx::decode(EMBEDDED[0].1).unwrap();
    let named = tensors.iter().cloned();
    let named = named.map(|(name, bytes)| TensorProto { name: name.into(), ..tensor(bytes) });
    let initializers = &mut proto.graph.as_mut().unwrap().initializer;
    initializers.retain(|tensor| ![BOARD, BOARD_WEIGHTS].contains(&&*tensor.name));
    initializers.extend(named);
    for property in &mut proto.metadata_props {
        if property.key == FEATURES {
            property.value = version.into();
        }
    }
    proto.metadata_props.retain(|property| property.key != SEARCH);
    Model::from_proto(proto, ModelHash::of(b"test"))
}

#[test]
fn a_board_network_comes_with_its_weights_and_is_named_by_the_version() {
    let network = sample(&Sizes::TINY, 1);
    let weights = vec![5; BoardPolicy::WEIGHTS];
    let both = [(BOARD, network.clone()), (BOARD_WEIGHTS, weights.clone())];
    assert!(with_board(&both, "8 board").unwrap().board_policy().is_some());
    assert!(with_board(&[], "8").unwrap().board_policy().is_none());
    let refused = |tensors: &[(&str, Vec<u8>)], version: &str| {
        matches!(with_board(tensors, version), Err(Error::Model(_)))
    };
    assert!(
        with_board(&both, "8").unwrap().board_policy().is_none(),
        "as programs of before read it"
    );
    assert!(refused(&both, "8 boards") && refused(&both, "7 board") && refused(&both, " board"));
    assert!(refused(&[], "8 board"));
    assert!(refused(&both[..1], "8 board"));
    assert!(refused(&both[1..], "8 board"));
    let other = |network: Vec<u8>, weights: Vec<u8>| [(BOARD, network), (BOARD_WEIGHTS, weights)];
    assert!(refused(&other(network[..5000].to_vec(), weights.clone()), "8 board"));
    assert!(refused(&other(vec![], weights.clone()), "8 board"));
    assert!(refused(&other(network.clone(), weights[1..].to_vec()), "8 board"));
    let large = [&[LONG_NUMBER, 1, 0x40][..], &weights[1..]].concat();
    assert!(refused(&other(network, large), "8 board"));
}

#[test]
fn a_board_network_decides_as_much_as_it_weighs() {
    let header = GameHeader::default();
    let mut position = Chess::default();
    let mut moves = vec![];
    for ply in 0..60 {
        let legal = crate::chess::legal_moves(&position);
        moves.push(legal[ply * 5 % legal.len()]);
        position.play_unchecked(moves[ply]);
    }
    let coded = |tensors: &[(&str, Vec<u8>)], version: &str| {
        let codec = GameCodec::new(with_board(tensors, version).unwrap());
        let bytes = codec.encode(&header, &moves).unwrap();
        assert_eq!(codec.decode(&header, &bytes).unwrap(), moves);
        bytes
    };
    let weighted = |weights: [u8; 5]| {
        let long = weights.repeat(4).into_iter().flat_map(|weight| [LONG_NUMBER, 0, weight]);
        coded(&[(BOARD, sample(&Sizes::TINY, 1)), (BOARD_WEIGHTS, long.collect())], "8 board")
    };
    // A weight of 1 is 0x1000.
    let alone = coded(&[], "8");
    assert_eq!(weighted([0x10, 0, 0, 0x10, 0]), alone);
    assert_ne!(weighted([0x10, 0x08, 0, 0x10, 0]), alone);
    assert_ne!(weighted([0x10, 0, 0x08, 0x10, 0]), alone);
    assert_ne!(weighted([0, 0x10, 0, 0, 0x10]), alone);
}

#[test]
fn models_of_the_same_bytes_share_their_parts_while_one_is_there() {
    // Behind the file's end stands a field that nobody reads: a hash that no other test has.
    let mut bytes = EMBEDDED[0].1.to_vec();
    bytes.extend(b"\xfa\x7f\x04test");
    let open = || Model::from_bytes(&bytes).unwrap();
    let one = open();
    let other = std::thread::scope(|scope| scope.spawn(open).join().unwrap());
    assert!(Arc::ptr_eq(&one.parts, &other.parts));
    assert!(!Arc::ptr_eq(&one.parts, &Model::embedded().unwrap().parts));
    let parts = Arc::downgrade(&one.parts);
    drop((one, other));
    assert!(parts.upgrade().is_none(), "memory is freed with the last one");
    assert_eq!(open().hash(), Some(ModelHash::of(&bytes)));
}
