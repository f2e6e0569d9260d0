//! What a network says depends on the position and its file alone, and files that are none are refused.

use prost::Message;
use shakmaty::{CastlingMode, Chess, fen::Fen};

use super::*;
use crate::Error;
use crate::chess::{History, legal_moves};
use crate::features::GameContext;
use crate::network::onnx::{ModelProto, TensorProto};
use crate::split_mix::SplitMix;

/// The views of a game in which everybody plays some legal move.
fn views(count: usize) -> Vec<View> {
    let mut history = History::new(Chess::default());
    let context = GameContext::new();
    let mut views = vec![];
    while views.len() < count {
        let legal = legal_moves(history.position());
        if legal.is_empty() || history.ply() > 90 {
            history = History::new(Chess::default());
            continue;
        }
        views.push(View::new(&history, &context, &legal));
        history.play(legal[(history.ply() * 7 + views.len()) % legal.len()]);
    }
    views
}

fn network(sizes: &Sizes, seed: u64) -> BoardNetwork {
    BoardNetwork::from_bytes(&sample(sizes, seed)).unwrap()
}

/// Sizes in which heads and rays do not fill whole registers.
const ODD: Sizes = Sizes { width: 48, layers: 3, heads: 3, hidden: 20, policy: 12, pooled: 8 };

/// Sizes of the network in `standard`.
const SHIPPED: Sizes =
    Sizes { width: 64, layers: 3, heads: 2, hidden: 128, policy: 32, pooled: 64 };

#[test]
fn outputs_do_not_depend_on_registers_or_on_the_batch() {
    let views = views(12);
    let all: Vec<&View> = views.iter().collect();
    for (seed, sizes) in [Sizes::TINY, Sizes::TOY, ODD, Sizes::SMALL, SHIPPED].iter().enumerate() {
        let network = network(sizes, seed as u64);
        let together = network.evaluate(&all);
        assert!(together.iter().any(|outputs| outputs.end != together[0].end));
        for (registers, outputs) in network.evaluate_in_each(&all) {
            assert_eq!(outputs, together, "{sizes:?} in {registers}");
        }
        for size in [1, 3, TOGETHER + 1] {
            let apart: Vec<Outputs> =
                all.chunks(size).flat_map(|chunk| network.evaluate(chunk)).collect();
            assert_eq!(apart, together, "batches of {size}");
        }
        for (outputs, view) in together.iter().zip(&views) {
            assert_eq!(outputs.played.len(), view.moves.len());
            assert_eq!(outputs.taught.len(), view.moves.len());
        }
    }
}

#[test]
fn outputs_are_those_of_before() {
    let views = views(40);
    let mut hasher = blake3::Hasher::new();
    for outputs in network(&Sizes::TOY, 1).evaluate(&views.iter().collect::<Vec<_>>()) {
        let numbers = outputs.played.iter().chain(&outputs.taught).chain(&outputs.value);
        for number in numbers.chain([&outputs.end]) {
            hasher.update(&number.to_le_bytes());
        }
    }
    assert_eq!(hasher.finalize().to_hex()[..16], *"5fb3cb53e8b2cc94");
}

#[test]
fn the_past_of_a_position_is_seen() {
    let network = network(&Sizes::TOY, 2);
    let outputs = |history: &History| {
        let legal = legal_moves(history.position());
        network.evaluate(&[&View::new(history, &GameContext::new(), &legal)]).remove(0)
    };
    // The same position by two orders of moves, and without any.
    let after = |moves: [&str; 4]| {
        let mut history = History::new(Chess::default());
        for uci in moves {
            let uci: shakmaty::uci::UciMove = uci.parse().unwrap();
            history.play(uci.to_move(history.position()).unwrap());
        }
        history
    };
    let one = after(["g1f3", "g8f6", "b1c3", "b8c6"]);
    let other = after(["b1c3", "b8c6", "g1f3", "g8f6"]);
    assert_eq!(one.key(), other.key());
    assert_ne!(outputs(&one), outputs(&other));
    // A branch remembers as much as is seen.
    assert_eq!(outputs(&one.branch()), outputs(&one));
    let fen: Fen =
        "r1bqkb1r/pppppppp/2n2n2/8/8/2N2N2/PPPPPPPP/R1BQKB1R w KQkq - 4 3".parse().unwrap();
    let start: Chess = fen.into_position(CastlingMode::Standard).unwrap();
    assert_ne!(outputs(&History::new(start)), outputs(&one));
}

/// The file of a small network with this done to it.
fn changed(change: impl FnOnce(&mut ModelProto)) -> crate::Result<BoardNetwork> {
    let mut proto = crate::network::onnx::decode(&sample(&Sizes::TINY, 3)).unwrap();
    change(&mut proto);
    BoardNetwork::from_bytes(&proto.encode_to_vec())
}

/// The same with this done to one of its tensors.
fn with_tensor(name: &str, change: impl FnOnce(&mut TensorProto)) -> crate::Result<BoardNetwork> {
    changed(|proto| {
        let tensors = &mut proto.graph.as_mut().unwrap().initializer;
        change(tensors.iter_mut().find(|tensor| tensor.name == name).unwrap());
    })
}

#[test]
fn shares_may_be_others_than_those_of_an_exponential() {
    let views = views(6);
    let all: Vec<&View> = views.iter().collect();
    let usual = network(&Sizes::TINY, 3).evaluate(&all);
    let other = with_tensor("exponential", |tensor| {
        for (place, share) in tensor.raw_data.iter_mut().enumerate().skip(1) {
            *share = share.saturating_sub((place % 40) as u8);
        }
    });
    let other = other.unwrap();
    let found = other.evaluate_portably(&all);
    assert_ne!(found, usual);
    for (registers, outputs) in other.evaluate_in_each(&all) {
        assert_eq!(outputs, found, "{registers}");
    }
}

#[test]
fn files_that_are_no_network_are_refused() {
    assert!(changed(|_| ()).is_ok());
    let refused = |found: crate::Result<BoardNetwork>| {
        matches!(found, Err(Error::Model(_) | Error::Limit(_)))
    };
    let file = sample(&Sizes::TINY, 3);
    let proto = crate::network::onnx::decode(&file).unwrap();
    let names: Vec<String> =
        proto.graph.unwrap().initializer.into_iter().map(|tensor| tensor.name).collect();
    for name in &names {
        assert!(refused(with_tensor(name, |tensor| tensor.name.push('x'))), "{name} is missing");
        assert!(refused(with_tensor(name, |tensor| tensor.data_type = 1)), "{name}, another type");
        assert!(refused(with_tensor(name, |tensor| tensor.dims.push(2))), "{name}, another shape");
        assert!(
            refused(with_tensor(name, |tensor| tensor.dims[0] = i64::MAX)),
            "{name}, a huge shape"
        );
        assert!(
            refused(with_tensor(name, |tensor| tensor.dims[0] = -1)),
            "{name}, a shape below 0"
        );
        let shorter =
            |tensor: &mut TensorProto| tensor.raw_data.truncate(tensor.raw_data.len() - 1);
        assert!(refused(with_tensor(name, shorter)), "{name}, cut off");
        let twice = changed(|proto| {
            let tensors = &mut proto.graph.as_mut().unwrap().initializer;
            let again = tensors.iter().find(|tensor| tensor.name == *name).cloned();
            tensors.extend(again);
        });
        assert!(refused(twice), "{name} twice");
    }
    let first = |name: &str, bytes: &[u8]| {
        with_tensor(name, |tensor| tensor.raw_data[..bytes.len()].copy_from_slice(bytes))
    };
    for (name, bytes) in [
        ("block_0_qkv", &[0x80][..]),
        ("block_0_qkv_bias", &i32::MAX.to_le_bytes()),
        ("block_0_qkv_unit", &3f64.to_le_bytes()),
        ("block_0_qkv_unit", &f64::NAN.to_le_bytes()),
        ("block_0_out_unit", &2f64.powi(17).to_le_bytes()),
        ("block_0_out_unit", &2f64.powi(-33).to_le_bytes()),
        ("block_0_relation", &i16::MIN.to_le_bytes()),
        ("played_pair", &i32::MIN.to_le_bytes()),
        ("exponential", &[126]),
        ("exponential", &[127, 128]),
    ] {
        assert!(refused(first(name, bytes)), "{name} {bytes:?}");
    }
    for key in ["plyzip.board", "plyzip.view"] {
        let other = |value: &'static str| {
            changed(|proto| {
                let entry = proto.metadata_props.iter_mut().find(|entry| entry.key == key);
                entry.unwrap().value = value.into();
            })
        };
        assert!(refused(other("0")) && refused(other("")) && refused(other("3")), "{key}");
    }
    for end in 0..file.len().min(2000) {
        assert!(BoardNetwork::from_bytes(&file[..end]).is_err(), "{end} bytes");
    }
}

#[test]
fn damaged_files_do_no_harm() {
    let (file, views) = (sample(&Sizes::TINY, 4), views(2));
    let mut random = SplitMix(5);
    let mut runs = 0;
    for _ in 0..400 {
        let mut damaged = file.clone();
        for _ in 0..=random.next() % 3 {
            let place = random.next() as usize % damaged.len();
            damaged[place] ^= 1 << (random.next() % 8);
        }
        if let Ok(network) = BoardNetwork::from_bytes(&damaged) {
            let views: Vec<&View> = views.iter().collect();
            assert_eq!(network.evaluate(&views), network.evaluate_portably(&views));
            runs += 1;
        }
    }
    assert!(runs > 50, "{runs}");
}
