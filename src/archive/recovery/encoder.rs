//! Reed-Solomon parity of interleaved codewords, while the bytes pass by.

use super::field::Field;
use super::geometry::Geometry;

/// Takes the protected bytes in order and keeps, for each codeword, the remainder of what it has seen by the code's
/// generator: the product of (x - a<sup>j</sup>) for j from 0 to the number of parity symbols, a the field's generator.
#[derive(Debug)]
pub struct Encoder {
    parity: usize,
    /// `parity` symbols of each codeword, the highest power first.
    remainders: Vec<u16>,
    /// The generator times each value of a symbol's lower byte, `parity` symbols each, and likewise of its upper byte.
    tables: [Vec<u16>; 2],
    /// The codeword that the next symbol belongs to.
    codeword: usize,
    /// The first byte of a symbol whose second has not come.
    half: Option<u8>,
}

/// The number of parity symbols that there is faster code for.
const USUAL: usize = Geometry::MOST_PARITY;

impl Encoder {
    pub fn new(field: &Field, geometry: &Geometry) -> Encoder {
        let parity = geometry.parity();
        // Constant term first.
        let mut generator = vec![1u16];
        for root in (0..parity).map(|exponent| field.power(exponent)) {
            generator.insert(0, 0);
            for place in 0..generator.len() - 1 {
                generator[place] ^= field.times(generator[place + 1], root);
            }
        }
        generator.truncate(parity);
        generator.reverse();
        let table = |shift: u32| {
            let values = (0..256u16).map(|value| value << shift);
            values
                .flat_map(|value| generator.iter().map(move |&term| field.times(value, term)))
                .collect()
        };
        Encoder {
            parity,
            remainders: vec![0; geometry.depth() * parity],
            tables: [table(0), table(8)],
            codeword: 0,
            half: None,
        }
    }

    pub fn push(&mut self, mut bytes: &[u8]) {
        if let (Some(low), Some((&high, rest))) = (self.half, bytes.split_first()) {
            self.half = None;
            self.symbol(u16::from_le_bytes([low, high]));
            bytes = rest;
        }
        let (symbols, half) = bytes.as_chunks::<2>();
        for &symbol in symbols {
            self.symbol(u16::from_le_bytes(symbol));
        }
        if let [half] = half {
            self.half = Some(*half);
        }
    }

    /// The remainders, those of each codeword together, once zeros have filled the last column of the data.
    pub fn finish(mut self) -> Vec<u16> {
        if self.half.is_some() {
            self.push(&[0]);
        }
        while self.codeword != 0 {
            self.symbol(0);
        }
        self.remainders
    }

    fn symbol(&mut self, symbol: u16) {
        let parity = self.parity;
        let remainder = &mut self.remainders[self.codeword * parity..][..parity];
        let [low, high] = (symbol ^ remainder[0]).to_le_bytes();
        let low = &self.tables[0][usize::from(low) * parity..][..parity];
        let high = &self.tables[1][usize::from(high) * parity..][..parity];
        match (remainder.first_chunk_mut(), low.first_chunk(), high.first_chunk()) {
            (Some(remainder), Some(low), Some(high)) if parity == USUAL => {
                usual(remainder, low, high);
            }
            _ => {
                remainder.rotate_left(1);
                remainder[parity - 1] = 0;
                for (term, (low, high)) in remainder.iter_mut().zip(low.iter().zip(high)) {
                    *term ^= low ^ high;
                }
            }
        }
        self.codeword += 1;
        if self.codeword * parity == self.remainders.len() {
            self.codeword = 0;
        }
    }
}

/// One step of the division, in a form that becomes vector instructions.
fn usual(remainder: &mut [u16; USUAL], low: &[u16; USUAL], high: &[u16; USUAL]) {
    let mut next = [0; USUAL];
    next[..USUAL - 1].copy_from_slice(&remainder[1..]);
    for place in 0..USUAL {
        next[place] ^= low[place] ^ high[place];
    }
    *remainder = next;
}
