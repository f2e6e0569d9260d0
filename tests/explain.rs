//! What moves cost: the costs of all games of an archive are what the archive says its moves take.

mod pgn;

use std::io::Cursor;
use std::ops::Range;

use plyzip::archive::{
    ArchiveWriter, ExplainedGame, IndexedReader, Selection, Verdict, WriterOptions,
};
use plyzip::pgn::{Game, Tag};
use plyzip::{GameCodec, GameHeader, Model};
use shakmaty::{Chess, Position};

/// Games by their numbers from 0 on; whether their tags tell it.
struct Numbers(Range<u64>, bool);

impl Selection for Numbers {
    fn any_of(&self, numbers: Range<u64>) -> bool {
        numbers.start < self.0.end && self.0.start < numbers.end
    }

    fn by_tags(&self, number: u64, _: &[Tag]) -> Verdict {
        if self.1 { self.0.contains(&number).into() } else { Verdict::Open }
    }

    fn by_game(&self, number: u64, game: &Game) -> bool {
        assert!(!game.tokens.is_empty());
        self.0.contains(&number)
    }
}

/// Games with variations, with another start, of another variant, and without moves.
fn originals() -> Vec<Vec<u8>> {
    let mut games = pgn::games(30);
    games.extend(
        [
            "[Event \"a\"]\n\n1. e4 e5 (1... c5 2. Nf3 (2. Nc3 Nc6) 2... d6) (1... e6 2. d4) 2. Nf3 Nc6 *\n\n",
            "[Event \"b\"]\n[FEN \"7k/8/8/8/8/8/5q2/K7 b - - 0 1\"]\n\n1... Kg7 *\n\n",
            "[Event \"c\"]\n[Variant \"Crazyhouse\"]\n\n1. e4 (1. d4) e5 *\n\n",
            "[Event \"d\"]\n\n*\n\n",
            "[Event \"e\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n",
        ]
        .map(|game| game.as_bytes().to_vec()),
    );
    games
}

fn archive(options: WriterOptions, model: Model) -> (Vec<u8>, u64) {
    let mut writer = ArchiveWriter::with_options(Vec::new(), model, options).unwrap();
    writer.push(&originals().concat()).unwrap();
    let (archive, summary) = writer.finish().unwrap();
    (archive, summary.stats.streams.moves)
}

fn explained(archive: &[u8], selection: &Numbers) -> Vec<ExplainedGame> {
    let mut games = vec![];
    let mut reader = IndexedReader::open(Cursor::new(archive)).unwrap();
    let found = reader.select(selection).explain(|game| {
        games.push(game);
        Ok(())
    });
    let found = found.unwrap();
    assert_eq!(found, games.len() as u64);
    games
}

#[test]
fn costs_add_up_to_the_bytes_of_moves() {
    for (page_games, model) in
        [(None, Model::none()), (Some(4), Model::none()), (None, Model::embedded().unwrap())]
    {
        let options = WriterOptions::new().page_games(page_games).block_games(25);
        let (archive, bytes) = archive(options, model);
        let games = explained(&archive, &Numbers(0..u64::MAX, true));
        let pages =
            2.max(page_games.map_or(2, |games| 25u64.div_ceil(games) + 10u64.div_ceil(games)));
        let bits: f64 = games.iter().map(|game| game.costs.as_ref().unwrap().total_bits()).sum();
        // Each page's stream ends with a whole byte, and with at most a few bits more than it needs.
        let beyond = bytes as f64 - bits / 8.0;
        assert!((-0.5..1.5).contains(&(beyond / pages as f64)), "{bytes} {bits} {pages}");
    }
}

#[test]
fn each_ply_has_the_move_played_and_those_expected() {
    let (archive, _) = archive(WriterOptions::new().page_games(4), Model::none());
    let games = explained(&archive, &Numbers(0..u64::MAX, false));
    assert_eq!(games.len(), originals().len());
    for (number, (game, original)) in games.iter().zip(originals()).enumerate() {
        assert_eq!((game.number, &game.bytes), (number as u64, &original));
        assert_eq!(game.model, "none");
        let costs = game.costs.as_ref().unwrap();
        let moves = &game.game.lines[0].moves;
        let played: Vec<_> = costs.plies.iter().map(|ply| ply.played.played).collect();
        assert_eq!(&played, moves);
        let Some(mut position) = game.game.start() else {
            assert_eq!(costs.total_bits(), 0.0);
            continue;
        };
        for ply in &costs.plies {
            let legal = position.legal_moves();
            assert_eq!(ply.legal, legal.len());
            assert_eq!(ply.others.len(), 3.min(legal.len() - 1));
            assert!(
                ply.others.iter().all(|other| other.played != ply.played.played && legal.contains(&other.played))
            );
            assert!(ply.others.is_sorted_by(|one, next| one.probability >= next.probability));
            let likelier =
                ply.others.iter().filter(|other| other.probability > ply.played.probability);
            assert_eq!(likelier.count(), ply.rank.min(3));
            let sum: f64 = ply.others.iter().map(|other| other.probability).sum();
            assert!(ply.played.probability + sum <= 1.0 && ply.bits() >= 0.0);
            assert!(ply.expected_bits <= (legal.len() as f64).log2() + 1e-9);
            position.play_unchecked(ply.played.played);
        }
        assert_eq!(costs.end_probability == 1.0, position.legal_moves().is_empty());
    }
    let variations = games.iter().filter(|game| game.costs.as_ref().unwrap().variation_bits > 0.0);
    assert_eq!(variations.count(), 1);
}

#[test]
fn only_games_that_are_wanted_are_given() {
    let options = WriterOptions::new().page_games(4).block_games(9);
    let (archive, _) = archive(options, Model::none());
    let all = explained(&archive, &Numbers(0..u64::MAX, true));
    for range in [0..1, 3..5, 8..9, 9..10, 7..30, 34..90, 35..90] {
        for by_tags in [true, false] {
            let some = explained(&archive, &Numbers(range.clone(), by_tags));
            let expected = all.iter().filter(|game| range.contains(&game.number));
            assert!(some.iter().map(|game| &game.costs).eq(expected.map(|game| &game.costs)));
            let numbers: Vec<u64> = some.iter().map(|game| game.number).collect();
            assert!(numbers.iter().copied().eq(range.start..range.end.min(35)), "{range:?}");
        }
    }
}

#[test]
fn stored_games_have_no_costs() {
    let game = b"[Event \"?\"]\n\n1. e4 *\n";
    let mut writer = ArchiveWriter::new(Vec::new(), Model::embedded().unwrap()).unwrap();
    writer.push(game).unwrap();
    let archive = writer.finish().unwrap().0;
    let games = explained(&archive, &Numbers(0..9, true));
    assert_eq!(games.len(), 1);
    assert_eq!((&games[0].bytes[..], &games[0].costs), (&game[..], &None));
}

#[test]
fn a_game_by_itself_costs_what_its_code_takes() {
    for model in [Model::none(), Model::embedded().unwrap()] {
        for original in originals() {
            let document = plyzip::pgn::parse(&original);
            let game = document.games().next().unwrap();
            let Some(header) = GameHeader::from_tags(game) else { continue };
            let moves = &game.lines[0].moves;
            let bits = model.costs(&header, moves).unwrap().total_bits();
            // The first byte, and a check of 10 to 18 bits.
            let bytes = GameCodec::new(model.clone()).encode(&header, moves).unwrap().len();
            let check = 8.0 * (bytes - 1) as f64 - bits;
            assert!((9.5..18.5).contains(&check), "{bytes} {bits}");
        }
    }
}

#[test]
fn probabilities_are_those_that_moves_are_coded_with() {
    let model = Model::embedded().unwrap();
    let original = &originals()[3];
    let document = plyzip::pgn::parse(original);
    let game = document.games().next().unwrap();
    let header = GameHeader::from_tags(game).unwrap();
    let moves = &game.lines[0].moves;
    let costs = model.costs(&header, moves).unwrap();
    for ply in [0, 1, 7] {
        let forecast = model.probabilities(&header, &moves[..ply]).unwrap();
        let sum: f64 = forecast.moves.iter().map(|likely| likely.probability).sum();
        assert!((sum - 1.0).abs() < 1e-9);
        assert!(forecast.moves.is_sorted_by(|one, next| one.probability >= next.probability));
        assert_eq!(forecast.moves.len(), costs.plies[ply].legal);
        assert!(forecast.moves.contains(&costs.plies[ply].played));
        assert_eq!(forecast.moves[costs.plies[ply].rank], costs.plies[ply].played);
        assert_eq!(forecast.end_probability, costs.plies[ply].end_probability);
    }
    let end = model.probabilities(&header, moves).unwrap();
    assert_eq!(end.end_probability, costs.end_probability);
}

#[test]
fn positions_without_moves_and_illegal_moves() {
    let mate = plyzip::pgn::parse(&originals()[34]);
    let moves = mate.games().next().unwrap().lines[0].moves.clone();
    let header = GameHeader::default();
    let forecast = Model::none().probabilities(&header, &moves).unwrap();
    assert_eq!((forecast.moves.len(), forecast.end_probability), (0, 1.0));
    let twice = [moves[0], moves[0]];
    assert!(Model::none().probabilities(&header, &twice).is_err());
    assert!(Model::none().costs(&header, &twice).is_err());
    assert_eq!(header.start, Chess::default());
}
