//! Numbers as one of a few classes.

use std::num::NonZeroU16;

use shakmaty::Role;

use super::context::GameContext;

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

/// The bucket of a rating, one of 18; 0 is unknown.
pub fn elo_bucket(elo: u16) -> usize {
    if elo == 0 { 0 } else { usize::from((elo.max(1200) - 1200) / 100).min(16) + 1 }
}

/// The years in which buckets begin, finer near the present; later ones than training knew belong
/// to the last.
const ERAS: [u16; 18] = [
    1900, 1930, 1950, 1970, 1980, 1985, 1990, 1995, 2000, 2004, 2008, 2011, 2013, 2015, 2017, 2019,
    2021, 2022,
];

/// The bucket of a year, one of 20; 0 is unknown.
pub fn year_bucket(year: Option<NonZeroU16>) -> usize {
    year.map_or(0, |year| 1 + ERAS.partition_point(|&first| first <= year.get()))
}

/// The bucket of a game's pace and of whether it was played on a server, one of 10.
pub fn pace_bucket(context: &GameContext) -> usize {
    usize::from(context.pace_number()) * 2 + usize::from(context.online)
}

/// `value` itself below `exact`, then a bucket for every `step`, at most `last`.
fn coarse(value: usize, exact: usize, step: usize, last: usize) -> usize {
    if value < exact { value } else { (exact + (value - exact) / step).min(last) }
}

/// The bucket of the number of plies that were played, one of 40.
pub fn ply_bucket(ply: usize) -> usize {
    coarse(ply, 20, 8, 39)
}

/// The bucket of the plies since the last capture or pawn move, one of 16.
pub fn halfmove_bucket(halfmoves: u32) -> usize {
    coarse(halfmoves as usize, 8, 12, 15)
}

/// The bucket of the number of legal moves, one of 16.
pub fn choice_bucket(moves: usize) -> usize {
    coarse(moves, 8, 6, 15)
}

/// The displacement of the square `to` from the square `reference`: one of [`DISPLACEMENTS`]. It is the sum of that of
/// `to` from square 63 and that of square 0 from `reference`.
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
