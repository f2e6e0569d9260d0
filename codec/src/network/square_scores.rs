//! Scores of squares: a product of which only some columns are wanted.
//!
//! A network scores every square that a piece may leave or arrive at, and a position's legal moves ask
//! for few of them. So each square's weights lie together, and its score is computed when it is
//! asked for.

use super::dot::{self, QUAD, Weights};
use super::product::{Activations, dot_column};
use super::table::{Table, exp2};

/// Weights that are multiplied together.
const BLOCK: usize = QUAD * dot::BLOCK;

/// The columns of a table, each with its unit and its bias.
#[derive(Debug)]
pub struct SquareScores {
    inputs: usize,
    /// Column after column, each filled up with zeros to a whole number of blocks.
    weights: Vec<Weights>,
    units: Vec<f32>,
    bias: Vec<f32>,
}

impl SquareScores {
    /// The scores of a table and a bias; `None` if they do not match or rows have units of their own.
    pub fn new(table: &Table, bias: &[f32]) -> Option<SquareScores> {
        let [inputs, columns] = table.shape();
        let units = table.column_units()?.into_iter().map(|unit| exp2(-unit) as f32).collect();
        let blocks = inputs.div_ceil(BLOCK);
        let mut weights = vec![Weights([0; BLOCK]); blocks * columns];
        for input in 0..inputs {
            for (column, &weight) in table.row(input).iter().enumerate() {
                weights[column * blocks + input / BLOCK].0[input % BLOCK] = weight;
            }
        }
        let scores = SquareScores { inputs, weights, units, bias: bias.to_vec() };
        (bias.len() == columns).then_some(scores)
    }

    /// Number of activations and of squares.
    pub fn shape(&self) -> [usize; 2] {
        [self.inputs, self.bias.len()]
    }

    /// The score of a square. Sums must have been proved to stay below 2<sup>24</sup> units.
    pub fn score(&self, activations: &Activations, square: usize) -> f32 {
        let blocks = self.inputs.div_ceil(BLOCK);
        let weights = &self.weights[square * blocks..][..blocks];
        dot_column(activations, weights) as f32 * self.units[square] + self.bias[square]
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::Units;
    use super::*;

    #[test]
    fn scores_are_columns_of_the_product() {
        for inputs in [1, 4, 31, 32, 33, 320] {
            let entry =
                |input: usize, square: usize| ((input * 37 + square * 101) % 255) as i64 - 127;
            let entries =
                (0..inputs * 3).map(|place| entry(place / 3, place % 3) as u8).collect::<Vec<u8>>();
            let table = Table::new(inputs, 3, entries).unwrap();
            let table = table.scaled(Units::Columns(vec![0, 2, -1])).unwrap();
            let scores = SquareScores::new(&table, &[0.5, -1.0, 3.0]).unwrap();
            assert_eq!(scores.shape(), [inputs, 3]);
            let numbers: Vec<f32> = (0..inputs).map(|input| (input * 11 % 128) as f32).collect();
            let mut activations = Activations::default();
            activations.set(&numbers);
            for (square, (unit, bias)) in
                [(1.0, 0.5), (0.25, -1.0), (2.0, 3.0)].into_iter().enumerate()
            {
                let sum: i64 =
                    (0..inputs).map(|input| numbers[input] as i64 * entry(input, square)).sum();
                assert_eq!(scores.score(&activations, square), sum as f32 * unit + bias);
            }
        }
    }

    #[test]
    fn what_does_not_match_is_refused() {
        let table = Table::new(2, 2, vec![1; 4]).unwrap();
        assert!(SquareScores::new(&table, &[0.0; 3]).is_none());
        let rows = table.scaled(Units::Rows(vec![0, 1])).unwrap();
        assert!(SquareScores::new(&rows, &[0.0; 2]).is_none());
    }
}
