//! Counts in words.

/// A count with its name, in the plural unless it is 1.
pub fn counted(count: u64, name: &str) -> String {
    format!("{count} {name}{}", if count == 1 { "" } else { "s" })
}
