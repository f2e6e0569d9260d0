//! The numbers of a reranker, in both forms that files have.

use super::{ENDS, FIRST, LARGEST_VECTOR_WEIGHT, MAX_VECTOR, SECOND};
use crate::analysis::reranker_index::{
    FIRST_FORM_FEATURES, FIRST_FORM_SLOTS, RERANKER_FEATURES, RERANKER_SLOTS,
};
use crate::network::{BLOCK, QUAD, Weights};

/// Numbers of a reranker of the first form: the rows of the features and the first layer's biases; the second layer's
/// weights, unit by unit, and biases; the last layer's weights and bias.
const FIRST_FORM_SIZE: usize =
    FIRST_FORM_FEATURES * FIRST + FIRST + SECOND * FIRST + SECOND + SECOND + 1;

/// The first numbers of all other forms: one that no form begins with by chance, then the form's. After them comes the
/// width of the vectors.
pub const RERANKER_HEADER: [i16; 2] = [i16::MIN, 2];

/// Numbers of a reranker of the second form, behind its header.
const fn second_form_size(vector: usize) -> usize {
    let first = (RERANKER_FEATURES + 1 + vector) * FIRST;
    let second = SECOND * (3 * FIRST) + SECOND + SECOND + 1;
    first + second + ENDS * (2 * FIRST) + ENDS + ENDS + 1
}

/// The most numbers that a reranker has.
pub const MAX_RERANKER_SIZE: usize = RERANKER_HEADER.len() + 1 + second_form_size(MAX_VECTOR);

/// Largest sum of the magnitudes of a unit's weights and bias: with it no sum leaves 32 bits.
const LARGEST_SUM: i32 = 1 << 20;

/// A number for each unit of the first layer.
pub(super) type Row = [i16; FIRST];

/// A layer, and the one unit behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hidden<const UNITS: usize> {
    pub biases: [i16; UNITS],
    pub last: [i16; UNITS],
    pub last_bias: i16,
}

/// What a reranker of the second form has besides: weights of the mean and of the greatest of the first layer's units
/// over the moves of a position, and from these the log-odds that the game ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OfPosition {
    /// Of each unit of the second layer, for the mean and for the greatest.
    pub second: Vec<[Row; 2]>,
    /// Of each unit of the layer of ends.
    pub ends: Vec<[Row; 2]>,
    pub of_ends: Hidden<ENDS>,
}

/// The weights of a reranker.
#[derive(Debug, Clone)]
pub(super) struct Parts {
    /// Features of a move that the table has rows for.
    pub slots: usize,
    /// Of each feature.
    pub table: Vec<Row>,
    pub biases: Row,
    /// Numbers of a move's vector.
    pub vector: usize,
    /// For each four numbers of the vector the weights of the units, eight units after the other.
    pub vector_weights: Vec<Weights>,
    /// For each two units of the first layer, the weights of the units of the second, eight after the other.
    pub second: Vec<[[[i16; 2]; BLOCK]; SECOND / BLOCK]>,
    pub of_second: Hidden<SECOND>,
    pub of_position: Option<OfPosition>,
}

/// Numbers that are taken one after the other.
struct Numbers<'a>(&'a [i16]);

impl Numbers<'_> {
    fn take<const N: usize>(&mut self) -> Option<[i16; N]> {
        let (&taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(taken)
    }

    fn rows<const N: usize>(&mut self, count: usize) -> Option<Vec<[i16; N]>> {
        (0..count).map(|_| self.take()).collect()
    }

    fn hidden<const UNITS: usize>(&mut self) -> Option<Hidden<UNITS>> {
        let biases = self.take()?;
        let last = self.take()?;
        let [last_bias] = self.take()?;
        Some(Hidden { biases, last, last_bias })
    }
}

/// The weights of the vector's numbers in the order of their products; `None` if one has more than 8 bits.
fn vector_weights(rows: &[Row]) -> Option<Vec<Weights>> {
    let blocks = FIRST / BLOCK;
    let mut weights = vec![Weights([0; QUAD * BLOCK]); rows.len().div_ceil(QUAD) * blocks];
    for (number, row) in rows.iter().enumerate() {
        for (unit, &weight) in row.iter().enumerate() {
            let place = number / QUAD * blocks + unit / BLOCK;
            let weight = i8::try_from(weight).ok().filter(|&w| w >= -LARGEST_VECTOR_WEIGHT)?;
            weights[place].0[unit % BLOCK * QUAD + number % QUAD] = weight;
        }
    }
    Some(weights)
}

/// The weights of the second layer's units, by pairs of what they weigh.
fn in_pairs(rows: &[Row]) -> Vec<[[[i16; 2]; BLOCK]; SECOND / BLOCK]> {
    let weights = |pair: usize, unit: usize| [rows[unit][2 * pair], rows[unit][2 * pair + 1]];
    let block = |pair, block| std::array::from_fn(|unit| weights(pair, BLOCK * block + unit));
    (0..FIRST / 2).map(|pair| std::array::from_fn(|place| block(pair, place))).collect()
}

/// Whether the sums of the weights' magnitudes are small enough, unit by unit.
fn small<'a>(weights: impl IntoIterator<Item = Vec<&'a [i16]>>) -> bool {
    let sum = |parts: Vec<&[i16]>| {
        parts.iter().flat_map(|part| part.iter()).map(|&n| i32::from(n).abs()).sum::<i32>()
    };
    weights.into_iter().all(|unit| sum(unit) <= LARGEST_SUM)
}

impl<const UNITS: usize> Hidden<UNITS> {
    /// Whether the last unit's weights are small enough.
    fn is_small(&self) -> bool {
        small([vec![&self.last[..], &[self.last_bias]]])
    }
}

impl Parts {
    /// The parts of these numbers; `None` if they are not as many as one of the forms has, or if a sum could overflow.
    pub fn new(numbers: &[i16]) -> Option<Parts> {
        let mut numbers = Numbers(numbers);
        let parts = match numbers.0.strip_prefix(&RERANKER_HEADER) {
            None => numbers.first_form()?,
            Some(rest) => {
                numbers.0 = rest;
                numbers.second_form()?
            }
        };
        let whole = numbers.0.is_empty();
        (whole && parts.are_small()).then_some(parts)
    }

    fn are_small(&self) -> bool {
        let second = self.of_second.biases.iter().enumerate();
        let second = second.map(|(unit, bias)| {
            let of_pairs =
                self.second.iter().map(|weights| &weights[unit / BLOCK][unit % BLOCK][..]);
            let mut all: Vec<&[i16]> = of_pairs.chain([std::slice::from_ref(bias)]).collect();
            let of_position = self.of_position.iter().flat_map(|parts| &parts.second[unit]);
            all.extend(of_position.map(|row| &row[..]));
            all
        });
        let ends = self.of_position.as_ref().is_none_or(|parts| {
            let units = parts.ends.iter().zip(&parts.of_ends.biases);
            let units = units
                .map(|([mean, most], bias)| vec![&mean[..], &most[..], std::slice::from_ref(bias)]);
            small(units) && parts.of_ends.is_small()
        });
        small(second) && self.of_second.is_small() && ends
    }
}

impl Numbers<'_> {
    fn first_form(&mut self) -> Option<Parts> {
        if self.0.len() != FIRST_FORM_SIZE {
            return None;
        }
        Some(Parts {
            slots: FIRST_FORM_SLOTS,
            table: self.rows(FIRST_FORM_FEATURES)?,
            biases: self.take()?,
            vector: 0,
            vector_weights: vec![],
            second: in_pairs(&self.rows(SECOND)?),
            of_second: self.hidden()?,
            of_position: None,
        })
    }

    fn second_form(&mut self) -> Option<Parts> {
        let [vector] = self.take()?;
        let vector = usize::try_from(vector).ok().filter(|&vector| vector <= MAX_VECTOR)?;
        if self.0.len() != second_form_size(vector) {
            return None;
        }
        let (table, biases) = (self.rows(RERANKER_FEATURES)?, self.take()?);
        let vector_weights = vector_weights(&self.rows(vector)?)?;
        let (mut second, mut of_position) = (vec![], vec![]);
        for _ in 0..SECOND {
            second.push(self.take()?);
            of_position.push([self.take()?, self.take()?]);
        }
        let of_second = self.hidden()?;
        let ends = (0..ENDS).map(|_| Some([self.take()?, self.take()?]));
        let ends = ends.collect::<Option<_>>()?;
        let of_position = OfPosition { second: of_position, ends, of_ends: self.hidden()? };
        Some(Parts {
            slots: RERANKER_SLOTS,
            table,
            biases,
            vector,
            vector_weights,
            second: in_pairs(&second),
            of_second,
            of_position: Some(of_position),
        })
    }
}
