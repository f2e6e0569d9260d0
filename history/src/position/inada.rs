//! RI: Inada's bound.

/// log<sub>2</sub>(64! / (32! 15! 15!) · 6<sup>30</sup>) in bits: the ways to fill a
/// board with two kings, 15 more pieces on each side and 32 empty squares.
///
/// Dean Inada's "upper bound" in Robison's article of 1993, printed as 176. Each of the 30 pieces
/// is allowed to be of six kinds, but as both kings are already counted there are only five:
/// [`inada_bound_of`]`(5)` is 167.5 bits. Neither counts positions with fewer pieces, the turn,
/// castling rights or en passant.
///
/// ```
/// assert_eq!(format!("{:.1}", plyzip_history::position::inada_bound()), "175.4");
/// assert_eq!(format!("{:.1}", plyzip_history::position::inada_bound_of(5)), "167.5");
/// ```
pub fn inada_bound() -> f64 {
    inada_bound_of(6)
}

/// [`inada_bound`] with `kinds` of pieces in place of 6.
pub fn inada_bound_of(kinds: u32) -> f64 {
    let log_factorial = |n: u32| (1..=n).map(|k| f64::from(k).log2()).sum::<f64>();
    log_factorial(64) - log_factorial(32) - 2.0 * log_factorial(15) + 30.0 * f64::from(kinds).log2()
}
