//! Numbers as one of a few classes.

use shakmaty::Role;

/// Classes of [`value_bucket`].
pub const VALUE_BUCKETS: usize = 21;

/// Classes of a value that is not negative, by [`value_bucket`].
pub const MAGNITUDES: usize = VALUE_BUCKETS / 2 + 1;

/// Displacements from one square to another: 15 files by 15 ranks.
pub const DISPLACEMENTS: usize = 15 * 15;

/// The class of a value in centipawns, finer near zero; that of 0 is in the middle.
pub fn value_bucket(value: i32) -> usize {
    let magnitude = match value.abs() {
        0..=9 => 0,
        10..=49 => 1,
        50..=119 => 2,
        120..=199 => 3,
        200..=269 => 4,
        270..=349 => 5,
        350..=449 => 6,
        450..=549 => 7,
        550..=699 => 8,
        700..=949 => 9,
        _ => 10,
    };
    if value < 0 { 10 - magnitude } else { 10 + magnitude }
}

/// The displacement of the square `to` from the square `reference`: one of [`DISPLACEMENTS`].
pub fn displacement(to: usize, reference: usize) -> usize {
    let file = (to & 7) + 7 - (reference & 7);
    let rank = (to >> 3) + 7 - (reference >> 3);
    rank * 15 + file
}

/// The role as a number from 0, the pawn, to 5, the king.
pub fn role_index(role: Role) -> usize {
    usize::from(role) - 1
}

/// A number with the bit `bit` set if `set` is true, 0 otherwise.
pub fn flag(bit: u32, set: bool) -> usize {
    usize::from(set) << bit
}

/// The class of a value: how many of the `bounds`, which rise, it reaches.
pub fn class(value: i32, bounds: &[i32]) -> usize {
    bounds.iter().take_while(|&&bound| value >= bound).count()
}
