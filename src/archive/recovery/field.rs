//! The field of 65,536 elements.

/// x<sup>16</sup> + x<sup>12</sup> + x<sup>3</sup> + x + 1, of which x generates all elements but 0.
const POLYNOMIAL: u32 = 0x1_100b;
/// The number of elements but 0.
const ORDER: usize = 0xffff;

/// Tables of powers and logarithms. Addition and subtraction are `^`.
#[derive(Debug)]
pub struct Field {
    /// x<sup>i</sup>, twice over, so that sums of two logarithms need no reduction.
    powers: Vec<u16>,
    /// The logarithm of each element; that of 0 means nothing.
    logarithms: Vec<u16>,
}

impl Field {
    pub fn new() -> Field {
        let mut powers = vec![0; 2 * ORDER];
        let mut logarithms = vec![0; ORDER + 1];
        let mut element = 1u32;
        for exponent in 0..ORDER {
            powers[exponent] = element as u16;
            powers[exponent + ORDER] = element as u16;
            logarithms[element as usize] = exponent as u16;
            element <<= 1;
            if element > 0xffff {
                element ^= POLYNOMIAL;
            }
        }
        Field { powers, logarithms }
    }

    /// x<sup>`exponent`</sup>, for an exponent of at most 65,535.
    pub fn power(&self, exponent: usize) -> u16 {
        self.powers[exponent]
    }

    pub fn times(&self, a: u16, b: u16) -> u16 {
        if a == 0 || b == 0 {
            return 0;
        }
        let sum = usize::from(self.logarithms[usize::from(a)])
            + usize::from(self.logarithms[usize::from(b)]);
        self.powers[sum]
    }

    /// `a` / `b`, for a `b` that is not 0.
    pub fn over(&self, a: u16, b: u16) -> u16 {
        if a == 0 {
            return 0;
        }
        let difference = ORDER + usize::from(self.logarithms[usize::from(a)])
            - usize::from(self.logarithms[usize::from(b)]);
        self.powers[difference]
    }

    /// The value at `x` of a polynomial, whose constant term comes first.
    pub fn value_at(&self, polynomial: &[u16], x: u16) -> u16 {
        polynomial.iter().rev().fold(0, |value, &term| self.times(value, x) ^ term)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_have_inverses() {
        let field = Field::new();
        for element in (1..=u16::MAX).step_by(97) {
            assert_eq!(field.times(field.over(1, element), element), 1);
            assert_eq!(field.over(field.times(element, 4711), 4711), element);
        }
        assert_eq!((field.times(0x8000, 2), field.power(ORDER)), (0x100b, 1));
        assert_eq!((field.times(0, 7), field.over(0, 7)), (0, 0));
        // 3 + 5x + 7x² at x = 2, as products of polynomials over two elements.
        assert_eq!(field.value_at(&[3, 5, 7], 2), 3 ^ 10 ^ 28);
    }
}
