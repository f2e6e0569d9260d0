//! The sample games are games: each move is legal, and each comes back.

use plyzip::Model;
use plyzip::archive::{ArchiveReader, ArchiveWriter};
use plyzip::pgn::{self, Item, Token};

const FAMOUS: &[u8] = include_bytes!("../../samples/famous.pgn");

#[test]
fn every_move_of_the_samples_is_legal() {
    let mut games = 0;
    for item in pgn::parse(FAMOUS).items {
        let Item::Game(game) = item else { panic!("text between the games") };
        games += 1;
        assert!(game.plies() > 12, "{:?}", game.tag("White"));
        assert!(!game.tokens.iter().any(|token| matches!(token, Token::Text(_))));
        assert!(matches!(game.tokens.last(), Some(Token::Outcome(outcome))
            if game.tag("Result") == Some(outcome.as_str().as_bytes())));
    }
    assert_eq!(games, 16);
}

#[test]
fn the_samples_come_back_with_the_embedded_model() {
    let mut writer = ArchiveWriter::new(Vec::new(), Model::embedded().unwrap()).unwrap();
    writer.push(FAMOUS).unwrap();
    let (archive, summary) = writer.finish().unwrap();
    assert_eq!(summary.stats.games, 16);
    assert!(archive.len() < FAMOUS.len() / 4, "{} bytes", archive.len());
    let mut back = Vec::new();
    ArchiveReader::new(&archive[..]).unwrap().copy_to(&mut back).unwrap();
    assert_eq!(back, FAMOUS);
}
