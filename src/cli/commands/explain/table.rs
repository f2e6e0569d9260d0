//! The costs of a game's moves as a table, for a terminal.

use std::fmt::Write as _;

use super::annotated::{Annotated, AnnotatedPly, percent};
use crate::cli::bars::bar;
use crate::cli::shown::shown;

/// Letters of a bar, and the fewest bits that fill it.
const BAR: usize = 12;
const FULL: f64 = 8.0;

/// How many surprises are named below the table.
const SURPRISES: usize = 5;

/// The remark on surprises wherever they are shown.
pub const CAUTION: &str = "A surprise is a move that the model took to be unlikely for a player to choose: \
     bits do not tell how good it is.";

/// A line for each move.
pub fn table(game: &Annotated) -> String {
    let mut text = format!("{}\n{}\n\n", shown(&game.title()), figures(game));
    if game.plies.is_empty() {
        return text + "No moves, or a start that plyzip does not know.\n";
    }
    let full = game.plies.iter().map(|ply| ply.cost.bits()).fold(FULL, f64::max);
    let width = game.plies.iter().map(|ply| ply.named.played.san.len()).fold(4, usize::max);
    let numbers = game.plies.iter().map(|ply| ply.named.number().len()).fold(0, usize::max);
    let surprises = game.surprises(SURPRISES);
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{:numbers$} {:width$} {:>5} {:>8}  {:BAR$}  other likely moves",
        "", "move", "bits", "chance", ""
    );
    for (number, ply) in game.plies.iter().enumerate() {
        let AnnotatedPly { named, cost, .. } = ply;
        let chance = if cost.legal == 1 { "forced".into() } else { percent(ply.probability()) };
        let mark = if surprises.contains(&number) { '*' } else { ' ' };
        let line = format!(
            "{:numbers$} {:width$} {:5.1} {chance:>8}  {}{mark} {}",
            named.number(),
            named.played.san,
            cost.bits(),
            bar(cost.bits(), full, BAR),
            others(ply),
        );
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text.push('\n');
    if !surprises.is_empty() {
        let _ = writeln!(text, "* most surprising:");
        for ply in surprises.iter().map(|&ply| &game.plies[ply]) {
            let _ = writeln!(text, "    {}: {}", ply.name(), surprise(ply));
        }
    }
    text + CAUTION + "\n"
}

/// Sums of bits.
pub fn figures(game: &Annotated) -> String {
    let plies = game.plies.len();
    let moves = game.move_bits();
    let mut text = format!("game {}, {plies} plies: moves {moves:.1} bits", game.number);
    // Writing to a string cannot fail.
    if plies > 0 {
        let _ = write!(text, " ({:.2} a ply)", moves / plies as f64);
    }
    let _ = write!(text, ", the end {:.1}", game.end_bits());
    if game.variation_bits > 0.0 {
        let _ = write!(text, ", variations {:.1}", game.variation_bits);
    }
    let place = if game.alone { "by itself" } else { "in its archive" };
    let _ = write!(text, "; model {}, {place}", shown(&game.model));
    text
}

/// The surprise of a move, in words.
pub fn surprise(ply: &AnnotatedPly) -> String {
    let mut text = format!("{:.1} bits, chance {}", ply.cost.bits(), percent(ply.probability()));
    if let Some(first) = ply.others.first() {
        let _ = write!(text, "; expected {} {}", first.named.san, percent(first.probability));
    }
    text
}

/// The likeliest of the other moves.
fn others(ply: &AnnotatedPly) -> String {
    let others = ply.others.iter();
    let others = others.map(|other| format!("{} {}", other.named.san, percent(other.probability)));
    others.collect::<Vec<_>>().join(", ")
}
