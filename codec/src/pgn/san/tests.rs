use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, FromSetup, Square};

use super::*;

fn position(fen: &str) -> Chess {
    let setup = fen.parse::<Fen>().unwrap().into_setup();
    Chess::from_setup(setup, CastlingMode::Standard).unwrap()
}

fn read(fen: &str, word: &str) -> Option<(String, Option<SanForm>)> {
    let mut position = position(fen);
    let (san, form) = San::read(&mut position, word.as_bytes())?;
    let mut text = Vec::new();
    san.write(SanForm::default(), &mut text);
    let mut spelled = Vec::new();
    if let Some(form) = form {
        san.write(form, &mut spelled);
        assert_eq!(spelled, word.as_bytes());
        assert_eq!(SanForm::from_bits(form.to_bits()), Some(form));
    }
    Some((String::from_utf8(text).unwrap(), form))
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const PROMOTE: &str = "3r4/4P3/6k1/8/8/8/8/4K2R w K - 0 1";

#[test]
fn many_spellings_mean_the_same_move() {
    for (fen, word, canonical) in [
        (START, "e4", "e4"),
        (START, "e2e4", "e4"),
        (START, "e2-e4", "e4"),
        (START, "Pe4", "e4"),
        (START, "Ng1f3", "Nf3"),
        (START, "Ng1-f3", "Nf3"),
        (START, "Ngf3", "Nf3"),
        (START, "Nf3+", "Nf3"),
        (PROMOTE, "e8=Q", "e8=Q+"),
        (PROMOTE, "e8Q+", "e8=Q+"),
        (PROMOTE, "exd8/q", "exd8=Q"),
        (PROMOTE, "ed8=N", "exd8=N"),
        (PROMOTE, "e:d8R", "exd8=R"),
        (PROMOTE, "0-0", "O-O"),
        (PROMOTE, "o-o+", "O-O"),
    ] {
        let (read, form) = read(fen, word).unwrap_or_else(|| panic!("{word}"));
        assert_eq!(read, canonical, "{word}");
        assert_eq!(form == Some(SanForm::default()), word == canonical, "{word}: {form:?}");
    }
}

#[test]
fn nonsense_is_no_move() {
    for word in ["", "e5", "Nd4", "Sf3", "e8=Q", "--", "Z0", "O-O", "x", "+", "e9", "Nxyf3"] {
        assert_eq!(read(START, word), None, "{word}");
    }
    assert_eq!(read(PROMOTE, "e8"), None);
    assert_eq!(read("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "Rf1").unwrap().0, "Rf1");
    assert_eq!(read("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "Rd1"), None);
}

#[test]
fn canonical_spelling_is_what_shakmaty_writes() {
    let fens = [
        START,
        PROMOTE,
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "8/7k/8/Q3Q3/3p4/8/2K5/Q3Q3 w - - 0 1",
        "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "7k/5K2/8/6Q1/8/8/8/8 w - - 0 1",
        "k7/8/8/1N3N2/8/8/1N3N2/7K w - - 0 1",
    ];
    for fen in fens {
        let position = position(fen);
        for m in position.legal_moves() {
            let mut text = Vec::new();
            San::play(&mut position.clone(), m).unwrap().write(SanForm::default(), &mut text);
            let expected = SanPlus::from_move(position.clone(), m).to_string();
            assert_eq!(String::from_utf8(text).unwrap(), expected, "{fen}");
        }
    }
}

#[test]
fn illegal_moves_are_not_played() {
    let mut position = position(START);
    let illegal = Move::Normal {
        role: Role::Knight,
        from: Square::G1,
        capture: None,
        to: Square::G5,
        promotion: None,
    };
    assert_eq!(San::play(&mut position, illegal), None);
    assert_eq!(position, Chess::default());
}
