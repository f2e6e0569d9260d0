//! The shape of a network, as its file says it (docs/format/search.md).

use anyhow::{Context, ensure};
use plyzip::unstable::engine::nnue;

/// Pieces on squares.
pub const FEATURES: usize = nnue::FEATURES;
/// Sets of output weights, by the number of pieces.
pub const OUTPUT_BUCKETS: usize = nnue::OUTPUT_BUCKETS;

/// The shape of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Units for each perspective, a multiple of 64.
    pub width: usize,
    /// The king bucket of each rank and file of the king's square, from its side, files counted from the nearer edge of
    /// the board; `None` for one bucket whose board is not mirrored.
    pub kings: Option<[u8; 32]>,
}

impl Shape {
    /// The shape of a width, and a layout of king buckets: `plain`, or a digit or letter for each of 32 squares, a1 to
    /// d1 first.
    pub fn new(width: usize, kings: &str) -> anyhow::Result<Shape> {
        ensure!(
            width > 0 && width.is_multiple_of(64) && width <= 2048,
            "a width is a multiple of 64, up to 2,048"
        );
        if kings == "plain" {
            return Ok(Shape { width, kings: None });
        }
        let buckets: Vec<u8> = kings
            .chars()
            .map(|letter| letter.to_digit(36).map(|digit| digit as u8))
            .collect::<Option<_>>()
            .context("a layout of kings has digits and letters")?;
        let buckets: [u8; 32] =
            buckets.try_into().ok().context("a layout of kings has 32 letters")?;
        let count = buckets.iter().max().map_or(0, |&most| usize::from(most) + 1);
        ensure!(
            (0..count as u8).all(|bucket| buckets.contains(&bucket)),
            "a king bucket is missing"
        );
        Ok(Shape { width, kings: Some(buckets) })
    }

    /// Number of king buckets.
    pub fn king_buckets(&self) -> usize {
        self.kings.map_or(1, |buckets| usize::from(buckets.into_iter().max().unwrap_or(0)) + 1)
    }

    /// Sets `rows` to the rows of features as a side sees them.
    #[inline(always)]
    pub fn rows(&self, features: &[u16], rows: &mut [u32]) {
        let (mut first, mut mirror) = (0, 0);
        if let Some(buckets) = &self.kings {
            let king =
                features.iter().find(|&&feature| feature / 64 == 5).map_or(7, |king| king % 64);
            mirror = if king & 4 == 0 { 7 } else { 0 };
            let file = (king ^ mirror ^ 7) & 3;
            first = u32::from(buckets[usize::from((king >> 3) * 4 + file)]) * FEATURES as u32;
        }
        for (row, &feature) in rows.iter_mut().zip(features) {
            *row = first + u32::from(feature ^ mirror);
        }
    }

    /// The header before the numbers of a network that has none of the first two shapes.
    pub fn header(&self) -> Vec<i16> {
        let first = |buckets: [u8; 32]| Shape { width: 256, kings: Some(buckets) };
        let old = nnue::KING_BUCKET_OF_RANK.map(|[inner, outer]| [outer, outer, inner, inner]);
        let old = first(std::array::from_fn(|i| old[i / 4][i % 4]));
        if *self == old || *self == (Shape { width: 256, kings: None }) {
            return vec![];
        }
        let mut header = vec![1, self.width as i16];
        match self.kings {
            None => header.push(0),
            Some(buckets) => {
                header.push(1);
                header.extend(buckets.map(i16::from));
            }
        }
        header
    }
}
