//! Agreement of all ways to read an archive.

use std::io::Cursor;

use plyzip::archive::{
    self, AllGames, ArchiveReader, IndexedReader, ReaderOptions, Selection, assess, is_late,
    salvage,
};
use plyzip::pgn::{Game, Tag};
use plyzip::{Error, Result};

/// The outcome of reading an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It decodes, and everybody says the same of it.
    Whole {
        /// Games that it has.
        games: u64,
    },
    /// It does not decode.
    Refused,
}

/// Every game, by its tags or only when all of it is known.
struct Every(archive::Verdict);

impl Selection for Every {
    fn by_tags(&self, _: u64, _: &[Tag]) -> archive::Verdict {
        self.0
    }

    fn by_game(&self, _: u64, _: &Game) -> bool {
        true
    }
}

/// The result, unless it is an error that the archive is to blame for.
fn blamed<T>(result: Result<T>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(
            Error::Damaged(_)
            | Error::Unsupported(_)
            | Error::Limit(_)
            | Error::ModelMissing { .. },
        ) => None,
        Err(error) => panic!("{error:?}"),
    }
}

/// Where `piece` stands in `text` from `from` on.
fn find(text: &[u8], piece: &[u8], from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    let found = match piece {
        [] => Some(0),
        _ => rest.windows(piece.len()).position(|window| window == piece),
    };
    found.map(|place| from + place)
}

/// Reads an archive in order and by its index: its figures, its list, its games alone and together, its blocks. All that
/// gives no error has to say the same; what decodes in order gives none. With `everything`, also what
/// [`salvage`] makes of it, and games that are looked for by all that they say.
///
/// # Panics
/// If that is not so, or an error blames somebody else than the archive.
pub fn agree(archive: &[u8], options: &ReaderOptions, everything: bool) -> Verdict {
    let in_order = || ArchiveReader::with_options(archive, options.clone());
    let mut original = vec![];
    let read = blamed(in_order().and_then(|reader| reader.copy_to(&mut original)));
    let skimmed = blamed(in_order().and_then(ArchiveReader::skim));
    let opened = blamed(IndexedReader::with_options(Cursor::new(archive), options.clone()));
    let Some(mut reader) = opened else {
        assert!(read.is_none(), "it decodes in order, and cannot be opened");
        return Verdict::Refused;
    };
    let summary = reader.summary().clone();
    let games = summary.stats.games;
    for told in [&read, &skimmed].into_iter().flatten() {
        assert_eq!(told, &summary, "figures in order and by the index");
    }
    let mut listed: Vec<Vec<Tag>> = vec![];
    let list = blamed(reader.select(&AllGames).tags(|number, tags| {
        assert_eq!(number, listed.len() as u64, "numbers of the list");
        listed.push(tags.to_vec());
        Ok(())
    }));
    let mut extracted: Vec<Vec<u8>> = vec![];
    let extract = blamed(reader.select(&AllGames).bytes(|number, game| {
        assert_eq!(number, extracted.len() as u64, "numbers of extracted games");
        extracted.push(game.to_vec());
        Ok(())
    }));
    let alone: Vec<Option<Vec<u8>>> =
        (0..games.min(10_000)).map(|number| blamed(reader.game(number))).collect();
    if list.is_some() {
        assert_eq!(listed.len() as u64, games, "games of the list");
    }
    if let Some(found) = extract {
        assert_eq!((found, extracted.len() as u64), (games, games), "extracted games");
        for (game, alone) in extracted.iter().zip(&alone) {
            assert_eq!(Some(game), alone.as_ref(), "a game alone, and one of many");
        }
    }
    if everything {
        let count = blamed(reader.select(&Every(archive::Verdict::Open)).count());
        let mut said = 0;
        let all = blamed(reader.select(&Every(archive::Verdict::Open)).games(|number, game| {
            assert_eq!(number, said, "numbers of games");
            said += 1;
            if let Some(tags) = listed.get(number as usize) {
                assert_eq!(tags.len(), game.tags.len());
                for (tag, listed) in game.tags.iter().zip(tags) {
                    assert_eq!(tag.name, listed.name);
                    assert!(is_late(&tag.name) || tag.value == listed.value);
                }
            }
            Ok(())
        }));
        for found in [count, all].into_iter().flatten() {
            assert_eq!(found, games, "games by all that they say");
        }
        assert_eq!(count.is_some(), extract.is_some());
        assert_eq!(all.is_some(), extract.is_some());
    }
    let Some(summary) = read else { return Verdict::Refused };
    assert!(skimmed.is_some() && list.is_some() && extract.is_some(), "not all ways decode it");
    assert!(alone.iter().all(Option::is_some), "games do not decode alone");
    assert_eq!(summary.original_bytes, original.len() as u64);
    let mut place = 0;
    for game in &extracted {
        let found = find(&original, game, place).expect("games stand in the original in order");
        place = found + game.len();
    }
    if everything {
        let mut blocks = vec![];
        let mut listed = listed.into_iter();
        for number in 0..reader.blocks().len() {
            blocks.extend(blamed(reader.block(number)).expect("a block decodes alone"));
            for tags in blamed(reader.tags(number)).expect("a block has a list") {
                assert_eq!(Some(tags), listed.next());
            }
        }
        assert!(listed.next().is_none());
        assert_eq!(blocks, original, "blocks alone");
        let mut saved = vec![];
        let found = salvage(Cursor::new(archive), options.clone(), &mut saved);
        let found = blamed(found).expect("what decodes can be saved");
        let told = blamed(assess(Cursor::new(archive), options.clone()));
        assert_eq!((found.games, found.missing.len()), (games, 0));
        assert_eq!(told, Some(found));
        assert_eq!(saved, original, "what was saved");
    }
    Verdict::Whole { games }
}
