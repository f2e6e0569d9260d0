//! A choice among possibilities in whole bits, and the bit that a spare code tells.

use crate::bits::BitString;
use crate::ordinal::symbols::whole_bits;

/// A move among its like: which of how many, in how many bits.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    pub which: u32,
    pub of: u32,
}

impl Choice {
    fn width(self) -> u32 {
        whole_bits(self.of)
    }

    /// True if there is a second code for it.
    pub fn is_lucky(self) -> bool {
        self.which < spare_codes(self.of)
    }

    /// The code that tells `lucky` too.
    fn code(self, lucky: bool) -> u64 {
        u64::from(self.which) + if lucky { u64::from(self.of) } else { 0 }
    }

    /// Appends the code that tells `lucky` too.
    pub fn write(self, lucky: bool, bits: &mut BitString) {
        bits.push_bits(self.code(lucky), self.width());
    }

    /// The move that a code stands for, of `of`, and the lucky bit if it has one.
    pub fn from_code(code: u32, of: u32) -> (Choice, Option<bool>) {
        if code >= of {
            return (Choice { which: code - of, of }, Some(true));
        }
        let choice = Choice { which: code, of };
        (choice, choice.is_lucky().then_some(false))
    }
}

/// Number of `possibilities` that have a second code in [`whole_bits`]: always at least two fewer
/// than there are.
///
/// ```
/// use plyzip_history::ordinal::spare_codes;
/// assert_eq!([2, 3, 20, 32, 33].map(spare_codes), [0, 1, 12, 0, 31]);
/// ```
pub const fn spare_codes(possibilities: u32) -> u32 {
    (1 << whole_bits(possibilities)) - possibilities
}

/// Writes the choices of a stack, which is empty then. All but the last have a lucky bit, and
/// each tells with it the first bit of the code after its own.
pub fn write_stack(stack: &mut Vec<Choice>, bits: &mut BitString) {
    let mut codes = vec![];
    let mut lucky = false;
    for (below, choice) in stack.drain(..).enumerate().rev() {
        let code = choice.code(lucky);
        let width = choice.width();
        if below == 0 {
            codes.push((code, width));
        } else {
            lucky = code >> (width - 1) & 1 != 0;
            codes.push((code, width - 1));
        }
    }
    for (code, width) in codes.into_iter().rev() {
        bits.push_bits(code, width);
    }
}
