//! PGN: the lexer, and the way to an archive and back.

use std::io::Cursor;
use std::sync::LazyLock;

use arbitrary::Unstructured;
use plyzip::Model;
use plyzip::archive::{
    AllGames, ArchiveReader, ArchiveWriter, IndexedReader, ReaderOptions, WriterOptions,
};
use plyzip::pgn::{self, Item, Token};
use plyzip::unstable::pgn::atoms;

use super::{model, script};

/// Any bytes are items without gaps, whose atoms follow each other.
pub fn pgn_lexer(data: &[u8]) {
    let document = pgn::parse(data);
    let (items, ranges, atoms) = (&document.items, &document.ranges, atoms(&document));
    assert!(items.len() == ranges.len() && items.len() == atoms.len());
    let mut end = 0;
    for ((item, range), atoms) in items.iter().zip(ranges).zip(atoms) {
        assert!(range.start == end && range.end > range.start);
        let mut at = range.start;
        for atom in atoms {
            let atom = atom.range();
            assert!(at <= atom.start && atom.start < atom.end && atom.end <= range.end);
            at = atom.end;
        }
        match item {
            Item::Text(text) => assert_eq!(text[..], data[range.clone()]),
            Item::Game(game) => {
                let count =
                    |wanted: &Token| game.tokens.iter().filter(|&token| token == wanted).count();
                assert_eq!(count(&Token::Move), game.plies());
                assert_eq!(count(&Token::Open) + 1, game.lines.len());
                assert!(count(&Token::Close) <= count(&Token::Open));
            }
        }
        end = range.end;
    }
    assert_eq!(end, data.len());
    let starts: Vec<usize> = pgn::game_starts(data).collect();
    assert!(starts.is_sorted_by(|a, b| a < b) && starts.iter().all(|&start| start < data.len()));
}

/// The bit of the first byte by which the rest are choices ([`script::document`]), and not the original.
pub const SCRIPT: u8 = 0x80;
/// The bit of the first byte by which a small network predicts.
pub const NETWORK: u8 = 0x40;

/// Any bytes come back, however they are cut; the first byte says how.
pub fn pgn_round_trip(data: &[u8]) {
    static SMALL: LazyLock<Model> = LazyLock::new(|| Model::from_bytes(model::SMALL).unwrap());
    let Some((&shape, rest)) = data.split_first() else { return };
    let original = match shape & SCRIPT {
        0 => rest.to_vec(),
        _ => script::document(&mut Unstructured::new(rest)),
    };
    let model = if shape & NETWORK == 0 { Model::none() } else { SMALL.clone() };
    let options = WriterOptions::new()
        .block_games([1, 2, 7, 20_000][usize::from(shape & 3)])
        .page_games([Some(1), Some(2), Some(3), None][usize::from(shape >> 2 & 3)])
        .block_bytes([64, 1000, 32 << 20, 32 << 20][usize::from(shape >> 4 & 3)])
        .verify(false);
    let mut writer = ArchiveWriter::with_options(vec![], model.clone(), options).unwrap();
    writer.push(&original).unwrap();
    let (archive, summary) = writer.finish().unwrap();
    // As docs/format.md promises.
    let more = 64 + 26 * summary.blocks.saturating_sub(1);
    assert!(archive.len() as u64 <= original.len() as u64 + more);
    let reading = || ReaderOptions::new().model(model.clone());
    let mut back = vec![];
    ArchiveReader::with_options(&archive[..], reading()).unwrap().copy_to(&mut back).unwrap();
    assert_eq!(back, original);
    let mut reader = IndexedReader::with_options(Cursor::new(&archive), reading()).unwrap();
    let blocks: Vec<u8> =
        (0..reader.blocks().len()).flat_map(|block| reader.block(block).unwrap()).collect();
    assert_eq!(blocks, original);
    // Games lie in the original in their order.
    let mut after = 0;
    for game in 0..reader.summary().stats.games {
        let game = reader.game(game).unwrap();
        let place = original[after..].windows(game.len()).position(|window| window == game);
        after += place.unwrap() + game.len();
    }
    // What moves cost is known of each that was coded.
    let mut explained = vec![];
    let all = reader.select(&AllGames).explain(|game| {
        explained.push(game);
        Ok(())
    });
    assert_eq!(all.unwrap(), explained.len() as u64);
    assert_eq!(explained.len() as u64, reader.summary().stats.games);
    for (number, game) in (0..).zip(explained) {
        assert_eq!((game.number, &game.bytes), (number, &reader.game(number).unwrap()));
        if let Some(costs) = game.costs {
            let moves = game.game.lines[0].moves.iter();
            assert!(costs.plies.iter().map(|ply| ply.played.played).eq(moves.copied()));
            assert!(costs.total_bits().is_finite() && costs.total_bits() >= 0.0);
        }
    }
}
