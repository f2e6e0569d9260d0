//! The spellings that moves have beside the canonical one.

/// The differences of a spelling from the canonical one; every field is 0 where there is none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SanForm {
    /// Index into [`CASTLING`].
    pub(super) castling: u8,
    /// 1: pawns have a `P`.
    pub(super) letter: u8,
    /// 1 to 4: neither, file, rank, both of the square of departure.
    pub(super) origin: u8,
    /// Index into [`SEPARATORS`], plus 1.
    pub(super) separator: u8,
    /// Index into [`PROMOTIONS`].
    pub(super) promotion: u8,
    /// Index into [`CHECKS`], plus 1.
    pub(super) check: u8,
}

pub(super) const CASTLING: [[&[u8]; 2]; 4] =
    [[b"O-O", b"O-O-O"], [b"0-0", b"0-0-0"], [b"o-o", b"o-o-o"], [b"OO", b"OOO"]];
pub(super) const SEPARATORS: [&[u8]; 4] = [b"", b"x", b"-", b":"];
/// Spellings before the promoted piece, and whether that is a capital.
pub(super) const PROMOTIONS: [(&[u8], bool); 6] =
    [(b"=", true), (b"", true), (b"/", true), (b"=", false), (b"", false), (b"/", false)];
pub(super) const CHECKS: [&[u8]; 7] = [b"", b"+", b"#", b"++", b"##", b"+#", b"+-"];

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
