//! Part A of the code: kings, castling rights, turn and en passant.

use shakmaty::{Bitboard, Color, File, Rank, Setup, Square};

use crate::bits::{BitReader, BitString};
use crate::position::placement::{double_step, king_home, passed_square, place, square};
use crate::position::{CodeError, Result};

/// Castling rights of a side: on the left (the a-file) and on the right.
fn rights(castling_rights: Bitboard, color: Color) -> [bool; 2] {
    [File::A, File::H]
        .map(|file| castling_rights.contains(Square::from_coords(file, color.backrank())))
}

/// The steps that stand for castling rights on the left, on the right and on both sides.
fn neighbours(rights: [bool; 2]) -> &'static [(i32, i32)] {
    match rights {
        [true, false] => &[(-1, 0), (1, 0)],
        [false, true] => &[(0, 1), (0, -1)],
        _ => &[(-1, 1), (1, 1), (-1, -1), (1, -1)],
    }
}

/// The square so many files and ranks away from `from`, if it is on the board.
fn step(from: Square, (files, ranks): (i32, i32)) -> Option<Square> {
    let file = File::try_from(i32::from(from.file()) + files).ok()?;
    let rank = Rank::try_from(i32::from(from.rank()) + ranks).ok()?;
    Some(Square::from_coords(file, rank))
}

/// Part A: all but the board, whose pieces are only those that part B leaves out.
pub fn push(bits: &mut BitString, setup: &Setup) -> Result<()> {
    let [white, black] = [Color::White, Color::Black].map(|color| {
        setup.board.king_of(color).map(|king| (king, rights(setup.castling_rights, color)))
    });
    let (Some((white, white_rights)), Some((black, black_rights))) = (white, black) else {
        return Err(CodeError::Uncovered("a board without two kings"));
    };
    let state = [setup.turn.is_black(), setup.ep_square.is_some()];
    let neighbour = |king, rights| neighbours(rights).iter().find_map(|&by| step(king, by));
    match [white_rights, black_rights].map(|rights| rights.contains(&true)) {
        [true, true] => {
            let flags = [white_rights, black_rights].concat().into_iter().chain(state);
            let pseudo = flags.fold(0, |pseudo, flag| pseudo << 1 | u64::from(flag));
            bits.push_bits(pseudo, 6);
            bits.push_bits(pseudo, 6);
        }
        [one, two] => {
            let stand_in = match (one, two) {
                (true, _) => [neighbour(black, white_rights), Some(black)],
                (_, true) => [Some(white), neighbour(white, black_rights)],
                _ => [Some(white), Some(black)],
            };
            // Every square has a neighbour in its rank, in its file and on a diagonal.
            stand_in.into_iter().flatten().for_each(|square| bits.push_bits(u64::from(square), 6));
            if one || two {
                bits.push(two);
            }
            state.into_iter().for_each(|flag| bits.push(flag));
        }
    }
    if let Some(passed) = setup.ep_square {
        bits.push_bits(u64::from(passed.file()), 3);
    }
    Ok(())
}

/// The opposite of [`push`].
pub fn read(reader: &mut BitReader) -> Result<Setup> {
    let mut setup = Setup::empty();
    let kings = [square(reader.bits(6)?)?, square(reader.bits(6)?)?];
    // Castling rights of White and Black, left and right.
    let mut castling = [[false; 2]; 2];
    let en_passant;
    if kings[0] == kings[1] {
        let pseudo = u64::from(kings[0]);
        let flag = |place: u32| pseudo >> (5 - place) & 1 == 1;
        castling = [[flag(0), flag(1)], [flag(2), flag(3)]];
        if castling.contains(&[false; 2]) {
            return Err(CodeError::Damaged("a king with castling rights has none"));
        }
        (setup.turn, en_passant) = (Color::from_black(flag(4)), flag(5));
    } else {
        let mut side = None;
        if kings[0].distance(kings[1]) == 1 {
            let castler = reader.bits(1)? as usize;
            castling[castler] = [
                kings[0].rank() == kings[1].rank() || kings[0].file() != kings[1].file(),
                kings[0].rank() != kings[1].rank(),
            ];
            side = Some(castler);
        }
        setup.turn = Color::from_black(reader.bit()?);
        en_passant = reader.bit()?;
        for (number, color) in [Color::White, Color::Black].into_iter().enumerate() {
            if side != Some(number) {
                place(&mut setup.board, kings[number], color.king())?;
            }
        }
    }
    for (color, castling) in [Color::White, Color::Black].into_iter().zip(castling) {
        if castling.contains(&true) {
            place(&mut setup.board, king_home(color), color.king())?;
        }
        for (file, right) in [File::A, File::H].into_iter().zip(castling) {
            if right {
                let corner = Square::from_coords(file, color.backrank());
                place(&mut setup.board, corner, color.rook())?;
                setup.castling_rights.add(corner);
            }
        }
    }
    if en_passant {
        let file = File::new(reader.bits(3)? as u32);
        place(&mut setup.board, double_step(file, !setup.turn), (!setup.turn).pawn())?;
        setup.ep_square = Some(passed_square(file, !setup.turn));
    }
    Ok(setup)
}

/// The squares whose pieces part A tells.
pub fn told(setup: &Setup) -> Bitboard {
    let pawn = setup.ep_square.map(|passed| double_step(passed.file(), !setup.turn));
    setup.board.kings() | setup.castling_rights | Bitboard::from_iter(pawn)
}
