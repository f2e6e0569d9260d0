//! The elements of a template.

use super::{CLOCK, EVAL, PROSE};
use crate::streams::comments::forms::{ClockForm, EvalForm};

/// An element of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::streams::comments) enum Element {
    /// A byte that stands for itself.
    Byte(u8),
    /// The next number is a time; whether it is one on the clock, not one that a move took.
    Clock(ClockForm, bool),
    /// The next number is an evaluation.
    Eval(EvalForm),
    /// The next text.
    Prose,
}

impl Element {
    /// Appends a number's spelling.
    pub fn spell(self, number: i64, out: &mut Vec<u8>) {
        match self {
            Element::Clock(form, _) => form.spell(number, out),
            Element::Eval(form) => form.spell(number, out),
            Element::Byte(_) | Element::Prose => {}
        }
    }
}

/// The elements of a template; marks without a valid form stand for themselves.
pub(in crate::streams::comments) fn elements(template: &[u8]) -> Vec<Element> {
    let mut elements = Vec::new();
    let mut place = 0;
    while let Some(&byte) = template.get(place) {
        let code = template.get(place + 1).copied().unwrap_or(0);
        let element = match byte {
            CLOCK => {
                let on_clock = template[..place].ends_with(b"clk ");
                ClockForm::of(code).map(|form| Element::Clock(form, on_clock))
            }
            EVAL => EvalForm::of(code).map(Element::Eval),
            PROSE => Some(Element::Prose),
            _ => None,
        };
        let marked = matches!(element, Some(Element::Clock(..) | Element::Eval(_)));
        elements.push(element.unwrap_or(Element::Byte(byte)));
        place += 1 + usize::from(marked);
    }
    elements
}
