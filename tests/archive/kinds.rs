//! Five kinds of file come back byte for byte, with and without the network, and never grow by more
//! than 64 bytes.

use plyzip::Model;
use plyzip::archive::{ArchiveReader, ArchiveWriter};

fn check(kind: &str, input: &[u8]) {
    for model in [Model::none(), Model::embedded().unwrap()] {
        let name = model.name().to_owned();
        let mut writer = ArchiveWriter::new(Vec::new(), model).unwrap();
        writer.push(input).unwrap();
        let (archive, _) = writer.finish().unwrap();
        assert!(archive.len() <= input.len() + 64, "{kind}, {name}: {} bytes", archive.len());
        let mut back = Vec::new();
        ArchiveReader::new(&archive[..]).unwrap().copy_to(&mut back).unwrap();
        assert!(back == input, "{kind}, {name}");
    }
}

/// Réti against Tartakower, Vienna 1910, as an author might annotate it.
const ANNOTATED: &str = r#"[Event "Vienna"]
[Site "Vienna AUT"]
[Date "1910.??.??"]
[Round "?"]
[White "Reti, Richard"]
[Black "Tartakower, Savielly"]
[Result "1-0"]
[Annotator "?"]

{A short game with a long life.} 1. e4 c6 2. d4 d5 3. Nc3 dxe4 4. Nxe4 Nf6 5.
Qd3 $6 e5 $2 (5... Nxe4 6. Qxe4 Nd7 (6... Qd5 $5 7. Qxd5 cxd5 {is about equal})
7. Bc4 $14) 6. dxe5 Qa5+ 7. Bd2 Qxe5 8. O-O-O! {castling out of the pin} Nxe4??
% a line that a program should skip
9. Qd8+!! Kxd8 10. Bg5+ ; double check
Kc7 (10... Ke8 11. Rd8#) 11. Bd8# 1-0

"#;

const CLOCKS: &str = r#"[Event "Rated Blitz game"]
[Site "https://example.org/aB3dE6gH"]
[Date "2024.02.29"]
[White "somebody"]
[Black "anybody"]
[Result "0-1"]
[UTCDate "2024.02.29"]
[UTCTime "23:59:58"]
[WhiteElo "1500"]
[BlackElo "1512"]
[WhiteRatingDiff "-6"]
[BlackRatingDiff "+6"]
[ECO "A00"]
[TimeControl "180+2"]
[Termination "Normal"]

1. f3 { [%eval -0.51] [%clk 0:03:00] } 1... e5 { [%eval -0.4] [%clk 0:03:00] } 2. g4?? { [%eval #-1] [%clk 0:03:01] } 2... Qh4# { [%clk 0:02:59] } 0-1

"#;

const BROKEN: &str = "[Event \"no end\"]\n[White \"A\n[Black \"B\"]\n\n1. e4 e5 2. Ke3 Nf6 {never closed\n\n\
[Event \"foreign\"]\n\n1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 1/2-1/2\n\n\
[Event \"good\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n\
[Event \"cut\"]\n[FEN \"nonsense\"]\n\n1. e4 (((( 1... e5 )) $999 !!?? e9 0-1 0-1\n\n\
[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e4 *\n\n1. d4 d5 2. c4";

#[test]
fn annotated_games() {
    check("annotated", ANNOTATED.as_bytes());
    check("annotated, many", ANNOTATED.repeat(40).as_bytes());
}

#[test]
fn clocks_and_evaluations() {
    check("clocks", CLOCKS.as_bytes());
    check("clocks, many", CLOCKS.repeat(40).as_bytes());
}

#[test]
fn latin_1_with_carriage_returns() {
    let mut bytes = ANNOTATED.replace("Reti", "R\u{1}ti").replace('\n', "\r\n").into_bytes();
    bytes.iter_mut().filter(|byte| **byte == 1).for_each(|byte| *byte = 0xe9);
    check("CRLF, Latin-1", &bytes);
    let marked = [b"\xef\xbb\xbf".as_slice(), &bytes, b"\0", &bytes].concat();
    check("with a byte order mark and a NUL", &marked);
}

#[test]
fn broken_games() {
    check("broken", BROKEN.as_bytes());
    check("broken between good", (ANNOTATED.to_owned() + BROKEN + CLOCKS + BROKEN).as_bytes());
    for end in 0..BROKEN.len() {
        if end % 29 == 0 {
            check("broken and cut", &BROKEN.as_bytes()[..end]);
        }
    }
}

#[test]
fn no_pgn_at_all() {
    check("empty", b"");
    check("one byte", b"x");
    check("prose", "It is not a move, but I like it. ".repeat(50).as_bytes());
    let mut state = 1u32;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    })
    .take(100_000)
    .collect();
    check("noise", &noise);
}
