//! What squares hear.

use super::super::view::{RAYS, SQUARES, View};

/// For each direction, what each square hears.
pub struct Heard(pub(super) [[i32; SQUARES]; RAYS]);

impl Heard {
    /// What the squares of a position hear.
    #[inline(always)]
    pub fn new(view: &View) -> Heard {
        let mut heard = [[0; SQUARES]; RAYS];
        for (heard, from) in heard.as_flattened_mut().iter_mut().zip(view.heard.as_flattened()) {
            *heard = i32::from(*from);
        }
        Heard(heard)
    }
}
