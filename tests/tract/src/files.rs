//! Model files, whole and damaged, are read as tract reads them.

use plyzip_codec::unstable::SplitMix;
use plyzip_codec::unstable::network::onnx::{ModelProto, decode};
use prost::Message;
use tract_onnx::prelude::Framework;

const STANDARD: &[u8] = include_bytes!("../../../models/standard.onnx");

/// What tract reads, in plyzip's messages; `None` if it refuses the file.
fn read_by_tract(file: &[u8]) -> Option<ModelProto> {
    let proto = tract_onnx::onnx().proto_model_for_read(&mut &*file).ok()?;
    Some(ModelProto::decode(&proto.encode_to_vec()[..]).unwrap())
}

#[test]
fn the_default_model_is_read_alike() {
    assert!(read_by_tract(STANDARD) == Some(decode(STANDARD).unwrap()));
}

/// The default model with the first bytes of its tensors' data only, so that most of the file is structure.
fn small() -> Vec<u8> {
    let mut model = decode(STANDARD).unwrap();
    for tensor in &mut model.graph.as_mut().unwrap().initializer {
        tensor.raw_data.truncate(4);
    }
    model.encode_to_vec()
}

#[test]
fn damaged_files_are_read_alike_or_refused_alike() {
    let whole = small();
    let mut numbers = SplitMix(1);
    let (mut read, mut refused) = (0, 0);
    for round in 0..100_000 {
        let mut file = whole.clone();
        for _ in 0..=round % 3 {
            let place = (numbers.next() % file.len() as u64) as usize;
            match numbers.next() % 4 {
                0 | 1 => file[place] = numbers.next() as u8,
                2 => file[place] ^= 1 << (numbers.next() % 8),
                _ => drop(file.remove(place)),
            }
        }
        let ours = decode(&file).ok();
        // A number that is not one differs from itself.
        let text = |model: &Option<ModelProto>| format!("{model:?}");
        let theirs = read_by_tract(&file);
        assert!(ours == theirs || text(&ours) == text(&theirs), "round {round}");
        *(if ours.is_some() { &mut read } else { &mut refused }) += 1;
    }
    assert!(read > 10_000 && refused > 10_000, "{read} read, {refused} refused");
}
