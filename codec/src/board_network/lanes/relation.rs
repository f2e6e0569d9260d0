//! What attention adds for the places of two squares.

use super::super::view::SQUARES;
use super::plane::{LANES, PARTS};

/// What a square's place says to another's: for each head and key, to the queries of all squares.
#[derive(Debug)]
pub struct Relation(pub(super) Vec<[[i16; LANES]; PARTS]>);

impl Relation {
    /// From one number for each head, query and key.
    pub fn new(relation: &[i16]) -> Relation {
        let heads = relation.as_chunks::<{ SQUARES * SQUARES }>().0.iter();
        let planes = heads.flat_map(|head| {
            (0..SQUARES).map(|key| {
                let query = |part, lane| head[(part * LANES + lane) * SQUARES + key];
                std::array::from_fn(|part| std::array::from_fn(|lane| query(part, lane)))
            })
        });
        Relation(planes.collect())
    }
}
