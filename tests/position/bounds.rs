//! The bounds that texts promise, and the positions that break them.

use plyzip_history::position::{Parikh, PositionCode, Scharnagl};
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Position, PositionError,
    Role, Setup, Square, uci::UciMove,
};

use crate::random::{Material, Random, fen, made_up, positions, random_game};

/// A game whose last position needs 175 bits in Scharnagl's code: three pawns were captured by
/// pawns, eight of the nine that this set free became knights, and all but the kings
/// stand on the lines 2 to 7.
const LONGEST: &str = "\
    a2a4 f7f6 f2f3 e7e5 g2g3 h7h6 f1g2 f8d6 b2b4 h6h5 c2c4 g7g5 h2h3 d8e7 h1h2 e7f8 \
    d2d4 e5d4 e2e4 d4d3 g3g4 c7c5 b4c5 g8h6 g4h5 f8g7 d1e2 h8h7 c1f4 g5g4 a1a3 d6c7 \
    f4d2 c7d6 a3a2 b7b6 b1c3 c8b7 e4e5 b8a6 e5e6 b7e4 c3d5 b6b5 e6e7 g4g3 c5c6 b5b4 \
    a2b2 a6c5 c6c7 b4b3 c7c8n e4g6 g2h1 g3g2 c8b6 c5e6 c4c5 e6f4 c5c6 g7f7 c6c7 h6f5 \
    c7c8n f5g3 e2e6 g3e4 h5h6 d6b4 g1e2 g2g1n e6d6 e4g5 h1g2 h7g7 h6h7 b4a3 h7h8n g5e4 \
    e1d1 f7e6 h3h4 g1h3 h8f7 g6h7 b2a2 h7f5 h4h5 b3b2 d2a5 b2b1n d1e1 a3c5 h5h6 b1c3 \
    e1f1 d3d2 h6h7 d2d1n h7h8n d1f2 h8g6 e4g5 a5b4 g7h7 d6c6 f2d3 c6b7 c5e3 g6h4 d7d6 \
    b7c7 f5e4 a2a3 e3c5 b6c4 c5f2 h4g6 e6e5 c8b6 h7h6 e2d4 e4f5 a3b3 g5e4 c7c5 f5g4 \
    c5a5 h6h4 g6f8 e5h5 f8e6 h5h7 c4b2 h7h6 f7e5 h6h5 d4c6 f2c5 d5e3 f4d5 e3c2 c5f2 \
    a5a6 c3e2 e6g5 d5f4 e5d7 d6d5 c6d4 g4e6 g5f7 f4g6 f7e5 h5g4 b4a3 g4f4 b2c4 e4g5 \
    e5g4 h4h8 d7c5 f2e3 c2b4 h8h5 g4f2 f4e5 b6d7 e5e4 c4b2 e4g4 d4c6 e6f5 a6b5 g5f7 \
    b5b7 d5d4 b7b6 g4g5 c5a6 f7h6 d7c5 g6h4 c6e5 e2f4 b4c2 e3c1 e5g4 c1e3 f2e4 f4e2 \
    e4f2 d3e5 a3b4 a8b8 b6c7 d4d3 b3c3 e5c4 b4a3 d3d2 c2b4 d2d1n c5e4 b8b7 b4d5 e3d4 \
    b2d3 d1b2 \
    ";

fn reached(game: &str) -> Chess {
    let mut position = Chess::default();
    for uci in game.split_whitespace() {
        let played = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
        position.play_unchecked(played);
    }
    position
}

#[test]
fn scharnagl_needs_more_than_172_bits() {
    let position = reached(LONGEST);
    assert!(Scharnagl::is_relevant(&position));
    assert_eq!(position.board().knights().count(), 12);
    let bits = Scharnagl.encode(&position).unwrap();
    assert_eq!(bits.len(), 175);
    assert_eq!(Scharnagl.decode(&bits).unwrap(), position);
}

/// Bits of the piece codes alone if so many pawns, knights and sliding pieces stand on the
/// lines 2 to 7 and no extra saving applies.
fn scharnagl_codes(pawns: usize, knights: usize, sliders: usize) -> usize {
    let mode_1 = pawns + knights + sliders < 28 && 2 * pawns < sliders;
    if mode_1 { 3 * pawns + 3 * knights + 2 * sliders } else { pawns + 3 * knights + 3 * sliders }
}

/// Bits of Scharnagl's code without castling rights and en passant if so many pawns, knights
/// and sliding pieces, and no others but kings, stand on the lines 2 to 7 and no extra
/// saving applies.
fn scharnagl_bits(pawns: usize, knights: usize, sliders: usize) -> usize {
    let pieces = pawns + knights + sliders;
    14 + 62 + pieces + usize::from(pieces < 28) + scharnagl_codes(pawns, knights, sliders)
}

#[test]
fn the_rows_of_scharnagls_table() {
    // pawns, knights, sliders, and the bits that the text has for the piece codes and in all
    for (pawns, knights, sliders, codes, bits) in [
        (16, 4, 10, 58, 164),
        (14, 5, 10, 59, 164),
        (13, 5, 11, 61, 166), // the text has 59; its sum is right
        (12, 5, 12, 63, 168),
        (8, 5, 15, 68, 172), // elsewhere the text says that the piece codes have 58 at most
        (4, 5, 18, 63, 167),
        (0, 5, 21, 57, 160),
    ] {
        assert_eq!(scharnagl_codes(pawns, knights, sliders), codes);
        assert_eq!(scharnagl_bits(pawns, knights, sliders), bits);
    }
}

#[test]
fn the_last_rows_of_scharnagls_table_are_reached() {
    use Role::{Bishop, Knight, Pawn, Queen, Rook};
    let mut random = Random(12);
    // pawns, knights, bishops, rooks and queens of White and Black
    for (white, black, bits) in [
        ([4, 3, 2, 3, 2], [4, 2, 2, 3, 3], 172),
        ([2, 3, 2, 4, 3], [2, 2, 2, 4, 3], 167),
        ([0, 3, 2, 4, 4], [0, 2, 2, 4, 5], 160),
    ] {
        let crowd = [(Color::White, white), (Color::Black, black)].map(|(color, counts)| {
            let kinds = [Pawn, Knight, Bishop, Rook, Queen].into_iter().zip(counts);
            kinds.flat_map(move |(role, count)| vec![role.of(color); count])
        });
        let crowd: Vec<_> = crowd.into_iter().flatten().collect();
        // Anywhere on the lines 2 to 7 until the position is legal; pieces beyond the first two
        // Anywhere on the lines 2 to 7 until the position is legal, and no bishop is the second of
        // its side on squares of one colour, which would count as promoted.
        let position = loop {
            let mut board = Board::empty();
            board.set_piece_at(Square::E1, Color::White.king());
            board.set_piece_at(Square::E8, Color::Black.king());
            for &piece in &crowd {
                let free: Vec<Square> =
                    (!board.occupied() & !Bitboard::BACKRANKS).into_iter().collect();
                board.set_piece_at(free[random.below(free.len())], piece);
            }
            let light = Bitboard::LIGHT_SQUARES & board.bishops();
            let apart =
                (light & board.white()).count() == 1 && (light & board.black()).count() == 1;
            let setup = Setup { board, ..Setup::empty() };
            if apart
                && let Ok(position) = Chess::from_setup(setup, CastlingMode::Standard)
                    .or_else(PositionError::ignore_impossible_check)
            {
                break position;
            }
        };
        assert!(Scharnagl::is_relevant(&position));
        assert_eq!(Scharnagl.encode(&position).unwrap().len(), bits);
    }
}

/// Every sum of pieces that captures and promotions can leave, as (captured pieces, pawns,
/// knights, sliders, promoted).
///
/// A pawn that takes a pawn sets at most three free: itself, its own neighbour's
/// file having no enemy any more, and the enemy whose file it left. One that takes a piece sets
/// two free. Other captures set at most one free.
fn reachable() -> impl Iterator<Item = (usize, usize, usize, usize, usize)> {
    (0..=30).flat_map(|captured: usize| {
        (0..=captured.min(16)).flat_map(move |captured_pawns| {
            let others = captured - captured_pawns;
            let most = (3 * captured_pawns + 2 * others).min(16 - captured_pawns);
            let fewest = others.saturating_sub(14);
            (fewest..=most).flat_map(move |promoted| {
                let pawns = 16 - captured_pawns - promoted;
                let officers = 14 + promoted - others;
                (0..=officers.min(4 + promoted))
                    .map(move |knights| (captured, pawns, knights, officers - knights, promoted))
            })
        })
    })
}

#[test]
fn scharnagls_bound_is_175() {
    let longest = |relevant: bool| {
        reachable()
            .filter(|&(_, _, knights, _, promoted)| !relevant || promoted < 9 || knights <= 5)
            .map(|(_, pawns, knights, sliders, _)| scharnagl_bits(pawns, knights, sliders))
            .max()
    };
    assert_eq!(longest(true), Some(175));
    // The restriction to relevant positions saves nothing.
    assert_eq!(longest(false), Some(175));
    // With 28 and more pieces the text is right.
    let crowded = reachable().filter(|&(captured, ..)| captured <= 2);
    let crowded =
        crowded.map(|(_, pawns, knights, sliders, _)| scharnagl_bits(pawns, knights, sliders));
    assert_eq!(crowded.max(), Some(172));
}

#[test]
fn games_hold_the_bounds() {
    let mut random = Random(8);
    for _ in 0..80 {
        for position in positions(&random_game(600, &mut random)) {
            assert!(Scharnagl.encode(&position).unwrap().len() <= 175);
            let parikh = Parikh.encode(&position).unwrap().len() - 1;
            assert!((65..=174).contains(&parikh));
        }
    }
}

#[test]
fn boards_that_no_game_reaches_break_them() {
    let mut random = Random(9);
    let boards: Vec<Chess> = (0..3000).map(|_| made_up(Material::Full, &mut random)).collect();
    let longest = |code: &dyn PositionCode| {
        boards.iter().map(|position| code.encode(position).unwrap().len()).max()
    };
    // All 16 pawns promoted though none of 32 pieces was captured.
    assert!(longest(&Scharnagl).unwrap() > 180);
    assert!(longest(&Parikh).unwrap() > 175);
}

/// The text says that a pawn which can be captured en passant pays for the three bits of its
/// file. Not always: its colour is no saving where colours have stopped.
#[test]
fn en_passant_can_cost_scharnagl_a_bit() {
    let fen_of = |en_passant| {
        fen(&format!(
            "2b1kr1r/Q2NP1p1/N2P1P2/BPpP1qn1/1bppPnp1/2Pp2pp/5B2/R3K2R b KQk {en_passant} 44 1"
        ))
    };
    let bits = |position: &Chess| Scharnagl.encode(position).unwrap().len();
    assert_eq!(bits(&fen_of("e3")), bits(&fen_of("-")) + 1);
}

#[test]
fn scharnagls_castling_rights_never_cost_a_bit() {
    let mut random = Random(10);
    for material in [Material::Any, Material::Full, Material::Initial] {
        for _ in 0..10_000 {
            let with = made_up(material, &mut random);
            let mut without = with.to_setup(EnPassantMode::Legal);
            without.castling_rights = shakmaty::Bitboard::EMPTY;
            let Ok(without) = without.position::<Chess>(shakmaty::CastlingMode::Standard) else {
                continue;
            };
            let bits = |position: &Chess| Scharnagl.encode(position).unwrap().len();
            assert!(bits(&with) <= bits(&without));
        }
    }
}

/// No more than five pawns stand so that they could be captured en passant, and a number up to
/// five takes three bits; the text's five bits of its own would break its sums.
#[test]
fn five_pawns_at_most_can_be_captured_en_passant() {
    // What stands on each file of the rank, as digits: nothing, White's pawn, Black's.
    let ranks = (0..3_usize.pow(8)).map(|rank| {
        let pawn = |file: u32| rank / 3_usize.pow(file) % 3;
        let white = |file: Option<u32>| file.is_some_and(|file| file < 8 && pawn(file) == 1);
        (0..8)
            .filter(|&file| pawn(file) == 2)
            .filter(|&file| white(file.checked_sub(1)) || white(Some(file + 1)))
            .count()
    });
    assert_eq!(ranks.max(), Some(5));

    for (file, _) in "pPppPpPp".char_indices().filter(|&(_, pawn)| pawn == 'p') {
        let of =
            |en_passant: &str| fen(&format!("4k3/8/8/pPppPpPp/8/8/8/4K3 w - {en_passant} 0 1"));
        let square = format!("{}6", char::from(b'a' + file as u8));
        let bits = Parikh.encode(&of(&square)).unwrap();
        assert_eq!(bits.len(), Parikh.encode(&of("-")).unwrap().len());
        let decoded = Parikh.decode(&bits).unwrap();
        assert_eq!(decoded.legal_ep_square().map(|square| square.to_string()), Some(square));
    }
}

/// The text's sums of Parikh's code at their largest, format by format. Format 0 is taken if no more
/// than 17 officers are there, of which three were promoted visibly; in truth they may be more.
#[test]
fn parikhs_bound_is_174() {
    const EN_PASSANT: usize = 3;
    for (captured, pawns, knights, sliders, promoted) in reachable() {
        let officers = knights + sliders;
        let others = pawns + officers;
        assert_eq!(others, 30 - captured);
        if officers <= 17 {
            assert!(64 + 1 + 10 + others + others + 2 * officers + EN_PASSANT <= 170);
        }
        if promoted >= 4 {
            assert!(others <= 28);
            let codes = others / 3 * 7 + [0, 3, 5][others % 3];
            assert!(codes <= 66);
            assert!(64 + 1 + 12 + others + codes + EN_PASSANT <= 174);
        }
    }
}

/// What Parikh's code has written after each of its parts.
fn sums<const PARTS: usize>(parts: [usize; PARTS]) -> [usize; PARTS] {
    let mut sum = 0;
    parts.map(|part| {
        sum += part;
        sum
    })
}

/// Format 0: filled squares and kings, colours, pawns, pieces, en passant.
fn parikhs_format_0(others: usize, officers: usize, en_passant: usize) -> [usize; 5] {
    sums([64 + 1 + 10, others, others, 2 * officers, en_passant])
}

/// Format 1: filled squares and kings, colours, pieces, en passant.
fn parikhs_format_1(kings: usize, others: usize, en_passant: usize) -> [usize; 4] {
    sums([64 + 1 + kings, others, others / 3 * 7 + [0, 3, 5][others % 3], en_passant])
}

/// The ranges that the text prints between the parts. They begin with the kings alone.
#[test]
fn parikhs_ranges_from_part_to_part() {
    let (mut most_0, mut most_1) = ([0; 5], [0; 4]);
    for (_, pawns, knights, sliders, promoted) in reachable() {
        let (officers, others) = (knights + sliders, pawns + knights + sliders);
        if officers <= 17 {
            let sums = parikhs_format_0(others, officers, 3);
            most_0.iter_mut().zip(sums).for_each(|(most, sum)| *most = sum.max(*most));
        }
        if promoted >= 4 {
            let sums = parikhs_format_1(12, others, 3);
            most_1.iter_mut().zip(sums).for_each(|(most, sum)| *most = sum.max(*most));
        }
    }
    // 75-75, 75-105, 75-135, 75-167, 75-170
    assert_eq!(parikhs_format_0(0, 0, 0), [75, 75, 75, 75, 75]);
    assert_eq!(most_0, [75, 105, 135, 167, 170]);
    // 67-77, 67-105, 67-171, 67-174
    assert_eq!(parikhs_format_1(2, 0, 0), [67, 67, 67, 67]);
    assert_eq!(most_1, [77, 105, 171, 174]);
}

/// The sums are those of what the code writes.
#[test]
fn parikhs_code_has_the_texts_parts() {
    let mut random = Random(14);
    let mut checked = [0; 2];
    for material in [Material::Any, Material::Full] {
        for position in (0..2000).map(|_| made_up(material, &mut random)).collect::<Vec<_>>() {
            let board = position.board();
            let beside = |rank| board.pawns() & Bitboard::from_rank(rank);
            let en_passant = [shakmaty::Rank::Fourth, shakmaty::Rank::Fifth].map(beside);
            let home = Bitboard::from_iter([Square::E1, Square::E8]) & board.kings();
            let others = board.occupied().count() - 2;
            // Kings alone have a code of their own; what depends on more than sums is left out.
            if others == 0
                || position.castles().any()
                || en_passant.iter().any(|pawns| pawns.any())
                || home.any()
            {
                continue;
            }
            let officers = others - board.pawns().count();
            let beyond = [
                (board.queens(), 2),
                (board.rooks(), 4),
                (board.bishops(), 4),
                (board.knights(), 4),
            ]
            .map(|(pieces, initial)| pieces.count().saturating_sub(initial));
            let few = beyond.iter().sum::<usize>() <= 3;
            let bits = if few {
                parikhs_format_0(others, officers, 0)[4]
            } else {
                parikhs_format_1(12, others, 0)[3]
            };
            assert_eq!(Parikh.encode(&position).unwrap().len(), bits + 1, "{position:?}");
            checked[usize::from(few)] += 1;
        }
    }
    assert!(checked.iter().all(|&positions| positions > 50), "{checked:?}");
}

#[test]
fn parikhs_bounds_are_reached() {
    // two kings; one bit more is the turn
    let kings = fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(Parikh.encode(&kings).unwrap().len(), 65 + 1);
    // 28 pieces beside the kings, six promoted, no king at home, five black pawns beside white ones
    let crowd = fen("rnbq1bnr/k2qq3/8/pPppPpPp/8/QQ4QQ/K7/RNBQ1BNR w - - 0 1");
    assert_eq!(Parikh.encode(&crowd).unwrap().len(), 174 + 1);
    // The text's 75 for format 0 would be two kings, which have a code of their own; a
    // pawn more makes 77, a piece 79.
    let pawn = fen("4k3/8/8/8/8/8/P7/4K3 w - - 0 1");
    assert_eq!(Parikh.encode(&pawn).unwrap().len(), 77 + 1);
    let queen = fen("4k3/8/8/8/8/8/Q7/4K3 w - - 0 1");
    assert_eq!(Parikh.encode(&queen).unwrap().len(), 79 + 1);
    // Nor is its 67 for format 1 reached: that takes six queens at least, of which four were
    // promoted. With both kings at home they make 87 bits, away from home 97.
    let queens = fen("4k3/qqqq2qq/8/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(Parikh.encode(&queens).unwrap().len(), 87 + 1);
    let queens = fen("k7/2qqqqqq/8/8/8/8/8/K7 w - - 0 1");
    assert_eq!(Parikh.encode(&queens).unwrap().len(), 97 + 1);
    // With fewer promoted, the same queens are in format 0.
    let queens = fen("4k3/qqqq3q/8/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(Parikh.encode(&queens).unwrap().len(), 75 + 5 + 5 + 10 + 1);
}
