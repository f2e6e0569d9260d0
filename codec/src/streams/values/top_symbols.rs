//! The most frequent symbols of a context.

/// The few symbols seen most in one context, of late. The first is the guess
/// for the next time; a symbol seen as often as another and later goes before it.
#[derive(Debug, Clone, Copy)]
pub(in crate::streams) struct TopSymbols {
    slots: [(u32, u8); SLOTS],
}

const SLOTS: usize = 3;

/// A count that reaches this halves all of them: so a habit of long standing
/// gives way after about as many exceptions.
const CAP: u8 = 16;

impl TopSymbols {
    /// A context in which nothing was seen, with a first guess.
    pub fn new(guess: u32) -> TopSymbols {
        let mut slots = [(u32::MAX, 0); SLOTS];
        slots[0] = (guess, 0);
        TopSymbols { slots }
    }

    /// A context in which one symbol was seen often enough for some exceptions not to matter.
    pub fn with_habit(guess: u32) -> TopSymbols {
        let mut slots = TopSymbols::new(guess).slots;
        slots[0].1 = CAP / 2;
        TopSymbols { slots }
    }

    /// The symbol to be expected.
    pub fn guess(&self) -> u32 {
        self.slots[0].0
    }

    /// Learns that `symbol` was next.
    pub fn saw(&mut self, symbol: u32) {
        let mut slot = self.slots.iter().position(|slot| slot.0 == symbol).unwrap_or_else(|| {
            self.slots[SLOTS - 1] = (symbol, 0);
            SLOTS - 1
        });
        self.slots[slot].1 += 1;
        if self.slots[slot].1 >= CAP {
            for slot in &mut self.slots {
                slot.1 /= 2;
            }
        }
        while slot > 0 && self.slots[slot].1 >= self.slots[slot - 1].1 {
            self.slots.swap(slot, slot - 1);
            slot -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_habit_survives_exceptions_and_yields_to_a_new_one() {
        let mut top = TopSymbols::new(7);
        assert_eq!(top.guess(), 7);
        top.saw(1);
        assert_eq!(top.guess(), 1);
        for _ in 0..100 {
            top.saw(1);
        }
        top.saw(2);
        top.saw(3);
        assert_eq!(top.guess(), 1);
        for _ in 0..2 * u32::from(CAP) {
            top.saw(2);
        }
        assert_eq!(top.guess(), 2);
    }
}
