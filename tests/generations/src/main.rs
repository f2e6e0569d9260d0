//! Two versions of the codec in one program, as a later plyzip has them: the frozen one, and the present one.

use std::any::TypeId;
use std::error::Error;

use shakmaty::san::San;
use shakmaty::{Chess, Move, Position};

/// The codec of single games of each generation.
enum Codec {
    One(codec_1::GameCodec),
    Two(plyzip_codec::GameCodec),
}

impl Codec {
    /// The codec that a game's first byte names, with the model that has no network.
    fn of(byte: u8) -> Option<Codec> {
        match byte >> 4 {
            codec_1::GENERATION => Some(Codec::One(codec_1::GameCodec::new(codec_1::Model::none()))),
            2 => Some(Codec::Two(plyzip_codec::GameCodec::new(plyzip_codec::Model::none()))),
            _ => None,
        }
    }

    fn decode(&self, bytes: &[u8]) -> Result<Vec<Move>, Box<dyn Error>> {
        Ok(match self {
            Codec::One(codec) => codec.decode(&codec_1::GameHeader::default(), bytes)?,
            Codec::Two(codec) => codec.decode(&plyzip_codec::GameHeader::default(), bytes)?,
        })
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut position = Chess::default();
    let mut moves = vec![];
    for san in ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"] {
        let played = san.parse::<San>()?.to_move(&position)?;
        position.play_unchecked(played);
        moves.push(played);
    }

    // They are two crates, whose types have nothing to do with each other.
    assert_ne!(TypeId::of::<codec_1::Model>(), TypeId::of::<plyzip_codec::Model>());

    let one = codec_1::GameCodec::new(codec_1::Model::none());
    let bytes = one.encode(&codec_1::GameHeader::default(), &moves)?;
    let known = Codec::of(bytes[0]).ok_or("a game of a generation that is not known")?;
    assert!(matches!(known, Codec::One(_)));
    assert_eq!(known.decode(&bytes)?, moves);

    // The second is a copy of the first with another version, so it still writes the same.
    let two = plyzip_codec::GameCodec::new(plyzip_codec::Model::none());
    assert_eq!(two.encode(&plyzip_codec::GameHeader::default(), &moves)?, bytes);
    println!("two versions of the codec in one program: {} moves in {} bytes", moves.len(), bytes.len());
    Ok(())
}
