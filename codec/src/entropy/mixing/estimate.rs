//! The estimate of one context: a probability, how much it rests on, and a short history.

/// A probability in units of 2<sup>-22</sup> above a count of 10 bits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Estimate(pub u32);

impl Estimate {
    pub const EVEN: Estimate = Estimate(1 << 31);

    /// The estimate after each history.
    pub const OF_HISTORIES: [Estimate; HISTORIES] = {
        let mut estimates = [Estimate::EVEN; HISTORIES];
        let mut history = 0;
        while history < HISTORIES {
            estimates[history] = Estimate::of_history(history);
            history += 1;
        }
        estimates
    };

    /// What to expect after a history: that what was always so stays so, the surer the longer.
    const fn of_history(history: usize) -> Estimate {
        const SURE: [u32; 8] = [128, 200, 220, 230, 238, 246, 252, 254];
        if history & ALWAYS != ALWAYS {
            return Estimate::EVEN;
        }
        let p_last = SURE[history >> 3] << 24;
        Estimate(if history & 1 != 0 { p_last } else { p_last.wrapping_neg() })
    }

    pub fn p_true(self) -> u32 {
        self.0 >> 16
    }

    pub fn count(self) -> u32 {
        self.0 & 1023
    }

    pub fn update(&mut self, bit: bool, limit: u32) {
        let (p, count) = (self.0 >> 10, self.count());
        let target = if bit { (1 << 22) - 1 } else { 0 };
        let distance = i64::from(target) - i64::from(p);
        let step = (distance * i64::from(RECIPROCAL[count as usize])) >> 16;
        let p = (i64::from(p) + step) as u32;
        self.0 = p << 10 | (count + 1).min(limit);
    }
}

/// 2<sup>16</sup> / (n + 1.5).
static RECIPROCAL: [u32; 1024] = {
    let mut table = [0; 1024];
    let mut n = 0;
    while n < 1024 {
        table[n] = (2 << 16) / (2 * n as u32 + 3);
        n += 1;
    }
    table
};

/// The memory of one context.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    pub estimate: Estimate,
    /// The lower half of the context's hash.
    pub check: u16,
    /// Number of times that the last bit has come in a row, at most 127; bit 7 is that bit.
    pub run: u8,
}

impl Slot {
    pub const EMPTY: Slot = Slot { estimate: Estimate::EVEN, check: 0, run: 0 };

    /// The slot in the form in which tables keep it. An empty slot is zero, so that the system gives memory to a table
    /// only where it is used.
    pub fn to_bits(self) -> u64 {
        let estimate = self.estimate.0 ^ Estimate::EVEN.0;
        u64::from(estimate) << 32 | u64::from(self.check) << 8 | u64::from(self.run)
    }

    /// The opposite of [`Slot::to_bits`].
    pub fn from_bits(bits: u64) -> Slot {
        let estimate = Estimate((bits >> 32) as u32 ^ Estimate::EVEN.0);
        Slot { estimate, check: (bits >> 8) as u16, run: bits as u8 }
    }

    /// The past in 64 classes: how much of it, and whether it was always the same.
    pub fn history(self) -> usize {
        let count = self.estimate.count();
        let run = self.run & 127;
        let amount = AMOUNT[count.min(MANY) as usize];
        let sameness =
            if u32::from(run) >= count.min(127) { 3 } else { SAMENESS[run.min(4) as usize] };
        usize::from(amount << 3 | sameness << 1 | self.run >> 7) & (HISTORIES - 1)
    }

    pub fn update(&mut self, bit: bool, limit: u32) {
        self.estimate.update(bit, limit);
        self.run = NEXT_RUN[usize::from(bit)][usize::from(self.run)];
    }
}

/// By a bit and the run before it: the run that ends with it.
static NEXT_RUN: [[u8; 256]; 2] = {
    let mut table = [[0; 256]; 2];
    let mut run = 0;
    while run < 256 {
        let (last, length) = (run >> 7, (run & 127) as u8);
        let longer = if length < 127 { length + 1 } else { 127 };
        table[0][run] = if last == 0 { longer } else { 1 };
        table[1][run] = 1 << 7 | if last == 1 { longer } else { 1 };
        run += 1;
    }
    table
};

/// Events from which on a slot has seen much.
const MANY: u32 = 50;
/// By how many events a slot has seen: how much that is, in classes.
static AMOUNT: [u8; MANY as usize + 1] = {
    let mut table = [7; MANY as usize + 1];
    let mut count = 0;
    while count < MANY {
        table[count as usize] = match count {
            0..=3 => count as u8,
            4..=6 => 4,
            7..=14 => 5,
            _ => 6,
        };
        count += 1;
    }
    table
};
/// By how often the last bit has come in a row: how much the past was the same, in classes.
static SAMENESS: [u8; 5] = [0, 0, 1, 1, 2];

/// Number of classes of histories.
pub(super) const HISTORIES: usize = 64;
/// The bits of a history that tell, if all set, that it knows one bit only.
pub(super) const ALWAYS: usize = 0b110;
