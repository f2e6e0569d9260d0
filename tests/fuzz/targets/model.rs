//! Models.

use std::sync::LazyLock;

use plyzip::{Error, GameCodec, GameHeader, Model};
use shakmaty::Position;

/// The file of a small model, which a golden archive holds: name and hash stand before it.
pub const SMALL: &[u8] = {
    let archive = include_bytes!("../../archives/1/small-embedded.plz");
    // The header, the kind, the name, the hash, and the length of the file in three bytes.
    let begin = 7 + 1 + 1 + 5 + 16;
    let length = (archive[begin] & 127) as usize
        | ((archive[begin + 1] & 127) as usize) << 7
        | (archive[begin + 2] as usize) << 14;
    archive.split_at(begin + 3).1.split_at(length).0
};

/// The bit of the first byte by which the rest are a model's file, and not changes to one.
pub const FILE: u8 = 0x80;
/// The bits of the first byte by which the changes are to `standard`, whose search and book `small` lacks.
pub const STANDARD: u8 = 0x3f;

/// A model's file with other bytes is refused, or a model like any other. Four bytes are a change: a place, in three
/// of them, and what the byte there is changed by.
pub fn model(data: &[u8]) {
    static STANDARD_FILE: LazyLock<Vec<u8>> =
        LazyLock::new(|| include_bytes!("../../../models/standard.onnx").to_vec());
    let Some((&mode, changes)) = data.split_first() else { return };
    if mode & FILE != 0 {
        return read(changes);
    }
    let mut file = if mode == STANDARD { STANDARD_FILE.clone() } else { SMALL.to_vec() };
    let (changes, _) = changes.as_chunks();
    // More would take longer than what they show.
    for &[a, b, c, change] in changes.iter().take(64) {
        // Half of the changes go to the ends, where the structure is.
        let place = usize::from(a) << 16 | usize::from(b) << 8 | usize::from(c);
        let place = match place % 4 {
            0 => place / 4 % 4096,
            1 => file.len() - 1 - place / 4 % 4096,
            _ => place % file.len(),
        };
        match mode & 3 {
            0 => file[place] ^= change,
            1 => file[place] = change,
            2 => file.insert(place, change),
            _ => drop(file.remove(place)),
        }
    }
    read(&file);
}

fn read(file: &[u8]) {
    let model = match Model::from_bytes(file) {
        Ok(model) => model,
        Err(Error::Model(_)) => return,
        Err(error) => panic!("{error:?}"),
    };
    let codec = GameCodec::new(model);
    let header = GameHeader::default();
    let moves: Vec<_> = header.start.legal_moves().into_iter().take(1).collect();
    // A network that computes nothing sensible may fail, but never differently.
    if let Ok(bytes) = codec.encode(&header, &moves) {
        assert_eq!(codec.decode(&header, &bytes).unwrap(), moves);
    }
}
