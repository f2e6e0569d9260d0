//! The shape of a network: its width and its king buckets.

use super::{FEATURES, LANES, NNUE_SIZES, OUTPUT_BUCKETS, WIDTH};

/// The king bucket of a large network for each rank and each pair of files (e and f, g and h) of the king's square, seen
/// from its side, after mirroring: castled, in the middle of the first rank, on the second, on the
/// third and fourth, further up.
pub const KING_BUCKET_OF_RANK: [[u8; 2]; 8] =
    [[1, 0], [2, 2], [3, 3], [3, 3], [4, 4], [4, 4], [4, 4], [4, 4]];

/// What the header begins with; other numbers are reserved for other kinds of networks.
const KIND: i16 = 1;

/// Numbers of a header with and without a layout of king buckets: the kind, the width, whether there is a layout, and
/// the layout.
const HEADERS: [usize; 2] = [3, 3 + SQUARES];

/// Squares of half a board.
const SQUARES: usize = 32;

const MAX_WIDTH: usize = 1024;
const MAX_KING_BUCKETS: usize = 16;

/// The most numbers that a network has.
pub const MAX_NUMBERS: usize = HEADERS[1] + count(MAX_WIDTH, MAX_KING_BUCKETS);

/// Numbers of a network without its header.
pub const fn count(width: usize, king_buckets: usize) -> usize {
    king_buckets * FEATURES * width + width + OUTPUT_BUCKETS * 2 * width + OUTPUT_BUCKETS
}

/// The shape of a network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    width: usize,
    king_layout: Option<[u8; SQUARES]>,
}

impl Shape {
    /// The shape of a network that has no header.
    fn headless(numbers: usize) -> Option<Shape> {
        let king_layout = match NNUE_SIZES.iter().position(|&size| size == numbers)? {
            0 => None,
            // File 0 of the layout is the edge.
            _ => Some(std::array::from_fn(|i| KING_BUCKET_OF_RANK[i / 4][1 - i % 4 / 2])),
        };
        Some(Shape { width: WIDTH, king_layout })
    }

    /// The shape of a network, and its numbers without the header; `None` if there is no such shape, or it has another
    /// count of numbers.
    pub fn read(numbers: &[i16]) -> Option<(Shape, &[i16])> {
        if let Some(shape) = Shape::headless(numbers.len()) {
            return Some((shape, numbers));
        }
        let &[KIND, width, has_layout, ref rest @ ..] = numbers else { return None };
        let width = usize::try_from(width).ok()?;
        if width == 0 || !width.is_multiple_of(LANES) || width > MAX_WIDTH {
            return None;
        }
        let (king_layout, rest) = match has_layout {
            0 => (None, rest),
            1 => {
                let (layout, rest) = rest.split_first_chunk::<SQUARES>()?;
                if !layout.iter().all(|bucket| (0..MAX_KING_BUCKETS as i16).contains(bucket)) {
                    return None;
                }
                (Some(layout.map(|bucket| bucket as u8)), rest)
            }
            _ => return None,
        };
        let shape = Shape { width, king_layout };
        (rest.len() == count(width, shape.king_buckets())).then_some((shape, rest))
    }

    /// Hidden units for each perspective, a multiple of [`LANES`].
    pub fn width(&self) -> usize {
        self.width
    }

    /// The king bucket for each rank and file of the king's square, seen from its side, files counted from the nearer
    /// edge; `None` for one bucket that sees boards unmirrored.
    pub fn king_layout(&self) -> Option<&[u8; SQUARES]> {
        self.king_layout.as_ref()
    }

    /// Number of king buckets.
    pub fn king_buckets(&self) -> usize {
        let last = self.king_layout.iter().flatten().max();
        last.map_or(1, |&last| usize::from(last) + 1)
    }
}
