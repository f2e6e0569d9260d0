//! How PGN is read as chess, pinned by exact values: a version of shakmaty that reads another position or move out of
//! the same bytes changes what archives mean, and fails here. See docs/generation.md.
//!
//! A digest is the start of the BLAKE3 of what a test collects.

use plyzip::pgn::{self, Game, Tag};
use plyzip::unstable::chess::{legal_moves, position_key};
use plyzip::unstable::pgn::{San, SanForm};
use shakmaty::{Chess, Position};

#[path = "games/mod.rs"]
mod games;

use games::{Random, random_game, starts};

fn digest(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..16].to_owned()
}

/// The start of a game with these tags.
fn start(fen: &str, variant: Option<&str>) -> Option<Chess> {
    let variant = variant.map(|variant| format!("[Variant \"{variant}\"]\n")).unwrap_or_default();
    let text = format!("{variant}[FEN \"{fen}\"]\n\n*\n");
    let document = pgn::parse(text.as_bytes());
    document.items.iter().find_map(|item| item.game()).and_then(Game::start)
}

/// At most two random changes, exchanges, deletions and insertions.
fn mutated(text: &str, random: &mut Random, letters: &[u8]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..random.below(3) {
        let (place, letter) = (random.below(bytes.len()), letters[random.below(letters.len())]);
        match random.below(6) {
            0 | 1 => bytes[place] = letter,
            2 | 3 => {
                let other = random.below(bytes.len());
                bytes.swap(place, other);
            }
            4 => bytes.insert(place, letter),
            _ if bytes.len() > 1 => drop(bytes.remove(place)),
            _ => {}
        }
    }
    String::from_utf8(bytes).unwrap()
}

const FENS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/pppp2P1/8/3Pp3/8/1n6/P1PPPP2/R3K2R w KQkq e6 0 1",
    "8/1PPPk3/8/8/2pP4/8/1p2K1pp/5R2 b - d3 0 1",
    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "1r1k1r2/8/8/8/8/8/8/1R3KR1 w GBfb - 0 1",
    "8/8/4k3/8/8/3K4/8/7R w - - 97 80",
    "qqqqk3/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQK3 w - - 0 1",
];

#[test]
fn which_text_is_a_position() {
    let (mut random, mut bytes, mut read) = (Random(11), vec![], 0);
    for round in 0..6000 {
        let variant = [None, Some("chess960"), Some("From Position")][round % 3];
        let fen =
            mutated(FENS[round / 3 % 8], &mut random, b"prnbqkPRNBQK12345678/wb-KQkqHAha 036");
        let position = start(&fen, variant);
        read += usize::from(position.is_some());
        bytes.extend(
            position
                .map_or(0, |position| {
                    position_key(&position)
                        ^ u64::from(position.halfmoves())
                        ^ position.castles().castling_rights().0.rotate_left(7)
                })
                .to_le_bytes(),
        );
    }
    assert_eq!((read, &digest(&bytes)[..]), (1950, "5c6b4467ab3edfdb"));
}

#[test]
fn positions_of_all_sorts_are_read_or_refused() {
    let odd = [
        // Too much material, and a check that no move could have given, are no reason to refuse.
        ("qqqqk3/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQK3 w - - 0 1", None, true),
        ("4k3/8/8/8/4R3/8/3N4/R3K2b b - - 0 1", None, true),
        ("4k3/4R3/2N5/1B6/8/8/8/4K3 b - - 0 1", None, true),
        // Pawns on the last ranks, a king too few or in check while the other side moves, bad rights.
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", None, false),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", None, false),
        ("4k3/8/8/8/8/8/8/4R2K w - - 0 1", None, false),
        ("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", None, false),
        ("4k3/8/8/8/8/8/8/4K3 w - e3 0 1", None, false),
        ("1r1k1r2/8/8/8/8/8/8/1R3KR1 w GBfb - 0 1", None, false),
        ("1r1k1r2/8/8/8/8/8/8/1R3KR1 w GBfb - 0 1", Some("Chess960"), true),
        ("1r1k1r2/8/8/8/8/8/8/1R3KR1 w KQkq - 0 1", Some("fischerandom"), true),
        ("4k3/8/8/8/8/8/8/4K3 w", None, true),
        ("4k3/8/8/8/8/8/8/4K3", None, true),
        ("4k3/8/8/8/8/8/8/4K3 w - - 5", None, true),
        ("4k3/8/8/8/8/8/8/4K3 w - - 99999 99999", None, true),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", None, false),
        ("4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1", None, true),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", Some("Crazyhouse"), false),
        ("", None, false),
    ];
    for (fen, variant, expected) in odd {
        assert_eq!(start(fen, variant).is_some(), expected, "{fen} {variant:?}");
    }
}

#[test]
fn how_moves_are_written() {
    let (mut random, mut bytes) = (Random(12), vec![]);
    for start in starts() {
        let mut position = start.clone();
        for played in random_game(&start, 60, &mut random) {
            for legal in legal_moves(&position) {
                let san = San::play(&mut position.clone(), legal).unwrap();
                san.write(SanForm::default(), &mut bytes);
                bytes.push(b' ');
            }
            position.play_unchecked(played);
        }
    }
    assert_eq!(digest(&bytes), "4b38def4c41de0d8");
}

#[test]
fn which_text_is_which_move() {
    let (mut random, mut bytes, mut read) = (Random(13), vec![], 0);
    for start in starts() {
        let mut position = start.clone();
        for played in random_game(&start, 60, &mut random) {
            let fen = shakmaty::fen::Fen::from_position(&position, shakmaty::EnPassantMode::Legal);
            let mut word = vec![];
            San::play(&mut position.clone(), played).unwrap().write(SanForm::default(), &mut word);
            let word = String::from_utf8(word).unwrap();
            for _ in 0..4 {
                let word = mutated(&word, &mut random, b"abcdefgh12345678NBRQKPxX:-=+#O0onbrqk/");
                let variant = position.castles().mode().is_chess960().then_some("chess960");
                let variant =
                    variant.map(|variant| format!("[Variant \"{variant}\"]\n")).unwrap_or_default();
                let text = format!("{variant}[FEN \"{fen}\"]\n\n{word} *\n");
                let document = pgn::parse(text.as_bytes());
                let game = document.items.iter().find_map(|item| item.game());
                let moves = game.map(|game| &game.lines[0].moves[..]).unwrap_or_default();
                read += moves.len();
                for played in moves {
                    bytes.extend([played.from().map_or(64, u8::from), u8::from(played.to())]);
                    bytes.push(played.promotion().map_or(0, u8::from));
                }
                bytes.push(255);
            }
            position.play_unchecked(played);
        }
    }
    assert_eq!((read, &digest(&bytes)[..]), (1206, "fc339baff64e9417"));
}

#[test]
fn tags_say_where_a_game_begins() {
    let game = Game {
        tags: vec![Tag { name: b"Variant".to_vec(), value: b"Chess960".to_vec() }],
        ..Game::default()
    };
    // Chess960 has no start of its own.
    assert_eq!(game.start(), None);
    assert_eq!(Game::default().start(), Some(Chess::default()));
}
