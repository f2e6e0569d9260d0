//! The pictures that `plyzip compare` draws.

pub mod bars;
mod labels;
pub mod plot;

use std::borrow::Cow;

use plyzip::Level;

use super::row::Row;

/// The class of what belongs to a system: ours or theirs.
fn class(row: &Row) -> &'static str {
    if row.id.starts_with("plyzip") { "ours" } else { "theirs" }
}

/// What a user calls a system: a model is called by its level, if it is that of one.
fn name(id: &str) -> Cow<'_, str> {
    let levels = || (1..=9).filter_map(Level::new);
    let level =
        id.strip_prefix("plyzip-").and_then(|model| levels().find(|level| level.model() == model));
    match level.map(Level::number) {
        Some(1) => "plyzip --fast".into(),
        Some(6) => "plyzip".into(),
        Some(9) => "plyzip --best".into(),
        Some(number) => format!("plyzip -{number}").into(),
        None => id.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn models_are_called_by_their_levels() {
        let ids =
            ["plyzip-none", "plyzip-standard@0", "plyzip-standard", "plyzip-standard@30000x12"];
        assert_eq!(ids.map(name), ["plyzip --fast", "plyzip -2", "plyzip", "plyzip -8"]);
        assert_eq!(["plyzip-standard@7x7", "xz -6"].map(name), ["plyzip-standard@7x7", "xz -6"]);
    }
}
