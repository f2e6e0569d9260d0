//! Archives read with an index of their moves, compared with the same archives read without.

use std::io::Cursor;

use plyzip::archive::{
    ArchiveReader, ArchiveWriter, Follower, GameSummary, IndexedReader, MovesIndex, ReaderOptions,
    Selection, Verdict, WriterOptions,
};
use plyzip::pgn::{Game, Tag};
use plyzip::{Error, Model};
use shakmaty::{Chess, Color, Move, Position};

use crate::pgn;

/// The file of a small network.
const SMALL: &[u8] = include_bytes!("../archives/1/small-embedded.plz");

pub fn small() -> Model {
    // Name and hash stand before the file.
    let begin = 7 + 1 + 1 + 5 + 16;
    let length = usize::from(SMALL[begin] & 127)
        | usize::from(SMALL[begin + 1] & 127) << 7
        | usize::from(SMALL[begin + 2]) << 14;
    Model::from_bytes(&SMALL[begin + 3..begin + 3 + length]).unwrap()
}

/// Games with everything that an index has to know: variations of variations, clocks, other starts, late tags, games
/// that end early, and what is no game.
const STRANGE: &str = "\
text before\n\n[Event \"A\"]\n[ECO \"C44\"]\n[Opening \"Scotch Game\"]\n[Result \"1-0\"]\n\n1. e4 e5 (1... c5 2. Nf3 (2. c3 d5 \
3. exd5) 2... d6 {text}) (1... c6) 2. Nf3 Nc6 3. d4 exd4 1-0\n\n\
[Event \"B\"]\n[FEN \"8/1PPPk3/8/8/2pP4/8/1p2K1pp/5R2 b - d3 0 1\"]\n[SetUp \"1\"]\n\n1... cxd3+ 2. Kd2 gxf1=N+ *\n\n\
[Event \"C\"]\n[Variant \"Chess960\"]\n[FEN \"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\"]\n\n\
9. O-O O-O 10. e4 *\n\n\
[Event \"D\"]\n[Variant \"Atomic\"]\n\n1. e4 e5 *\n\n\
[Event \"E\"]\n[TimeControl \"180+2\"]\n\n1. d4 { [%clk 0:03:00] } d5 { [%clk 0:02:58] } 2. c4 { [%clk 0:02:40] } e6 { \
[%clk 0:02:51] } 3. Nc3 { [%clk 0:02:12] } Nf6 { [%clk 0:02:50] } 4. Bg5 { [%clk 0:02:10] } Be7 { [%clk 0:02:31] } *\n\n\
[Event \"F\"]\n[ECO \"A00\"]\n\n*\n\n[Event \"G\"]\n\n1. e4 e5 2. Ke2 nonsense 3. d4 *\n\n";

pub fn archive(original: &[u8], model: &Model, block_games: u64, page_games: u64) -> Vec<u8> {
    let page_games = Some(page_games);
    let options = WriterOptions::new().block_games(block_games).page_games(page_games);
    let mut writer = ArchiveWriter::with_options(vec![], model.clone(), options).unwrap();
    writer.push(original).unwrap();
    writer.finish().unwrap().0
}

pub fn index_of(archive: &[u8], model: Option<Model>, before: Option<&MovesIndex>) -> Vec<u8> {
    let options = ReaderOptions::new().model(model);
    let mut reader = IndexedReader::with_options(Cursor::new(archive), options).unwrap();
    let mut index = vec![];
    reader.write_index(&mut index, before).unwrap();
    index
}

pub fn opened(index: &[u8]) -> MovesIndex {
    MovesIndex::open(Cursor::new(index.to_vec())).unwrap()
}

pub fn with_index(archive: &[u8], index: Option<&MovesIndex>) -> IndexedReader<Cursor<Vec<u8>>> {
    let options = ReaderOptions::new().index(index.cloned());
    IndexedReader::with_options(Cursor::new(archive.to_vec()), options).unwrap()
}

/// Games that some White bishop leaves the board of, found by moves; of these, those whose tags are so.
struct Bishops {
    reads_tags: bool,
    eco: bool,
}

struct Bishop;

impl Selection for Bishops {
    fn reads_tags(&self) -> bool {
        self.reads_tags
    }

    fn by_tags(&self, number: u64, _: &[Tag]) -> Verdict {
        if number % 5 == 4 { Verdict::Wanted } else { Verdict::Open }
    }

    fn follow<'a>(&'a self, _: u64, _: &[Tag]) -> Option<Box<dyn Follower + 'a>> {
        (!self.eco).then(|| Box::new(Bishop) as _)
    }

    fn by_game(&self, number: u64, game: &Game) -> bool {
        let Some(mut position) = game.start() else { return number % 5 == 4 };
        let has = |game: &Game| game.tag("ECO").is_some_and(|eco| eco.starts_with(b"C"));
        let mut is_gone = lacks_bishop(&position);
        for &played in &game.lines[0].moves {
            position.play_unchecked(played);
            is_gone |= lacks_bishop(&position);
        }
        number % 5 == 4 || is_gone || self.eco && has(game)
    }
}

fn lacks_bishop(position: &Chess) -> bool {
    let board = position.board();
    (board.by_color(Color::White) & board.bishops()).count() < 2
}

impl Follower for Bishop {
    fn see_summary(&mut self, summary: &GameSummary) -> Verdict {
        // All men are left.
        if summary.men.white == 16 { Verdict::Unwanted } else { Verdict::Open }
    }

    fn see(&mut self, position: &Chess, _: Option<Move>) -> Verdict {
        if lacks_bishop(position) { Verdict::Wanted } else { Verdict::Open }
    }

    fn end(&mut self) -> Verdict {
        Verdict::Unwanted
    }
}

/// Everything that a reader is asked for.
#[derive(Debug, PartialEq)]
pub struct Answers {
    pub blocks: Vec<Vec<u8>>,
    pub games: Vec<Vec<u8>>,
    found: Vec<Vec<Vec<u8>>>,
    counts: Vec<u64>,
    lines: Vec<(u64, Vec<Tag>, u64)>,
    openings: Vec<(u64, Vec<Move>, u64)>,
    said: Vec<Game>,
}

pub fn answers(open: impl Fn() -> IndexedReader<Cursor<Vec<u8>>>) -> Answers {
    let selections = [(true, false), (true, true), (false, false)]
        .map(|(reads_tags, eco)| Bishops { reads_tags, eco });
    let games = open().summary().stats.games;
    let mut lines = vec![];
    let mut line = |number, tags: &[Tag], plies| {
        lines.push((number, tags.to_vec(), plies));
        Ok(())
    };
    open().select(&selections[1]).all_tags(&mut line).unwrap();
    let mut openings = vec![];
    let mut opening = |number, game: &Game, plies| {
        let moves = &game.lines[0].moves;
        openings.push((number, moves[..moves.len().min(6)].to_vec(), plies));
        Ok(())
    };
    open().select(&selections[0]).openings(6, &mut opening).unwrap();
    let mut said = vec![];
    let mut say = |_, game: &Game| {
        said.push(game.clone());
        Ok(())
    };
    open().select(&selections[0]).games(&mut say).unwrap();
    let select = |selection| {
        let mut found = vec![];
        open()
            .select(selection)
            .bytes(|_, game| {
                found.push(game.to_vec());
                Ok(())
            })
            .unwrap();
        found
    };
    let mut reader = open();
    Answers {
        blocks: (0..reader.blocks().len()).map(|block| reader.block(block).unwrap()).collect(),
        games: (0..games).map(|game| reader.game(game).unwrap()).collect(),
        found: selections.iter().map(select).collect(),
        counts: selections.iter().map(|one| open().select(one).count().unwrap()).collect(),
        lines,
        openings,
        said,
    }
}

fn original() -> Vec<u8> {
    [STRANGE.repeat(4).into_bytes(), pgn::games(40).concat()].concat()
}

#[test]
fn an_index_gives_what_the_archive_gives() {
    let original = original();
    for (block_games, page_games) in [(20_000, 512), (20_000, 7), (9, 4)] {
        let archive = archive(&original, &Model::none(), block_games, page_games);
        let index = opened(&index_of(&archive, None, None));
        let expected = answers(|| with_index(&archive, None));
        assert!(expected.found.iter().all(|found| !found.is_empty()));
        assert_eq!(answers(|| with_index(&archive, Some(&index))), expected);
        let mut reader = with_index(&archive, Some(&index));
        assert_eq!(reader.check_index().unwrap(), reader.summary().stats.games);
        assert_eq!(reader.index_fault(), None);
    }
}

#[test]
fn with_an_index_no_model_is_needed() {
    let original = original();
    let archive = archive(&original, &small(), 20_000, 20);
    let index = opened(&index_of(&archive, Some(small()), None));
    let missing = with_index(&archive, None).game(3);
    assert!(matches!(missing, Err(Error::ModelMissing { .. })), "{missing:?}");
    let options = || ReaderOptions::new().model(small());
    let with_model =
        || IndexedReader::with_options(Cursor::new(archive.clone()), options()).unwrap();
    assert_eq!(answers(|| with_index(&archive, Some(&index))), answers(with_model));
    let options = ReaderOptions::new().index(index);
    let mut reader = ArchiveReader::with_options(&archive[..], options).unwrap();
    let mut back = vec![];
    while let Some(block) = reader.next_block().unwrap() {
        back.extend(block);
    }
    assert_eq!((back == original, reader.index_fault()), (true, None));
}

#[test]
fn an_index_goes_on_when_games_are_appended() {
    let [old, new] = [original(), pgn::games(60).concat()];
    let [first, second] = [&old, &new].map(|games| archive(games, &Model::none(), 30, 7));
    let before = opened(&index_of(&first, None, None));
    let whole = [&first[..], &second].concat();
    let mut reader = with_index(&whole, Some(&before));
    let games = with_index(&first, None).summary().stats.games;
    assert_eq!((reader.indexed_games(), reader.index_fault()), (games, None));
    assert_eq!(reader.check_index().unwrap(), games);
    let expected = answers(|| with_index(&whole, None));
    assert_eq!(answers(|| with_index(&whole, Some(&before))), expected);
    let after = index_of(&whole, None, Some(&before));
    assert_eq!(after, index_of(&whole, None, None));
    assert_eq!(answers(|| with_index(&whole, Some(&opened(&after)))), expected);
    // Of another archive.
    let mut other = with_index(&second, Some(&before));
    assert_eq!((other.indexed_games(), other.index_fault().is_some()), (0, true));
    assert!(matches!(other.check_index(), Err(Error::Usage(_))));
    assert_eq!(other.game(0).unwrap(), with_index(&second, None).game(0).unwrap());
    let options = ReaderOptions::new().index(before);
    let mut back = vec![];
    ArchiveReader::with_options(&second[..], options).unwrap().copy_to(&mut back).unwrap();
    assert_eq!(back, new);
}

#[test]
fn a_damaged_index_is_passed_over() {
    let original = original();
    let archive = archive(&original, &Model::none(), 30, 7);
    let index = index_of(&archive, None, None);
    let expected = answers(|| with_index(&archive, None));
    let (mut refused, mut noticed) = (0, 0);
    for step in 0..60 {
        let place = step * index.len() / 60;
        let mut wrong = index.clone();
        match step % 3 {
            0 => wrong.truncate(place),
            _ => wrong[place] ^= 1 << (step % 8),
        }
        match MovesIndex::open(Cursor::new(wrong)) {
            Err(Error::Damaged(_) | Error::Unsupported(_) | Error::Limit(_)) => refused += 1,
            Err(error) => panic!("{error:?}"),
            Ok(opened) => {
                assert_eq!(answers(|| with_index(&archive, Some(&opened))), expected);
                let mut reader = with_index(&archive, Some(&opened));
                noticed += u32::from(reader.check_index().is_err());
            }
        }
    }
    assert!(refused > 20 && noticed > 20, "{refused}, {noticed}");
}

#[test]
fn what_indexes_know_is_not_decoded() {
    let model = small();
    let parts = [pgn::games(9).concat(), STRANGE.as_bytes().to_vec()];
    let parts = parts.map(|original| archive(&original, &model, 4, 2));
    let known = parts.each_ref().map(|part| opened(&index_of(part, Some(model.clone()), None)));
    let all = parts.concat();
    // Without the model, nothing can be decoded.
    let write = |known: &[MovesIndex]| {
        let mut index = vec![];
        let mut reader = IndexedReader::open(Cursor::new(&all)).unwrap();
        reader.write_index(&mut index, known).map(|_| index)
    };
    assert!(matches!(write(&[]), Err(Error::ModelMissing { .. })));
    assert!(matches!(write(&known[1..]), Err(Error::ModelMissing { .. })));
    let index = index_of(&all, Some(model.clone()), None);
    assert_eq!(write(&known).unwrap(), index);
    let [one, other] = known;
    assert_eq!(write(&[other, one]).unwrap(), index);
}
