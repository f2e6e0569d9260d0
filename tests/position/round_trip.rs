//! What a code claims to keep comes back.

use plyzip::Model;
use plyzip_history::position::{self, CodeError, LeadingGame};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, FromSetup, Position, PositionError};

use crate::random::{Material, Random, fen, games, made_up, positions, random_game};

/// Every code stores the position or has a reason that `excuse` accepts.
fn check(position: &Chess, excuse: impl Fn(&str, &str) -> bool) {
    for code in position::all() {
        match code.encode(position) {
            Ok(bits) => {
                let decoded = code.decode(&bits).unwrap_or_else(|error| {
                    panic!(
                        "{}: {error}: {:?}",
                        code.id(),
                        position.to_setup(shakmaty::EnPassantMode::Legal)
                    )
                });
                assert!(code.coverage().same(position, &decoded), "{}: {position:?}", code.id());
                assert_eq!(code.encode(&decoded).unwrap(), bits, "{}", code.id());
            }
            Err(CodeError::Uncovered(reason)) => {
                assert!(excuse(code.id(), reason), "{} {reason}: {position:?}", code.id());
            }
            Err(error) => panic!("{}: {error}", code.id()),
        }
    }
}

/// Nine of a kind, and a fifty-move counter past six bits.
fn usual_excuse(position: &Chess) -> impl Fn(&str, &str) -> bool {
    let crowd = position.board().material();
    let nine = [crowd.white, crowd.black].iter().any(|side| side.iter().any(|&count| count > 8));
    let counter = position.halfmoves() >= 128;
    move |id, _| id == "B4" && nine || id == "B5" && counter
}

#[test]
fn positions_of_random_games_come_back() {
    let mut random = Random(1);
    for _ in 0..60 {
        let game = random_game(400, &mut random);
        for position in positions(&game) {
            check(&position, usual_excuse(&position));
        }
    }
}

/// Many promotions, long endgames, more than 32 pieces or of one kind, chess960, and starts that no game
/// can reach.
#[test]
fn positions_of_games_from_hard_starts_come_back() {
    let mut random = Random(13);
    for start in games::starts() {
        let mut position = start.clone();
        let game = games::random_game(&start, 200, &mut random);
        for played in [None].into_iter().chain(game.into_iter().map(Some)) {
            played.into_iter().for_each(|played| position.play_unchecked(played));
            let usual = usual_excuse(&position);
            check(&position, |id, reason| {
                let chess960 = reason == "castling rights of Chess960";
                let promoted = reason == "more promoted pieces than pawns are missing";
                usual(id, reason)
                    || chess960 && ["S1", "P1", "B5"].contains(&id)
                    || promoted && id == "S1"
            });
        }
    }
}

#[test]
fn made_up_positions_come_back() {
    let mut random = Random(2);
    for material in [Material::Any, Material::Full, Material::Initial] {
        for _ in 0..4000 {
            let position = made_up(material, &mut random);
            check(&position, usual_excuse(&position));
        }
    }
}

#[test]
fn made_up_positions_have_all_that_codes_differ_in() {
    let mut random = Random(2);
    let positions: Vec<Chess> = (0..4000).map(|_| made_up(Material::Any, &mut random)).collect();
    let share = |trait_of: &dyn Fn(&Chess) -> bool| {
        positions.iter().filter(|position| trait_of(position)).count()
    };
    assert!(share(&|position| position.legal_ep_square().is_some()) > 20);
    assert!(share(&|position| position.castles().has_color(Color::White)) > 400);
    assert!(share(&|position| position.castles().castling_rights().count() > 2) > 20);
    assert!(share(&|position| position.board().occupied().count() < 8) > 100);
    assert!(share(&|position| position.board().occupied().count() > 24) > 100);
    assert!(share(&|position| position.board().queens().count() > 2) > 100);
    assert!(share(&|position| position.board().queens().count() > 5) > 0);
}

#[test]
fn two_kings_everywhere() {
    for white in shakmaty::Square::ALL {
        for black in shakmaty::Square::ALL {
            if white.distance(black) < 2 {
                continue;
            }
            let mut setup = shakmaty::Setup::empty();
            setup.board.set_piece_at(white, Color::White.king());
            setup.board.set_piece_at(black, Color::Black.king());
            for turn in Color::ALL {
                setup.turn = turn;
                let position = Chess::from_setup(setup.clone(), CastlingMode::Standard).unwrap();
                check(&position, |_, _| false);
            }
        }
    }
}

/// The black king anywhere, White with each set of castling rights.
#[test]
fn castling_rights_by_neighbours_of_any_square() {
    for square in shakmaty::Square::ALL {
        for rights in ["K", "Q", "KQ"] {
            let mut setup = format!("8/8/8/8/8/8/8/R3K2R w {rights} - 0 1")
                .parse::<Fen>()
                .unwrap()
                .into_setup();
            if setup.board.occupied().contains(square) {
                continue;
            }
            setup.board.set_piece_at(square, Color::Black.king());
            for turn in Color::ALL {
                setup.turn = turn;
                for mirrored in [false, true] {
                    let setup =
                        if mirrored { setup.clone().into_mirrored() } else { setup.clone() };
                    if let Ok(position) = Chess::from_setup(setup, CastlingMode::Standard) {
                        check(&position, |_, _| false);
                    }
                }
            }
        }
    }
}

#[test]
fn what_no_code_is_made_for_is_refused() {
    let chess960 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
        .parse::<Fen>()
        .unwrap()
        .into_setup();
    let chess960 = Chess::from_setup(chess960, CastlingMode::Chess960).unwrap();
    check(&chess960, |id, reason| {
        ["S1", "P1", "B5"].contains(&id) && reason == "castling rights of Chess960"
    });

    let crowd = fen("qqqqk3/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQK3 w - - 0 1");
    check(&crowd, |id, _| id == "S1" || id == "B4");

    let crowd = "nnnnknnn/nnnnnnnn/n7/8/8/8/NNNNNNNN/NNNNKNNN w - - 0 1".parse::<Fen>().unwrap();
    let crowd = Chess::from_setup(crowd.into_setup(), CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material)
        .unwrap();
    check(&crowd, |id, _| ["S1", "P1", "B4"].contains(&id));
}

#[test]
fn leading_games_come_back() {
    let mut random = Random(3);
    let codes = [LeadingGame::new(Model::none()), LeadingGame::new(Model::embedded().unwrap())];
    for code in &codes {
        for longest in [0, 1, 40, 120] {
            let game = random_game(longest, &mut random);
            let decoded = code.decode(&code.encode(&game).unwrap()).unwrap();
            let reached = positions(&game).pop().unwrap();
            assert_eq!(decoded, reached);
            assert_eq!(decoded.halfmoves(), reached.halfmoves());
            assert_eq!(decoded.fullmoves(), reached.fullmoves());
        }
        let tail = random_game(20, &mut random).split_off(10);
        assert!(matches!(code.encode(&tail), Err(CodeError::Game(_))));
    }
}
