//! Bars of text.

/// Eighths of a letter, from one to eight.
const EIGHTHS: [char; 8] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];

/// A bar of `value` of `full`, filled up to a width of so many letters. What is more than nothing is seen.
pub fn bar(value: f64, full: f64, width: usize) -> String {
    let share = if full > 0.0 { (value / full).clamp(0.0, 1.0) } else { 0.0 };
    let most = 8 * width;
    let eighths = (share * most as f64).round() as usize;
    let eighths = if value > 0.0 { eighths.clamp(1, most.max(1)) } else { 0 };
    let mut bar: String = std::iter::repeat_n(EIGHTHS[7], eighths / 8).collect();
    if eighths % 8 > 0 {
        bar.push(EIGHTHS[eighths % 8 - 1]);
    }
    let length = bar.chars().count();
    bar.extend(std::iter::repeat_n(' ', width.saturating_sub(length)));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_values() {
        for (value, text) in [
            (0.0, "    "),
            (1e-9, "▏   "),
            (0.25, "█   "),
            (0.3125, "█▎  "),
            (1.0, "████"),
            (7.0, "████"),
            (f64::NAN, "    "),
        ] {
            assert_eq!(bar(value, 1.0, 4), text, "{value}");
        }
        assert_eq!(bar(1.0, 0.0, 2), "▏ ");
    }
}
