//! Single games with books and repertoires, with a model that is not the right one, and from builds before the check.

use shakmaty::{ByColor, Chess, Position as _};

use super::*;
use crate::chess::{legal_moves, position_key};
use crate::network::onnx::TensorProto;
use crate::predict::Player;
use crate::predict::book::{Position, write_book};
use crate::predict::test_models::{model_with, tensor};
use crate::split_mix::split_mix;

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
    let header = GameHeader::default();
    let sizes = [None, Some(tensor(write_book(known)))].map(|book| {
        let codec = GameCodec::new(model_with(book).unwrap());
        let bytes = codec.encode(&header, &moves).unwrap();
        assert_eq!(codec.decode(&header, &bytes).unwrap(), moves);
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
    let header = GameHeader::default();
    let [with, without] = [Some(tensor(book)), None]
        .map(|book| GameCodec::new(model_with(book).unwrap()).encode(&header, &moves).unwrap());
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
    let repertoires =
        TensorProto { name: "plyzip.repertoires".into(), ..tensor(write_book(known)) };
    let codec = GameCodec::new(model_with(Some(repertoires)).unwrap());
    let other = Player::named(b"Other,A");
    let pairs = [(champion, other), (other, champion), (Player::default(), Player::default())];
    let [whites, blacks, nobodys] = pairs.map(|(white, black)| {
        let players = ByColor { white, black };
        let header = GameHeader::new().players(players);
        let bytes = codec.encode(&header, &moves).unwrap();
        assert_eq!(codec.decode(&header, &bytes).unwrap(), moves);
        bytes.len()
    });
    assert!(whites * 3 < nobodys * 2, "{whites} {nobodys}");
    assert_eq!(blacks, nobodys);
}

/// A game of random moves.
fn game(seed: u64) -> Vec<Move> {
    let (mut position, mut moves) = (Chess::default(), vec![]);
    for ply in 0..20 + seed % 40 {
        let legal = legal_moves(&position);
        let Some(&played) = legal.get(split_mix(seed << 8 | ply) as usize % legal.len().max(1))
        else {
            break;
        };
        position.play_unchecked(played);
        moves.push(played);
    }
    moves
}

#[test]
fn another_model_of_the_same_class_is_refused() {
    let (first, second) = (model_with(None).unwrap(), Model::embedded().unwrap());
    assert_ne!(first.hash(), second.hash());
    let codecs = [GameCodec::new(first), GameCodec::new(second)];
    let header = GameHeader::default();
    for seed in 0..40 {
        let moves = game(seed);
        let bytes = codecs[0].encode(&header, &moves).unwrap();
        assert!(matches!(codecs[1].decode(&header, &bytes), Err(Error::Damaged(_))), "{seed}");
        assert_eq!(codecs[0].decode(&header, &bytes).unwrap(), moves);
    }
}

#[test]
fn games_without_first_byte_and_check_are_refused() {
    // as builds before them wrote games
    let codec = GameCodec::new(Model::none());
    let header = GameHeader::default();
    for seed in 0..100 {
        let mut encoder = Encoder::new();
        codec.code(&mut encoder, &header, game(seed)).unwrap();
        let bytes = encoder.finish();
        assert!(codec.decode(&header, &bytes).is_err());
        let named = [&[0x10][..], &bytes].concat();
        assert!(matches!(codec.decode(&header, &named), Err(Error::Damaged(_))));
    }
}
