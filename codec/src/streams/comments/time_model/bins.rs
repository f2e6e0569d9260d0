//! The bins of times.

/// The first second of a bin: seconds up to 8, then two bins for each doubling.
pub(in crate::streams::comments) fn first_second(bin: usize) -> i64 {
    match bin {
        0..=8 => bin as i64,
        _ => (8 + 4 * (bin as i64 % 2)) << ((bin - 8) / 2),
    }
}

/// How many binary digits tell the second within a bin.
pub(in crate::streams::comments) fn bin_bits(bin: usize) -> u32 {
    (first_second(bin + 1) - first_second(bin)).ilog2()
}
