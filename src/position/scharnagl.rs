//! S1: Scharnagl's compact encoding.

use shakmaty::{Bitboard, Board, Chess, Color, File, Position, Rank, Role, Setup, Square};

use super::placement::{double_step, king_home, parts, passed_square, place, position, square};
use super::{CodeError, Coverage, PositionCode, Result};
use crate::bits::{BitReader, BitString};

/// Kings, castling rights and en passant by tricks with the kings' squares, then which squares
/// are filled, the colours, and the pieces in one of two modes.
///
/// From "Compact encoding of chess positions II", which Reinhard Scharnagl posted on 5 March 2005.
/// Stores turn, castling rights and the legal en passant capture, but no counters. The text
/// promises at most 172 bits for positions that are [relevant](Scharnagl::is_relevant); the
/// longest code of a position that a game can reach has 175. Where a side has more promoted pieces
/// than it has lost pawns, which no game can reach, there is no code.
///
/// Where the text leaves a choice: of the squares that may stand in for a king with castling
/// rights, the writer takes the first on the board of left and right, of above and below, or of
/// the diagonals; the reader takes any. A pawn that can be captured en passant counts
/// among the pieces on the lines 2 to 7: else it could cost a bit more than the text says. The
/// pieces that decide on the mode are those on the lines 2 to 7.
///
/// ```
/// use plyzip::position::{PositionCode, Scharnagl};
/// let start = shakmaty::Chess::default();
/// let bits = Scharnagl.encode(&start)?;
/// assert_eq!(bits.len(), 132);
/// assert_eq!(Scharnagl.decode(&bits)?, start);
/// # Ok::<(), plyzip::position::CodeError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Scharnagl;

impl Scharnagl {
    /// Whether the bound of 172 bits is promised: if nine or more pieces are promoted, at
    /// most five knights stand on the lines 2 to 7.
    ///
    /// Only pieces beyond the initial set are seen to be promoted.
    pub fn is_relevant(position: &Chess) -> bool {
        let board = position.board();
        let promoted = tallies_of(board, board.occupied()).map(Tally::promoted);
        let knights = board.knights() & !Bitboard::BACKRANKS;
        promoted.iter().sum::<usize>() < 9 || knights.count() <= 5
    }
}

/// Most pieces on the board, and of one side.
const MAX_PIECES: usize = 32;
const MAX_SIDE: usize = 16;

/// From so many pieces on the lines 2 to 7 on, there is no flag for the mode.
const CROWDED: usize = 28;

/// a1, h8, a2, h7, … towards the centre of the board.
fn sequence() -> impl Iterator<Item = Square> {
    File::ALL[..4].iter().flat_map(|&file| {
        Rank::ALL.into_iter().flat_map(move |rank| {
            let first = Square::from_coords(file, rank);
            [first, first.flip_horizontal().flip_vertical()]
        })
    })
}

/// The pieces of a side as far as they are known.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    pawns: usize,
    knights: usize,
    rooks: usize,
    queens: usize,
    /// On dark and on light squares.
    bishops: [usize; 2],
}

impl Tally {
    fn add(&mut self, role: Role, square: Square) {
        match role {
            Role::Pawn => self.pawns += 1,
            Role::Knight => self.knights += 1,
            Role::Bishop => self.bishops[usize::from(square.is_light())] += 1,
            Role::Rook => self.rooks += 1,
            Role::Queen => self.queens += 1,
            Role::King => {}
        }
    }

    /// Pieces beyond the initial set.
    fn promoted(self) -> usize {
        self.queens.saturating_sub(1)
            + self.rooks.saturating_sub(2)
            + self.knights.saturating_sub(2)
            + self.bishops.map(|bishops| bishops.saturating_sub(1)).iter().sum::<usize>()
    }

    /// Pawns, and pieces that must have been pawns: never more than eight.
    fn initial_pawns(self) -> usize {
        self.pawns + self.promoted()
    }
}

/// Whether no side has more than it could begin with and its pawns could become.
fn possible_material(board: &Board) -> bool {
    [board.white(), board.black()].iter().all(|side| side.count() <= MAX_SIDE)
        && tallies_of(board, board.occupied()).iter().all(|tally| tally.initial_pawns() <= 8)
}

/// Castling rights of a side: on the left (the a-file) and on the right.
fn rights(castling_rights: Bitboard, color: Color) -> [bool; 2] {
    [File::A, File::H]
        .map(|file| castling_rights.contains(Square::from_coords(file, color.backrank())))
}

/// The steps that stand for castling rights on the left, on the right and on both sides.
fn steps(rights: [bool; 2]) -> &'static [(i32, i32)] {
    match rights {
        [true, false] => &[(-1, 0), (1, 0)],
        [false, true] => &[(0, 1), (0, -1)],
        _ => &[(-1, 1), (1, 1), (-1, -1), (1, -1)],
    }
}

/// The square that many files and ranks away, if it is on the board.
fn step(from: Square, (files, ranks): (i32, i32)) -> Option<Square> {
    let file = File::try_from(i32::from(from.file()) + files).ok()?;
    let rank = Rank::try_from(i32::from(from.rank()) + ranks).ok()?;
    Some(Square::from_coords(file, rank))
}

/// Part A: all but the board, whose pieces are only those that part B leaves out.
fn push_part_a(bits: &mut BitString, setup: &Setup) -> Result<()> {
    let [white, black] = [Color::White, Color::Black].map(|color| {
        setup.board.king_of(color).map(|king| (king, rights(setup.castling_rights, color)))
    });
    let (Some((white, white_rights)), Some((black, black_rights))) = (white, black) else {
        return Err(CodeError::Uncovered("a board without two kings"));
    };
    let state = [setup.turn.is_black(), setup.ep_square.is_some()];
    let neighbour = |king, rights| steps(rights).iter().find_map(|&by| step(king, by));
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

/// The opposite of [`push_part_a`].
fn read_part_a(reader: &mut BitReader) -> Result<Setup> {
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

/// What part A tells of the board.
fn told_by_part_a(setup: &Setup) -> Bitboard {
    let pawn = setup.ep_square.map(|passed| double_step(passed.file(), !setup.turn));
    setup.board.kings() | setup.castling_rights | Bitboard::from_iter(pawn)
}

/// How a piece is coded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Selection {
    /// It is no pawn.
    Officer,
    /// Mode 0: pawns are frequent.
    ManyPawns,
    /// Mode 1: sliding pieces are.
    ManySliders,
}

impl Selection {
    fn new(square: Square, tally: Tally, many_sliders: bool) -> Selection {
        if Bitboard::BACKRANKS.contains(square) || tally.initial_pawns() >= 8 {
            Selection::Officer
        } else if many_sliders {
            Selection::ManySliders
        } else {
            Selection::ManyPawns
        }
    }

    fn push(self, bits: &mut BitString, role: Role) {
        let officer = match role {
            Role::Queen => 3,
            Role::Rook => 2,
            Role::Bishop => 1,
            _ => 0,
        };
        match (self, role) {
            (Selection::ManyPawns, Role::Pawn) => bits.push_bits(0, 1),
            (Selection::ManyPawns, _) => bits.push_bits(4 | officer, 3),
            (Selection::ManySliders, Role::Pawn) => bits.push_bits(0, 3),
            (Selection::ManySliders, Role::Knight) => bits.push_bits(1, 3),
            _ => bits.push_bits(officer, 2),
        }
    }

    fn read(self, reader: &mut BitReader) -> Result<Role> {
        if self == Selection::ManyPawns && !reader.bit()? {
            return Ok(Role::Pawn);
        }
        Ok(match reader.bits(2)? {
            3 => Role::Queen,
            2 => Role::Rook,
            1 => Role::Bishop,
            _ if self == Selection::ManySliders && !reader.bit()? => Role::Pawn,
            _ => Role::Knight,
        })
    }
}

/// Pieces other than kings on the lines 2 to 7.
fn inner(board: &Board, squares: Bitboard) -> Bitboard {
    squares & !board.kings() & !Bitboard::BACKRANKS
}

/// Whether the 16 pieces of one side are known, and so all others are of the opposite colour.
fn other_side(known: [usize; 2]) -> Option<Color> {
    if known[0] == MAX_SIDE {
        Some(Color::Black)
    } else if known[1] == MAX_SIDE {
        Some(Color::White)
    } else {
        None
    }
}

impl PositionCode for Scharnagl {
    fn id(&self) -> &str {
        "S1"
    }

    fn name(&self) -> &str {
        "Scharnagl's compact code"
    }

    fn estimate(&self) -> &str {
        "at most 172 bits, 152.5 on average for 32 pieces"
    }

    fn coverage(&self) -> Coverage {
        Coverage::RULES
    }

    fn encode(&self, position: &Chess) -> Result<BitString> {
        let setup = parts(position)?;
        let board = &setup.board;
        if !possible_material(board) {
            return Err(CodeError::Uncovered("more promoted pieces than pawns are missing"));
        }
        let mut bits = BitString::new();
        push_part_a(&mut bits, &setup)?;

        let told = told_by_part_a(&setup);
        let mut known = told.count();
        for square in sequence().filter(|&square| !told.contains(square)) {
            if known < MAX_PIECES {
                let filled = board.occupied().contains(square);
                bits.push(filled);
                known += usize::from(filled);
            }
        }

        let mut sides = [board.white(), board.black()].map(|side| (side & told).count());
        let mut pieces = vec![];
        for square in sequence().filter(|&square| !told.contains(square)) {
            let Some(piece) = board.piece_at(square) else { continue };
            if other_side(sides).is_none() {
                bits.push(piece.color.is_black());
            }
            sides[usize::from(piece.color.is_black())] += 1;
            pieces.push((square, piece));
        }

        let inner = inner(board, board.occupied());
        let pawns = (inner & board.pawns()).count();
        let mut many_sliders = false;
        if inner.count() < CROWDED {
            many_sliders = 2 * pawns < (inner & board.sliders()).count();
            bits.push(many_sliders);
        }

        let mut tallies = tallies_of(board, told);
        for (square, piece) in pieces {
            let tally = &mut tallies[usize::from(piece.color.is_black())];
            Selection::new(square, *tally, many_sliders).push(&mut bits, piece.role);
            tally.add(piece.role, square);
        }
        Ok(bits)
    }

    fn decode(&self, bits: &BitString) -> Result<Chess> {
        let mut reader = bits.reader();
        let mut setup = read_part_a(&mut reader)?;
        let board = &mut setup.board;

        let told = board.occupied();
        let mut known = told.count();
        let mut filled = vec![];
        for square in sequence().filter(|&square| !told.contains(square)) {
            if known < MAX_PIECES && reader.bit()? {
                filled.push(square);
                known += 1;
            }
        }

        let mut sides = [board.white(), board.black()].map(Bitboard::count);
        let mut pieces = Vec::with_capacity(filled.len());
        for &square in &filled {
            let color = match other_side(sides) {
                Some(color) => color,
                None => Color::from_black(reader.bit()?),
            };
            sides[usize::from(color.is_black())] += 1;
            pieces.push((square, color));
        }

        let crowd = inner(board, told | Bitboard::from_iter(filled)).count();
        let many_sliders = crowd < CROWDED && reader.bit()?;

        let mut tallies = tallies_of(board, told);
        for (square, color) in pieces {
            let tally = &mut tallies[usize::from(color.is_black())];
            let role = Selection::new(square, *tally, many_sliders).read(&mut reader)?;
            tally.add(role, square);
            place(board, square, role.of(color))?;
        }
        reader.finish()?;
        if !possible_material(board) {
            return Err(CodeError::Damaged("more promoted pieces than pawns are missing"));
        }
        position(setup)
    }
}

/// White's and Black's pieces on these squares.
fn tallies_of(board: &Board, squares: Bitboard) -> [Tally; 2] {
    let mut tallies = [Tally::default(); 2];
    for square in squares {
        if let Some(piece) = board.piece_at(square) {
            tallies[usize::from(piece.color.is_black())].add(piece.role, square);
        }
    }
    tallies
}
