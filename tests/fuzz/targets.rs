//! What must hold for any bytes. Each target takes bytes and panics if it does not hold; `tests/fuzz/main.rs` runs
//! them for seconds, `fuzz/` under libFuzzer for as long as one likes.

use std::io::Cursor;
use std::sync::LazyLock;

use plyzip::archive::{
    ArchiveReader, ArchiveWriter, IndexedReader, Limits, ReaderOptions, WriterOptions,
};
use plyzip::bits::BitString;
use plyzip::pgn::{self, Item, Token};
use plyzip::{Error, GameCodec, GameHeader, Model, ordinal, position};
use shakmaty::{Chess, Position};

/// A target.
pub type Target = fn(&[u8]);

/// All targets by name.
pub const TARGETS: [(&str, Target); 7] = [
    ("pgn_lexer", pgn_lexer),
    ("pgn_round_trip", pgn_round_trip),
    ("archive", archive),
    ("index", index),
    ("single_games", single_games),
    ("model", model),
    ("historical", historical),
];

/// Games of every kind that a stream has something for.
pub const SEEDS: [&str; 5] = [
    "[Event \"A\"]\n[White \"Anderssen, A\"]\n[Black \"Kieseritzky, L\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. f4 exf4 3. Bc4 \
     Qh4+ 4. Kf1 b5 5. Bxb5 Nf6 1-0\n\n[Event \"B\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n",
    "[Event \"C\"]\n[ECO \"C20\"]\n\n1. e4 $1 e5 {a comment} (1... c5 2. Nf3 (2. c3 d5 $14) 2... d6) 2. Nf3!? Nc6 ; \
     rest\n% escape\n3. Bb5 a6 *\n\n[Event \"D\"]\n\n1. d4 { [%clk 0:03:00] [%eval 0.2] } d5 { [%clk 0:02:58] } *\n",
    "[FEN \"4k3/P7/8/8/8/8/8/4K2R w K - 0 1\"]\n[SetUp \"1\"]\n\n1. a8=Q+ Kd7 2. O-O 1/2-1/2\n\nno game at all\n",
    "1.e2-e4 e7e5 2.Ng1f3 *\r\n\r\n[A \"b\"]*[B \"c \"d\" e\"]\r\n\r\n1. e4 (1. d4 x) (1. c4 {) 1... e5 ",
    "[Event \"E\"]\n\n1. e4\n(1. d4\n%)\n(1. c4 (1. b4 1... e5) x) )) 1... c5 -- *\n\u{feff}[Event \"F\"]\n[Event \"F\"]\n",
];

/// Any bytes are items without gaps, whose atoms follow each other.
pub fn pgn_lexer(data: &[u8]) {
    let document = pgn::parse(data);
    let (items, ranges, atoms) = (&document.items, &document.ranges, &document.atoms);
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

/// Any bytes come back, however they are cut; the first byte says how.
pub fn pgn_round_trip(data: &[u8]) {
    let Some((&shape, original)) = data.split_first() else { return };
    let options = WriterOptions {
        block_games: [1, 2, 7, 20_000][usize::from(shape & 3)],
        page_games: [Some(1), Some(2), Some(3), None][usize::from(shape >> 2 & 3)],
        block_bytes: [64, 1000, 32 << 20, 32 << 20][usize::from(shape >> 4 & 3)],
        verify: false,
    };
    let archive = compressed(original, options);
    assert!(
        archive.len()
            <= original.len() + 64 + 24 * original.len().div_ceil(options.block_bytes.min(1000))
    );
    let mut back = vec![];
    ArchiveReader::new(&archive[..]).unwrap().copy_to(&mut back).unwrap();
    assert_eq!(back, original);
    let mut reader = IndexedReader::open(Cursor::new(&archive)).unwrap();
    let blocks: Vec<u8> =
        (0..reader.blocks().len()).flat_map(|block| reader.block(block).unwrap()).collect();
    assert_eq!(blocks, original);
    for game in 0..reader.summary().stats.games {
        let game = reader.game(game).unwrap();
        assert!(original.windows(game.len()).any(|window| window == game));
    }
}

/// Damage behind checksums that fit gives an error or the original.
pub fn archive(data: &[u8]) {
    let Some((original, archive)) = damaged(data, |_| true) else { return };
    let options = ReaderOptions { limits: LIMITS, ..ReaderOptions::default() };
    let mut back = vec![];
    let read = ArchiveReader::with_options(&archive[..], options)
        .and_then(|reader| reader.copy_to(&mut back));
    match read {
        Ok(_) => assert_eq!(&back, original),
        Err(error) => blames_the_archive(&error),
    }
    indexed(&archive);
}

/// Likewise, for damage to nothing but the index.
pub fn index(data: &[u8]) {
    let Some((_, archive)) = damaged(data, |section| section == 4 || section == 8) else { return };
    indexed(&archive);
}

/// Any bytes are a game or an error, and a game has bytes.
pub fn single_games(data: &[u8]) {
    static CODEC: LazyLock<GameCodec> = LazyLock::new(|| GameCodec::new(Model::none()));
    let header = GameHeader::default();
    if let Ok(moves) = CODEC.decode(&header, data) {
        assert_eq!(CODEC.encode(&header, &moves).unwrap(), data);
    }
}

/// A model's file with other bytes is refused, or a model like any other. Four bytes are a change: a place, in three
/// of them, and what the byte there is changed by.
pub fn model(data: &[u8]) {
    let read = |bytes: &[u8]| match Model::from_bytes(bytes) {
        Ok(model) => Some(model),
        Err(Error::Model(_)) => None,
        Err(error) => panic!("{error:?}"),
    };
    assert!(read(data).is_none());
    let mut file = include_bytes!("../../models/standard.onnx").to_vec();
    let (changes, _) = data.as_chunks();
    for &[a, b, c, change] in changes {
        // Half of the changes go to the ends, where the structure is.
        let place = usize::from(a) << 16 | usize::from(b) << 8 | usize::from(c);
        let place = match place % 4 {
            0 => place / 4 % 4096,
            1 => file.len() - 1 - place / 4 % 4096,
            _ => place % file.len(),
        };
        file[place] ^= change;
    }
    if let Some(model) = read(&file) {
        let codec = GameCodec::new(model);
        let header = GameHeader::default();
        let moves: Vec<_> = header.start.legal_moves().into_iter().take(1).collect();
        // A network that computes nothing sensible may fail, but never differently.
        if let Ok(bytes) = codec.encode(&header, &moves) {
            assert_eq!(codec.decode(&header, &bytes).unwrap(), moves);
        }
    }
}

/// Any bits are a game or a position of each code, or an error; a game has bits, and a position, too.
pub fn historical(data: &[u8]) {
    let Some((&last, bytes)) = data.split_last() else { return };
    let mut bits = BitString::from_bytes(bytes.to_vec());
    // Not always whole bytes.
    bits.push_bits(u64::from(last >> 2) & ((1 << (last & 3)) - 1), u32::from(last & 3));
    let start = Chess::default();
    for code in ordinal::historical() {
        if let Ok(moves) = code.decode(&start, &bits) {
            let bits = code.encode(&start, &moves).unwrap();
            assert_eq!(code.decode(&start, &bits).unwrap(), moves, "{}", code.id());
        }
    }
    for code in position::all() {
        if let Ok(position) = code.decode(&bits)
            && let Ok(bits) = code.encode(&position)
        {
            let stored = code.decode(&bits).unwrap();
            assert!(code.coverage().same(&position, &stored), "{}", code.id());
        }
    }
}

/// What is read in these targets is small.
const LIMITS: Limits = Limits {
    block_original: 1 << 16,
    block_payload: 1 << 17,
    block_games: 1 << 10,
    blocks: 1 << 10,
    model_file: 1 << 16,
    model_name: 64,
};

fn compressed(original: &[u8], options: WriterOptions) -> Vec<u8> {
    let mut writer = ArchiveWriter::with_options(vec![], Model::none(), options).unwrap();
    writer.push(original).unwrap();
    writer.finish().unwrap().0
}

fn blames_the_archive(error: &Error) {
    let archive = matches!(
        error,
        Error::Damaged(_) | Error::Unsupported(_) | Error::Limit(_) | Error::ModelMissing { .. }
    );
    assert!(archive, "{error:?}");
}

/// Reads what an index leads to.
fn indexed(archive: &[u8]) {
    let options = ReaderOptions { limits: LIMITS, ..ReaderOptions::default() };
    let mut reader = match IndexedReader::with_options(Cursor::new(archive), options) {
        Ok(reader) => reader,
        Err(error) => return blames_the_archive(&error),
    };
    for block in 0..reader.blocks().len().min(3) {
        let _ = reader.tags(block).map_err(|error| blames_the_archive(&error));
        let _ = reader.block(block).map_err(|error| blames_the_archive(&error));
    }
    for game in 0..reader.summary().stats.games.min(3) {
        let _ = reader.game(game).map_err(|error| blames_the_archive(&error));
    }
}

/// An archive's sections without their checksums.
struct Parts {
    original: Vec<u8>,
    header: Vec<u8>,
    sections: Vec<Vec<u8>>,
}

impl Parts {
    fn of(original: &[u8], options: WriterOptions) -> Parts {
        let archive = compressed(original, options);
        let (header, mut rest) = archive.split_at(7);
        let mut sections = vec![];
        while rest.len() > 4 {
            let mut crc = crc32fast::Hasher::new();
            let length = (1..rest.len() - 3).find(|&length| {
                crc.update(&rest[length - 1..length]);
                crc.clone().finalize().to_le_bytes() == rest[length..length + 4]
            });
            let length = length.expect("sections end with checksums");
            sections.push(rest[..length].to_vec());
            rest = &rest[length + 4..];
        }
        Parts { original: original.to_vec(), header: header.to_vec(), sections }
    }

    fn join(&self) -> Vec<u8> {
        let mut archive = self.header.clone();
        let mut length = 0;
        for section in &self.sections {
            archive.extend_from_slice(section);
            archive.extend(crc32fast::hash(section).to_le_bytes());
            length = section.len() + 4;
        }
        archive.extend((length as u32).to_le_bytes());
        archive
    }
}

/// An archive, damaged as `data` says, with checksums that fit, and its original. The first byte chooses the archive,
/// each four bytes after it are a change to a section of which `wanted` likes the kind.
fn damaged(data: &[u8], wanted: fn(u8) -> bool) -> Option<(&'static Vec<u8>, Vec<u8>)> {
    static ARCHIVES: LazyLock<Vec<Parts>> = LazyLock::new(|| {
        let shape = |block_games, page_games| WriterOptions {
            block_games,
            page_games: Some(page_games),
            verify: false,
            ..WriterOptions::default()
        };
        let all = SEEDS.concat();
        let mut archives: Vec<Parts> =
            SEEDS.iter().map(|seed| Parts::of(seed.as_bytes(), shape(20_000, 128))).collect();
        archives.extend(
            [(1, 1), (3, 2), (20_000, 2)]
                .map(|(block, page)| Parts::of(all.as_bytes(), shape(block, page))),
        );
        archives
    });
    let (&which, changes) = data.split_first()?;
    let archive = &ARCHIVES[usize::from(which) % ARCHIVES.len()];
    let mut parts = Parts {
        original: vec![],
        header: archive.header.clone(),
        sections: archive.sections.clone(),
    };
    let mut sections: Vec<&mut Vec<u8>> =
        parts.sections.iter_mut().filter(|section| wanted(section[0])).collect();
    let (changes, _) = changes.as_chunks();
    for &[which, place, how, value] in changes {
        let number = usize::from(which) % sections.len();
        let section = &mut sections[number];
        // Places near the beginning, where the lengths are, and anywhere.
        let place = match how & 8 {
            0 => usize::from(place),
            _ => usize::from(place) * section.len() / 256,
        };
        let place = place % section.len().max(1);
        match how & 7 {
            0 => section.insert(place, value),
            1 if section.len() > 1 => drop(section.remove(place)),
            2 => section.truncate(place.max(1)),
            _ => section[place] ^= value,
        }
    }
    Some((&archive.original, parts.join()))
}
