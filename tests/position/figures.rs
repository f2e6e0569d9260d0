//! The worked figures of the texts.

use plyzip_history::ordinal::whole_bits;
use plyzip_history::position::{
    self, BoardCentric, GameState, Grouped, Parikh, PieceCentric, PositionCode, RunLength,
    Scharnagl, inada_bound,
};
use shakmaty::san::San;
use shakmaty::{
    Bitboard, Board, Chess, EnPassantMode, File, Move, Position, Rank, Role, Setup, Square,
};

use crate::random::{Material, Random, fen, made_up};

/// 32 pieces, all that stand side by side alike: as few runs as can be.
const FEWEST_RUNS: &str = "kqbbnnrr/pppppppp/8/8/8/8/PPPPPPPP/RRNNBBQK w - - 0 1";

/// 32 pieces, no two neighbouring squares alike.
const MOST_RUNS: &str =
    "r1b1k1n1/R1b1N1B1/r1n1B1q1/p1p1p1p1/P1P1P1P1/1p1p1p1p/1P1P1P1P/1N1Q1K1R w - - 0 1";

/// Garry Kasparov against Deep Blue, New York, 3 May 1997, first game of the match; 1-0.
const KASPAROV_DEEP_BLUE: &str = "Nf3 d5 g3 Bg4 b3 Nd7 Bb2 e6 Bg2 Ngf6 O-O c6 d3 Bd6 Nbd2 O-O \
    h3 Bh5 e3 h6 Qe1 Qa5 a3 Bc7 Nh4 g5 Nhf3 e5 e4 Rfe8 Nh2 Qb6 Qc1 a5 Re1 Bd6 Ndf1 dxe4 dxe4 Bc5 \
    Ne3 Rad8 Nhf1 g4 hxg4 Nxg4 f3 Nxe3 Nxe3 Be7 Kh1 Bg5 Re2 a4 b4 f5 exf5 e4 f4 Bxe2 fxg5 Ne5 g6 \
    Bf3 Bc3 Qb5 Qf1 Qxf1+ Rxf1 h5 Kg1 Kf8 Bh3 b5 Kf2 Kg7 g4 Kh6 Rg1 hxg4 Bxg4 Bxg4 Nxg4+ Nxg4+ \
    Rxg4 Rd5 f6 Rd1 g7";

fn bits(code: &dyn PositionCode, position: &Chess) -> usize {
    code.encode(position).unwrap().len()
}

/// Whole bytes.
fn bytes(code: &dyn PositionCode, position: &Chess) -> usize {
    bits(code, position).div_ceil(8)
}

fn run_length(length_bits: u32) -> RunLength {
    RunLength::new(length_bits).unwrap()
}

#[test]
fn the_board_square_by_square() {
    assert_eq!(bytes(&BoardCentric, &Chess::default()), 32);
    assert_eq!(bits(&BoardCentric, &Chess::default()), 256);
    assert_eq!(bits(&BoardCentric, &fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1")), 256);
}

#[test]
fn runs() {
    let start = Chess::default();
    assert_eq!(bits(&run_length(6), &start), 19 * 10);
    assert_eq!(bits(&run_length(4), &start), 20 * 8);
    assert_eq!([6, 4].map(|width| bytes(&run_length(width), &start)), [24, 20]);
    // "75% of our previous requirement", in bytes
    assert_eq!(4 * bytes(&run_length(6), &start), 3 * bytes(&BoardCentric, &start));

    assert_eq!(bits(&run_length(6), &fen(FEWEST_RUNS)), 13 * 10);
    assert_eq!(bytes(&run_length(6), &fen(FEWEST_RUNS)), 17);
    // A board of 64 equal squares would be one run, of 10 bits; the longest that has kings is 62.
    let kings = fen("k7/8/8/8/8/8/8/7K w - - 0 1");
    assert_eq!(bits(&run_length(6), &kings), 5 * run_length(6).run_bits() as usize);

    let most = fen(MOST_RUNS);
    assert_eq!((bits(&run_length(6), &most), bytes(&run_length(6), &most)), (640, 80));
    assert_eq!(bits(&run_length(4), &most), 512);
    // 250% of the plain board, and a saving of 20%
    assert_eq!(2 * bits(&run_length(6), &most), 5 * bits(&BoardCentric, &most));
    assert_eq!(10 * bits(&run_length(4), &most), 8 * bits(&run_length(6), &most));

    // Three bits are best for the initial position, and in the middle for the worst one.
    let all = |position: &Chess| [2, 3, 4, 5, 6].map(|width| bits(&run_length(width), position));
    assert_eq!(all(&start), [168, 154, 160, 171, 190]);
    assert_eq!(all(&fen(MOST_RUNS)), [384, 448, 512, 576, 640]);
    assert_eq!(RunLength::BEST.run_bits(), 7);
}

#[test]
fn piece_by_piece() {
    let start = Chess::default();
    assert_eq!((bits(&PieceCentric, &start), bytes(&PieceCentric, &start)), (320, 40));
    assert_eq!((bits(&Grouped, &start), bytes(&Grouped, &start)), (276, 35));
}

/// The tutorial's late position, 15 pieces of 7 kinds in 30 runs, is the one in which Deep Blue resigned
/// the first game of 1997, and no earlier one of that game.
#[test]
fn kasparov_against_deep_blue() {
    let mut position = Chess::default();
    let mut fitting = vec![];
    for (ply, san) in KASPAROV_DEEP_BLUE.split_whitespace().enumerate() {
        let played = san.parse::<San>().unwrap().to_move(&position).unwrap();
        position.play_unchecked(played);
        if bits(&RunLength::BEST, &position) == 210 && bits(&Grouped, &position) == 139 {
            fitting.push(ply + 1);
        }
    }
    assert_eq!(fitting, [89]);
    assert_eq!(position, fen("4r3/6P1/2p2P1k/1p6/pP2p1R1/P1B5/2P2K2/3r4 b - - 0 45"));
    assert_eq!((bytes(&RunLength::BEST, &position), bytes(&Grouped, &position)), (27, 18));
    let material = position.board().material();
    let kinds: Vec<u8> =
        material.white.into_iter().chain(material.black).filter(|&count| count > 0).collect();
    assert_eq!((kinds.iter().sum::<u8>(), kinds.len()), (15, 7));
    // "a saving of 34%"
    let share = bits(&Grouped, &position) as f64 / bits(&RunLength::BEST, &position) as f64;
    assert_eq!((100.0 * (1.0 - share)).round(), 34.0);
}

#[test]
fn the_games_state() {
    let start = Chess::default();
    assert_eq!(bits(&GameState, &start), 256 + 14);

    // Seven pawns could have made the double step, and the eighth file holds the one that captures.
    let seven = fen("4k3/8/8/pppppppP/8/8/8/4K3 w - g6 0 1");
    assert!(seven.legal_ep_square().is_some());
    let decoded = GameState.decode(&GameState.encode(&seven).unwrap()).unwrap();
    assert_eq!(decoded, seven);
}

/// "One of 17 values – 16 different pawns that could have just moved, and an extra value for when none
/// have": five bits. Seven pawns of one side and none are 8 values: three.
#[test]
fn en_passant_takes_five_bits_and_then_three() {
    let start = Chess::default();
    let black = start.clone().play(start.legal_moves()[0]).unwrap();
    let double_steps = [&start, &black].map(|position| {
        let moves = position.legal_moves();
        moves.iter().filter(|m| m.role() == Role::Pawn && distance(m) == 2).count()
    });
    assert_eq!(double_steps, [8, 8]);
    assert_eq!(whole_bits(8 + 8 + 1), 5);
    assert_eq!(whole_bits(7 + 1), 3);
    let rest = 1 + 4 + 6;
    assert_eq!(bits(&GameState, &start), 256 + rest + whole_bits(7 + 1) as usize);
}

/// Ranks between the squares of a move.
fn distance(played: &Move) -> u32 {
    played.from().map_or(0, |from| u32::from(from.rank()).abs_diff(u32::from(played.to().rank())))
}

/// Six bits hold the counter as long as it counts moves and a draw is claimed in time.
#[test]
fn the_fifty_move_counter() {
    let after = |halfmoves| {
        let setup = Setup { halfmoves, ..Chess::default().to_setup(EnPassantMode::Legal) };
        setup.position::<Chess>(shakmaty::CastlingMode::Standard).unwrap()
    };
    for halfmoves in 0..128 {
        let bits = GameState.encode(&after(halfmoves)).unwrap();
        assert_eq!(GameState.decode(&bits).unwrap().halfmoves(), halfmoves / 2 * 2);
    }
    // A game that nobody claims ends at 75 moves only.
    assert!(GameState.encode(&after(149)).is_err());
}

/// The text's sum: 14 bits, a full matrix, 28 colours, 38.5 bits for officers and 16 for pawns,
/// less 6. Its headline has 150.5 by mistake.
///
/// Pieces that stand anywhere need 156.4 bits: the flag for the mode is nearly always there, which
/// the end of the matrix makes good, and the colours save nearly the 2 bits that the text expects, but
/// knowing all pawns of a side saves 1.1 bits and not 6.
#[test]
fn scharnagls_average() {
    let base_lines = Bitboard::BACKRANKS.count();
    let officer = (base_lines * 2 + (64 - base_lines) * 3) as f64 / 64.0;
    assert_eq!(officer, 2.75);
    assert_eq!(14.0 * officer + 16.0, 54.5);
    assert_eq!(14.0 + 62.0 + (30.0 - 2.0) + (54.5 - 6.0), 152.5);
    // "2^149.4 = 9.416*(10^44)"
    assert_eq!(152.5_f64 - 1.1 - 1.0 - 1.0, 149.4);
    assert!((149.4_f64.exp2() / 1e44 - 9.416).abs() < 0.02);

    let mut random = Random(11);
    let (mut count, mut sums) = (0, [0; 3]);
    while count < 4000 {
        let position = made_up(Material::Initial, &mut random);
        let whole = position.board().occupied().count() == 32;
        if whole && position.castles().is_empty() && position.legal_ep_square().is_none() {
            let (colors, pawns, other) = scharnagls_savings(position.board());
            let total = bits(&Scharnagl, &position);
            assert_eq!(total, other - colors - pawns, "{position:?}");
            sums.iter_mut().zip([total, colors, pawns]).for_each(|(sum, part)| *sum += part);
            count += 1;
        }
    }
    // In all; "average saving of color bits = 2"; "average saving of piece code bits = 6".
    let means = sums.map(|sum| sum as f64 / f64::from(count));
    for (mean, expected) in means.into_iter().zip([156.4, 1.9, 1.1]) {
        assert!((mean - expected).abs() < 0.1, "{means:?}");
    }
}

/// What Scharnagl's code saves of the colours and of the pieces as one side is known, and its length without
/// either, for 32 pieces without castling rights and en passant.
fn scharnagls_savings(board: &Board) -> (usize, usize, usize) {
    // a1, h8, a2, h7, …
    let sequence = File::ALL[..4].iter().flat_map(|&file| {
        Rank::ALL.into_iter().flat_map(move |rank| {
            let square = Square::from_coords(file, rank);
            [square, square.flip_horizontal().flip_vertical()]
        })
    });
    let (mut left, mut seen) = (30, [1; 2]);
    let mut pawns_of = [0; 2];
    let mut bishops: [[usize; 2]; 2] = [[0; 2]; 2];
    let (mut colors, mut pieces, mut codes, mut matrix) = (0, 0, 0, 0);
    for square in sequence.filter(|&square| !board.kings().contains(square)) {
        matrix += usize::from(left > 0);
        let Some(piece) = board.piece_at(square) else { continue };
        left -= 1;
        let side = usize::from(piece.color.is_black());
        colors += usize::from(seen.contains(&16));
        seen[side] += 1;
        // A second bishop on squares of one colour counts as a pawn.
        let inner = !Bitboard::BACKRANKS.contains(square);
        let twins: usize = bishops[side].iter().map(|bishops| bishops.saturating_sub(1)).sum();
        let known = pawns_of[side] + twins >= 8;
        match piece.role {
            Role::Pawn => codes += 1,
            _ => {
                codes += if inner { 3 } else { 2 };
                pieces += usize::from(inner && known);
            }
        }
        pawns_of[side] += usize::from(piece.role == Role::Pawn);
        if piece.role == Role::Bishop {
            bishops[side][usize::from(square.is_light())] += 1;
        }
    }
    let crowd = (board.occupied() & !board.kings() & !Bitboard::BACKRANKS).count();
    (colors, pieces, 14 + matrix + 30 + usize::from(crowd < 28) + codes)
}

#[test]
fn the_initial_position() {
    assert_eq!(bits(&Scharnagl, &Chess::default()), 132);
    assert_eq!(bits(&Parikh, &Chess::default()), 155 + 1);
}

#[test]
fn inadas_bound() {
    assert!((inada_bound() - 175.4).abs() < 0.05);
    assert_eq!(inada_bound().ceil(), 176.0);
    // Two codes of thirty years later, for the same 32 pieces, stay below.
    let start = Chess::default();
    assert!((bits(&Scharnagl, &start) as f64) < inada_bound());
}

#[test]
fn the_table_is_complete() {
    let codes = position::all();
    let ids: Vec<&str> = codes.iter().map(|code| code.id()).collect();
    assert_eq!(ids, ["S1", "P1", "B1", "B2", "B2-2", "B2-4", "B2-5", "B2-6", "B3", "B4", "B5"]);
    assert!(codes.iter().all(|code| !code.name().is_empty() && !code.estimate().is_empty()));
}
