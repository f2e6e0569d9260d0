//! Games that stand more than once in an archive.

use std::io::Cursor;

use plyzip::archive::{
    AllGames, ArchiveReader, ExplainedGame, IndexedReader, ReaderOptions, salvage,
};
use plyzip::{Error, Model};

use crate::games::Random;
use crate::moves_index::{answers, archive, index_of, opened, small, with_index};
use crate::pgn;

/// A game with clocks, comments and a variation.
fn annotated(game: &str, number: usize) -> String {
    let (tags, moves) = game.split_once("\n\n").unwrap();
    let mut text = format!("{tags}\n\n");
    for (place, word) in moves.split_whitespace().enumerate() {
        text += word;
        text += match place {
            1 => " {[%clk 0:03:00]} (1. Nf3 {or so} Nf6) ",
            4 => " $1 {a comment that is long enough to be broken where a line of eighty ends} ",
            7 if number.is_multiple_of(2) => " {[%clk 0:02:58]} ",
            _ => " ",
        };
    }
    text + "\n\n"
}

/// Games, and some of them again: as they were, with other players, or with other comments.
fn original(games: u64) -> Vec<u8> {
    let plain: Vec<String> =
        pgn::games(games).into_iter().map(|game| String::from_utf8(game).unwrap()).collect();
    let with_comments = |(number, game): (usize, &String)| match number % 3 {
        0 => annotated(game, number),
        _ => game.clone(),
    };
    let all: Vec<String> = plain.iter().enumerate().map(with_comments).collect();
    let mut text = all.concat();
    let mut random = Random(games);
    for _ in 0..2 * games {
        let number = random.below(all.len());
        text += &match random.below(4) {
            0 => all[number].clone(),
            1 => all[number].replace("Player", "Somebody else,"),
            2 => annotated(&plain[number], number),
            _ => plain[number].replace("[White \"", "[White \"Dr. "),
        };
    }
    text.into_bytes()
}

#[test]
fn readers_see_games_that_are_repeated() {
    let original = original(50);
    // Where each game is a block of its own, nothing is repeated.
    let single = archive(&original, &Model::none(), 1, 1);
    let mut expected = answers(|| with_index(&single, None));
    expected.blocks = vec![original.clone()];
    for page_games in [4, 30, 1000] {
        let whole = archive(&original, &Model::none(), 20_000, page_games);
        assert_eq!(answers(|| with_index(&whole, None)), expected);
        let index = opened(&index_of(&whole, None, None));
        assert_eq!(answers(|| with_index(&whole, Some(&index))), expected);
        let mut reader = with_index(&whole, Some(&index));
        assert_eq!((reader.check_index().unwrap(), reader.index_fault()), (150, None));
        let mut back = vec![];
        ArchiveReader::new(&whole[..]).unwrap().copy_to(&mut back).unwrap();
        assert!(back == original);
    }
}

#[test]
fn repeated_games_cost_little() {
    let once = pgn::games(200).concat();
    let length = |original: &[u8]| archive(original, &Model::none(), 20_000, 40).len();
    let (one, two) = (length(&once), length(&once.repeat(2)));
    assert!(two < one + 200 * 3, "{one}, {two}");
    let names = String::from_utf8(once.clone()).unwrap().replace("Player", "Somebody else,");
    let other = length(&[&once[..], names.as_bytes()].concat());
    assert!(other < one + 200 * 4, "{one}, {other}");
}

#[test]
fn moves_that_are_repeated_have_no_cost() {
    let once = pgn::games(30).concat();
    let whole = archive(&once.repeat(2), &Model::none(), 20_000, 12);
    let mut coded = vec![];
    let each = |explained: ExplainedGame| {
        let plies = explained.game.lines[0].moves.len();
        coded.push(
            explained.costs.map(|costs| (costs.plies.len() == plies, costs.total_bits() > 1.0)),
        );
        Ok(())
    };
    with_index(&whole, None).select(&AllGames).explain(each).unwrap();
    assert_eq!(coded[..30], [Some((true, true)); 30]);
    // Games of less than 16 plies are coded again.
    let again = coded[30..].iter().flatten().count();
    assert!(again < 10 && coded[30..].iter().flatten().all(|costs| costs.0), "{again}");
}

#[test]
fn the_index_and_the_model_may_take_turns() {
    let original = original(20);
    let model = small();
    let whole = archive(&original, &model, 20_000, 9);
    let index = index_of(&whole, Some(model.clone()), None);
    let options = || ReaderOptions::new().model(model.clone());
    let expected = {
        let open = || IndexedReader::with_options(Cursor::new(whole.clone()), options()).unwrap();
        answers(open)
    };
    assert_eq!(answers(|| with_index(&whole, Some(&opened(&index)))), expected);
    // An index that is wrong somewhere: what was read with it before is not taken for what the archive has.
    let mut noticed = 0;
    for step in 0..20 {
        let mut wrong = index.clone();
        let place = 20 + step * (index.len() - 60) / 20;
        wrong[place] ^= 4;
        let Ok(wrong) = plyzip::archive::MovesIndex::open(Cursor::new(wrong)) else { continue };
        let options = || options().index(wrong.clone());
        let open = || IndexedReader::with_options(Cursor::new(whole.clone()), options()).unwrap();
        let mut reader = open();
        let games = (0..60).rev().map(|game| reader.game(game).unwrap()).collect::<Vec<_>>();
        assert!(games.iter().rev().eq(&expected.games));
        noticed += usize::from(reader.index_fault().is_some());
    }
    assert!(noticed > 3, "{noticed}");
}

#[test]
fn a_page_that_is_lost_takes_what_repeats_it() {
    // The second half repeats the first, page by page.
    let once = pgn::games(40);
    let whole = archive(&[once.concat(), once.concat()].concat(), &Model::none(), 20_000, 10);
    let sound = |archive: &[u8]| -> Vec<bool> {
        let mut reader = IndexedReader::open(Cursor::new(archive)).unwrap();
        (0..80).map(|game| reader.game(game).is_ok()).collect()
    };
    let mut lost = std::collections::BTreeSet::new();
    for place in (whole.len() / 4..whole.len() - 60).step_by(97) {
        let mut damaged = whole.clone();
        damaged[place] ^= 1;
        let Ok(reader) = IndexedReader::open(Cursor::new(&damaged)) else { continue };
        drop(reader);
        let sound = sound(&damaged);
        lost.insert(sound.iter().filter(|sound| !**sound).count());
        let mut saved = vec![];
        let found = salvage(Cursor::new(&damaged), ReaderOptions::default(), &mut saved);
        assert!(found.is_ok() || matches!(found, Err(Error::Damaged(_))), "{found:?}");
    }
    assert!(lost.contains(&20) && lost.iter().all(|&games| games % 10 == 0), "{lost:?}");
}
