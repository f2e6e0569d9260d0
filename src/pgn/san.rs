//! Standard algebraic notation: reading every usual spelling, writing each of them.

use shakmaty::{CastlingSide, Chess, File, Move, MoveList, Position, Rank, Role, Square};

/// What a move's canonical spelling says beyond the move itself.
///
/// ```
/// use plyzip::pgn::{San, SanForm};
/// use shakmaty::{Chess, Position, san};
/// let mut position = Chess::default();
/// let m = "Nf3".parse::<san::San>().unwrap().to_move(&position).unwrap();
/// let mut text = Vec::new();
/// San::play(&mut position, m).unwrap().write(SanForm::default(), &mut text);
/// assert_eq!(text, b"Nf3");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct San {
    m: Move,
    file: bool,
    rank: bool,
    check: Check,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Check {
    None,
    Plain,
    Mate,
}

/// How a spelling departs from the canonical one; every field is 0 where it does not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SanForm {
    /// Index into [`CASTLING`].
    castling: u8,
    /// 1: pawns have a `P`.
    letter: u8,
    /// 1 to 4: neither, file, rank, both of the square of departure.
    origin: u8,
    /// Index into [`SEPARATORS`], plus 1.
    separator: u8,
    /// Index into [`PROMOTIONS`].
    promotion: u8,
    /// Index into [`CHECKS`], plus 1.
    check: u8,
}

const CASTLING: [[&[u8]; 2]; 4] =
    [[b"O-O", b"O-O-O"], [b"0-0", b"0-0-0"], [b"o-o", b"o-o-o"], [b"OO", b"OOO"]];
const SEPARATORS: [&[u8]; 4] = [b"", b"x", b"-", b":"];
/// What stands before the promoted piece, and whether that is a capital.
const PROMOTIONS: [(&[u8], bool); 6] =
    [(b"=", true), (b"", true), (b"/", true), (b"=", false), (b"", false), (b"/", false)];
const CHECKS: [&[u8]; 7] = [b"", b"+", b"#", b"++", b"##", b"+#", b"+-"];

impl SanForm {
    /// The form as a number below 2<sup>16</sup>; 0 is the canonical form.
    pub fn to_bits(self) -> u16 {
        let fields = [
            (self.castling, 2),
            (self.letter, 1),
            (self.origin, 3),
            (self.separator, 3),
            (self.promotion, 3),
            (self.check, 4),
        ];
        fields.iter().fold(0, |bits, &(field, width)| bits << width | u16::from(field))
    }

    /// The form of a number, if it is one.
    pub fn from_bits(bits: u16) -> Option<SanForm> {
        let field = |shift: u32, width: u32| (bits >> shift & ((1 << width) - 1)) as u8;
        let form = SanForm {
            castling: field(14, 2),
            letter: field(13, 1),
            origin: field(10, 3),
            separator: field(7, 3),
            promotion: field(4, 3),
            check: field(0, 4),
        };
        let valid = form.origin <= 4
            && usize::from(form.separator) <= SEPARATORS.len()
            && usize::from(form.promotion) < PROMOTIONS.len()
            && usize::from(form.check) <= CHECKS.len();
        valid.then_some(form)
    }
}

impl San {
    /// Number of different [`San::category`] values.
    pub const CATEGORIES: usize = 128;

    /// Plays `m` and describes its canonical spelling; `None`, with nothing played,
    /// if the move is not legal.
    pub fn play(position: &mut Chess, m: Move) -> Option<San> {
        let candidates = candidates(position, m)?;
        candidates.contains(&m).then(|| San::among(position, m, &candidates))
    }

    /// Plays one of `candidates`, the legal moves of its piece to its square.
    fn among(position: &mut Chess, m: Move, candidates: &MoveList) -> San {
        let (mut file, mut rank) = (false, false);
        if let Move::Normal { role, from, .. } = m
            && role != Role::Pawn
            && candidates.len() > 1
        {
            let mut others =
                candidates.iter().filter_map(|other| other.from()).filter(|&other| other != from);
            rank = others.clone().any(|other| other.file() == from.file());
            file = !rank && others.clone().next().is_some()
                || others.any(|other| other.rank() == from.rank());
        } else if m.role() == Role::Pawn {
            file = m.is_capture();
        }
        position.play_unchecked(m);
        let check = match position.checkers().any() {
            false => Check::None,
            true if position.legal_moves().is_empty() => Check::Mate,
            true => Check::Plain,
        };
        San { m, file, rank, check }
    }

    /// Which kind of move this is, as far as spellings may depend on it.
    pub fn category(&self) -> usize {
        usize::from(self.m.is_capture())
            | usize::from(self.check != Check::None) << 1
            | usize::from(self.check == Check::Mate) << 2
            | usize::from(self.m.is_promotion()) << 3
            | usize::from(self.m.is_castle()) << 4
            | usize::from(self.m.role() == Role::Pawn) << 5
            | usize::from(self.file || self.rank) << 6
    }

    /// Appends the move in one of its spellings.
    pub fn write(&self, form: SanForm, out: &mut Vec<u8>) {
        if let Some(side) = self.m.castling_side() {
            out.extend_from_slice(
                CASTLING[usize::from(form.castling)][usize::from(side == CastlingSide::QueenSide)],
            );
        } else {
            let role = self.m.role();
            if role != Role::Pawn {
                out.push(role.upper_char() as u8);
            } else if form.letter == 1 {
                out.push(b'P');
            }
            let (file, rank) = match form.origin {
                0 => (self.file, self.rank),
                origin => (matches!(origin, 2 | 4), matches!(origin, 3 | 4)),
            };
            if let Some(from) = self.m.from() {
                if file {
                    out.push(from.file().char() as u8);
                }
                if rank {
                    out.push(from.rank().char() as u8);
                }
            }
            out.extend_from_slice(match form.separator {
                0 if self.m.is_capture() => b"x",
                0 => b"",
                index => SEPARATORS[usize::from(index) - 1],
            });
            let to = self.m.to();
            out.extend([to.file().char() as u8, to.rank().char() as u8]);
            if let Some(promotion) = self.m.promotion() {
                let (mark, capital) = PROMOTIONS[usize::from(form.promotion)];
                out.extend_from_slice(mark);
                out.push(if capital {
                    promotion.upper_char() as u8
                } else {
                    promotion.char() as u8
                });
            }
        }
        out.extend_from_slice(match (form.check, self.check) {
            (0, Check::None) => b"",
            (0, Check::Plain) => b"+",
            (0, Check::Mate) => b"#",
            (index, _) => CHECKS[usize::from(index) - 1],
        });
    }

    /// Reads `word` as a move and plays it. With the move come its canonical
    /// spelling and the form that `word` has; the form is `None` if no form
    /// gives the word. Nothing is played unless exactly one legal move fits.
    pub(super) fn read(position: &mut Chess, word: &[u8]) -> Option<(San, Option<SanForm>)> {
        let parsed = Word::parse(word)?;
        let (m, candidates) = parsed.resolve(position)?;
        let san = San::among(position, m, &candidates);
        let form = parsed.form(&san);
        let mut spelled = Vec::with_capacity(16);
        san.write(form, &mut spelled);
        Some((san, (spelled == word).then_some(form)))
    }

    /// The move.
    pub fn to_move(&self) -> Move {
        self.m
    }
}

fn candidates(position: &Chess, m: Move) -> Option<MoveList> {
    match m {
        Move::Normal { role, to, .. } => Some(position.san_candidates(role, to)),
        Move::EnPassant { to, .. } => Some(position.san_candidates(Role::Pawn, to)),
        Move::Castle { .. } => Some(position.castling_moves(m.castling_side()?)),
        Move::Put { .. } => None,
    }
}

/// A move as it is spelled.
struct Word<'a> {
    body: Body,
    suffix: &'a [u8],
}

enum Body {
    Castling {
        side: CastlingSide,
        glyph: u8,
    },
    Piece {
        role: Role,
        letter: bool,
        file: Option<File>,
        rank: Option<Rank>,
        separator: u8,
        to: Square,
        promotion: Option<(Role, u8)>,
    },
}

impl Word<'_> {
    fn parse(word: &[u8]) -> Option<Word<'_>> {
        let marks = word.iter().rev().take_while(|byte| matches!(byte, b'+' | b'#' | b'-')).count();
        let (text, suffix) = word.split_at(word.len() - marks);
        for (glyph, sides) in CASTLING.iter().enumerate() {
            for (side, &spelling) in
                [CastlingSide::KingSide, CastlingSide::QueenSide].into_iter().zip(sides)
            {
                if text == spelling {
                    let body = Body::Castling { side, glyph: glyph as u8 };
                    return Some(Word { body, suffix });
                }
            }
        }
        let (role, letter, text) = match text.split_first()? {
            (b'P', rest) => (Role::Pawn, true, rest),
            (&byte @ (b'N' | b'B' | b'R' | b'Q' | b'K'), rest) => {
                (Role::from_char(char::from(byte))?, true, rest)
            }
            _ => (Role::Pawn, false, text),
        };
        let (promotion, text) = match (role, text) {
            (Role::Pawn, [rest @ .., mark @ (b'=' | b'/'), piece]) => {
                (Some((*piece, &[*mark][..])), rest)
            }
            (Role::Pawn, [.., b'1'..=b'8', piece @ b'A'..=b'z']) => {
                (Some((*piece, &b""[..])), &text[..text.len() - 1])
            }
            _ => (None, text),
        };
        let promotion = match promotion {
            None => None,
            Some((piece, mark)) => {
                let style = PROMOTIONS.iter().position(|&(spelled, capital)| {
                    spelled == mark && capital == piece.is_ascii_uppercase()
                })?;
                Some((Role::from_char(char::from(piece))?, style as u8))
            }
        };
        let [from @ .., file, rank] = text else { return None };
        let to = Square::from_coords(
            File::from_char(char::from(*file))?,
            Rank::from_char(char::from(*rank))?,
        );
        let (separator, from) = match from {
            [from @ .., b'x'] => (1, from),
            [from @ .., b'-'] => (2, from),
            [from @ .., b':'] => (3, from),
            _ => (0, from),
        };
        let (file, rank) = match *from {
            [] => (None, None),
            [one] => match File::from_char(char::from(one)) {
                Some(file) => (Some(file), None),
                None => (None, Some(Rank::from_char(char::from(one))?)),
            },
            [file, rank] => {
                (Some(File::from_char(char::from(file))?), Some(Rank::from_char(char::from(rank))?))
            }
            _ => return None,
        };
        let body = Body::Piece { role, letter, file, rank, separator, to, promotion };
        Some(Word { body, suffix })
    }

    fn resolve(&self, position: &Chess) -> Option<(Move, MoveList)> {
        match self.body {
            Body::Castling { side, .. } => {
                let candidates = position.castling_moves(side);
                let m = *candidates.first()?;
                Some((m, candidates))
            }
            Body::Piece { role, file, rank, to, promotion, .. } => {
                let candidates = position.san_candidates(role, to);
                let mut fitting = candidates.iter().filter(|m| {
                    m.from().is_some_and(|from| {
                        file.is_none_or(|file| file == from.file())
                            && rank.is_none_or(|rank| rank == from.rank())
                    }) && m.promotion() == promotion.map(|(role, _)| role)
                });
                let m = *fitting.next()?;
                fitting.next().is_none().then(|| (m, candidates.clone()))
            }
        }
    }

    fn form(&self, san: &San) -> SanForm {
        let mut form = SanForm::default();
        match self.body {
            Body::Castling { glyph, .. } => form.castling = glyph,
            Body::Piece { role, letter, file, rank, separator, promotion, .. } => {
                form.letter = u8::from(letter && role == Role::Pawn);
                let origin = (file.is_some(), rank.is_some());
                if origin != (san.file, san.rank) {
                    form.origin = 1 + u8::from(origin.0) + 2 * u8::from(origin.1);
                }
                if separator != u8::from(san.m.is_capture()) {
                    form.separator = separator + 1;
                }
                form.promotion = promotion.map_or(0, |(_, style)| style);
            }
        }
        let canonical: &[u8] = match san.check {
            Check::None => b"",
            Check::Plain => b"+",
            Check::Mate => b"#",
        };
        if self.suffix != canonical
            && let Some(index) = CHECKS.iter().position(|&check| check == self.suffix)
        {
            form.check = index as u8 + 1;
        }
        form
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;
    use shakmaty::san::SanPlus;
    use shakmaty::{CastlingMode, FromSetup};

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
}
