//! A comment as a template, numbers and text.

mod command;
mod element;
mod habits;
#[cfg(test)]
mod tests;

use self::command::{first_field, is_clock, next_command};
pub(super) use self::element::{Element, elements};
pub(super) use self::habits::Habits;

/// The parts of a comment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Parts {
    /// The comment with [`CLOCK`], [`EVAL`] and [`PROSE`] in place of what stands below; each
    /// number's mark is followed by its [`ClockForm`](super::forms::ClockForm) or [`EvalForm`](super::forms::EvalForm).
    pub template: Vec<u8>,
    /// The numbers, in the order of their marks.
    pub numbers: Vec<i64>,
    /// The texts, in the order of their marks.
    pub prose: Vec<Vec<u8>>,
}

/// Marks a clock time.
pub(super) const CLOCK: u8 = 1;
/// Marks an evaluation.
pub(super) const EVAL: u8 = 2;
/// Marks a text.
pub(super) const PROSE: u8 = 3;

/// Templates of chess servers, broadcasts and programs; their number is a power of two.
pub(super) const USUAL_TEMPLATES: [&[u8]; 16] = [
    b" [%clk \x018] ",
    b"[%clk \x018]",
    b" [%eval \x02b] [%clk \x018] ",
    b" [%eval \x02m] [%clk \x018] ",
    b"\x03",
    b"[%clk \x01;]",
    b"[%eval \x02b] [%clk \x018]",
    b"[%eval \x02m] [%clk \x018]",
    b"[%emt \x018]",
    b"[%emt \x01@]",
    b" [%eval \x02b] ",
    b" [%eval \x02m] ",
    b"[%eval \x02b]",
    b"[%clk \x01@]",
    b"\x03[%eval \x02b] [%clk \x018] ",
    b"\x03[%eval \x02m] [%clk \x018] ",
];

/// Texts up to this length between commands are part of the template.
const SHORT: usize = 2;

impl Parts {
    /// The parts of a comment; [`Parts::write`] makes the comment of them again.
    pub fn of(comment: &[u8], habits: Habits) -> Parts {
        let mut parts = Parts::default();
        let mut rest = comment;
        if comment.iter().any(|byte| (CLOCK..=PROSE).contains(byte)) {
            parts.text(rest, 0);
            return parts;
        }
        while let Some([before, name, argument, behind]) = next_command(rest) {
            parts.text(before, SHORT);
            parts.template.extend_from_slice(b"[%");
            parts.text(name, 8);
            parts.template.push(b' ');
            let number = first_field(argument);
            if let Some((form, time)) = habits.clock(argument).filter(|_| is_clock(name)) {
                parts.template.extend([CLOCK, form.code()]);
                parts.numbers.push(time);
            } else if let Some((form, eval)) = habits.eval(number).filter(|_| name == b"eval") {
                parts.template.extend([EVAL, form.code()]);
                parts.numbers.push(eval);
                parts.text(&argument[number.len()..], 0);
            } else {
                parts.text(argument, 0);
            }
            parts.template.push(b']');
            rest = behind;
        }
        parts.text(rest, SHORT);
        parts
    }

    fn text(&mut self, text: &[u8], short: usize) {
        if text.len() <= short {
            self.template.extend_from_slice(text);
        } else if !text.is_empty() {
            self.template.push(PROSE);
            self.prose.push(text.to_vec());
        }
    }
}
