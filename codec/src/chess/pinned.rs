//! Tests that pin the values that decide bits and are made with shakmaty: a version of shakmaty that changes one of them
//! changes what archives mean, and fails here. `docs/generation.md` lists all; `tests/rules.rs` pins what is public.
//!
//! A digest is the start of the BLAKE3 of what a test collects over games of random moves. The moves are chosen by
//! SplitMix64 from the canonical order.

use shakmaty::fen::Fen;
use shakmaty::{
    Bitboard, CastlingMode, CastlingSide, Chess, Color, EnPassantMode, File, FromSetup, Move,
    MoveList, Position, PositionError, Rank, Role, Square, attacks,
};

use super::{captures, castles, legal_moves, position_key, quiets};
use crate::split_mix::split_mix;

/// Starts with castling of both kinds, captures en passant, promotions, and boards that no game leads to.
pub(super) const STARTS: [(&str, CastlingMode); 8] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", CastlingMode::Standard),
    ("r3k2r/pppp2P1/8/3Pp3/8/1n6/P1PPPP2/R3K2R w KQkq e6 0 1", CastlingMode::Standard),
    ("8/1PPPk3/8/8/2pP4/8/1p2K1pp/5R2 b - d3 0 1", CastlingMode::Standard),
    ("rn2k2r/PPP3P1/8/8/8/8/3pp1p1/R3K2R w KQkq - 0 1", CastlingMode::Standard),
    ("qqqqk3/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQK3 w - - 0 1", CastlingMode::Standard),
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", CastlingMode::Chess960),
    ("1r1k1r2/8/8/8/8/8/8/1R3KR1 w GBfb - 0 1", CastlingMode::Chess960),
    ("4k3/8/8/8/8/8/8/R4K1R w HA - 0 1", CastlingMode::Chess960),
];

/// The digest of what `each` collects over the positions of random games.
fn digest(mut each: impl FnMut(&Chess, &mut Vec<u8>)) -> String {
    let mut bytes = vec![];
    let mut seed = 0;
    for round in 0..3 {
        for (fen, mode) in STARTS {
            let setup = fen.parse::<Fen>().unwrap().into_setup();
            let mut position = Chess::from_setup(setup, mode)
                .or_else(PositionError::ignore_too_much_material)
                .unwrap();
            for _ in 0..60 + 40 * round {
                each(&position, &mut bytes);
                let legal = legal_moves(&position);
                if legal.is_empty() {
                    break;
                }
                seed += 1;
                position.play_unchecked(legal[(split_mix(seed) % legal.len() as u64) as usize]);
            }
        }
    }
    blake3::hash(&bytes).to_hex()[..16].to_owned()
}

/// All that a move tells, as bytes.
fn put_move(played: Move, bytes: &mut Vec<u8>) {
    let role = |role: Option<Role>| role.map_or(0, u8::from);
    bytes.extend([
        u8::from(played.role()),
        played.from().map_or(64, u8::from),
        u8::from(played.to()),
        role(played.capture()),
        role(played.promotion()),
        u8::from(played.is_castle()) | u8::from(played.is_en_passant()) << 1,
    ]);
}

/// The parts of a position, as bytes.
fn put_position(position: &Chess, bytes: &mut Vec<u8>) {
    for (square, piece) in position.board() {
        bytes.extend([u8::from(square), u8::from(piece.role), u8::from(piece.color.is_white())]);
    }
    let square = |square: Option<Square>| square.map_or(64, u8::from);
    bytes.extend([
        u8::from(position.turn().is_white()),
        square(position.legal_ep_square()),
        square(position.maybe_ep_square()),
    ]);
    bytes.extend(position.castles().castling_rights().0.to_le_bytes());
    bytes.extend(position.halfmoves().to_le_bytes());
    bytes.extend(u32::from(position.fullmoves()).to_le_bytes());
}

#[test]
fn numbers_of_squares_roles_and_colours() {
    assert_eq!([Square::A1, Square::H1, Square::A2, Square::H8].map(usize::from), [0, 7, 8, 63]);
    assert_eq!(Square::ALL.map(usize::from), std::array::from_fn(|index| index));
    assert_eq!([File::A, File::H].map(usize::from), [0, 7]);
    assert_eq!([Rank::First, Rank::Eighth].map(usize::from), [0, 7]);
    let roles = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
    assert_eq!(roles.map(usize::from), [1, 2, 3, 4, 5, 6]);
    assert_eq!(roles.map(|role| role as u16), [1, 2, 3, 4, 5, 6]);
    assert_eq!(Role::ALL, roles);
    assert_eq!(roles.map(Role::upper_char), ['P', 'N', 'B', 'R', 'Q', 'K']);
    assert_eq!(Color::ALL, [Color::White, Color::Black]);
    assert_eq!(Color::White.fold_wb(1, 2), 1);
}

#[test]
fn sets_of_squares_are_walked_from_a1_to_h8() {
    let squares: Vec<usize> = Bitboard(1 << 63 | 1 << 8 | 3).into_iter().map(usize::from).collect();
    assert_eq!(squares, [0, 1, 8, 63]);
    assert_eq!(Bitboard(1 << 8 | 1 << 3).first(), Some(Square::D1));
    let board: Vec<usize> =
        Chess::default().board().iter().map(|(square, _)| usize::from(square)).collect();
    assert_eq!(board, (0..16).chain(48..64).collect::<Vec<usize>>());
}

#[test]
fn a_list_has_room_for_270_moves() {
    // The search drops what has no room.
    assert_eq!(MoveList::new().capacity(), 270);
}

#[test]
fn castling_goes_to_the_rooks_square() {
    let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1".parse::<Fen>().unwrap();
    let position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
    let mut found = vec![];
    castles(&position, |castle| found.push((castle.from(), castle.to(), castle.castling_side())));
    let castle = |rook, side| (Some(Square::E1), rook, Some(side));
    let expected =
        [castle(Square::H1, CastlingSide::KingSide), castle(Square::A1, CastlingSide::QueenSide)];
    assert_eq!(found, expected);
}

#[test]
fn what_pieces_attack() {
    let (mut bytes, occupied) = (vec![], Bitboard(split_mix(1) & split_mix(2)));
    for square in Square::ALL {
        for color in Color::ALL {
            for role in Role::ALL {
                let attacked = attacks::attacks(square, role.of(color), occupied);
                bytes.extend(attacked.0.to_le_bytes());
            }
        }
        for other in Square::ALL {
            for squares in [attacks::between(square, other), attacks::ray(square, other)] {
                bytes.extend(squares.0.to_le_bytes());
            }
        }
    }
    assert_eq!(blake3::hash(&bytes).to_hex()[..16], *"7bf50e4faa1459e1");
}

#[test]
fn positions_and_their_keys() {
    let positions = digest(put_position);
    let keys = digest(|position, bytes| bytes.extend(position_key(position).to_le_bytes()));
    assert_eq!([&positions[..], &keys], ["7c43298a8e545c89", "947a3eca0d3eb545"]);
}

#[test]
fn legal_moves_and_their_order() {
    let found = digest(|position, bytes| {
        legal_moves(position).into_iter().for_each(|legal| put_move(legal, bytes));
        bytes.push(u8::from(position.is_check()));
    });
    assert_eq!(found, "2fd81b54e7af86d6");
}

#[test]
fn captures_and_their_order() {
    let found = [false, true].map(|promotions| {
        digest(|position, bytes| {
            let mut moves = MoveList::new();
            captures(position, position.them(), promotions, &mut moves);
            moves.into_iter().for_each(|capture| put_move(capture, bytes));
            bytes.push(255);
        })
    });
    assert_eq!(found, ["209d0e3b2dbd1eb6", "bac506edffb356ea"]);
}

#[test]
fn quiet_moves_and_their_order() {
    let found = digest(|position, bytes| {
        quiets(position, |role, from, to| {
            bytes.extend([u8::from(role), u8::from(from), u8::from(to)]);
        });
        castles(position, |castle| put_move(castle, bytes));
        bytes.push(255);
    });
    assert_eq!(found, "1d022c3dc908eb0c");
}

#[test]
fn positions_after_a_null_move() {
    let found = digest(|position, bytes| match position.clone().swap_turn() {
        Ok(passed) => put_position(&passed, bytes),
        Err(_) => bytes.push(255),
    });
    assert_eq!(found, "f2f47d90f345a62f");
}

#[test]
fn positions_as_fen() {
    let fen = |position: &Chess| Fen::from_position(position, EnPassantMode::Legal).to_string();
    let found = digest(|position, bytes| bytes.extend(fen(position).into_bytes()));
    assert_eq!(found, "987b20919a27c9d1");
    let written = STARTS.map(|(text, mode)| {
        let setup = text.parse::<Fen>().unwrap().into_setup();
        let position =
            Chess::from_setup(setup, mode).or_else(PositionError::ignore_too_much_material);
        fen(&position.unwrap())
    });
    assert_eq!(
        written[5..],
        [
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9",
            "1r1k1r2/8/8/8/8/8/8/1R3KR1 w KQkq - 0 1",
            "4k3/8/8/8/8/8/8/R4K1R w KQ - 0 1",
        ]
    );
}
