//! The forms that a game's comments use.

use super::command::{commands, first_field, is_clock};
use crate::streams::comments::forms::{ClockForm, EvalForm};

/// Forms that a game's comments use where a spelling alone could be of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::streams::comments) struct Habits {
    /// Times without a fraction leave out one of this number of digits.
    clock_digits: u8,
    /// Evaluations have two digits after the point.
    full_evals: bool,
}

impl Habits {
    /// The habits of a game's comments.
    pub fn of<'a>(comments: impl Iterator<Item = &'a [u8]>) -> Habits {
        let mut habits = Habits { clock_digits: 0, full_evals: false };
        for comment in comments {
            for (command, argument) in commands(comment) {
                if is_clock(command) {
                    let fraction = argument.rsplit(|&byte| byte == b'.').next();
                    if let Some(fraction) = fraction.filter(|f| f.len() < argument.len()) {
                        habits.clock_digits = habits.clock_digits.max(fraction.len().min(3) as u8);
                    }
                } else if command == b"eval" {
                    let value = first_field(argument);
                    habits.full_evals |= value.contains(&b'.')
                        && value.ends_with(b"0")
                        && EvalForm::Full.read(value).is_some();
                }
            }
        }
        habits
    }

    pub(super) fn clock(self, text: &[u8]) -> Option<(ClockForm, i64)> {
        let forms = [1, 2].into_iter().flat_map(|hours| {
            [
                ClockForm { hours, digits: self.clock_digits, brief: self.clock_digits > 0 },
                ClockForm { hours, digits: 0, brief: false },
                ClockForm { hours, digits: 1, brief: false },
                ClockForm { hours, digits: 2, brief: false },
                ClockForm { hours, digits: 3, brief: false },
            ]
        });
        forms.into_iter().find_map(|form| Some((form, form.read(text)?)))
    }

    pub(super) fn eval(self, text: &[u8]) -> Option<(EvalForm, i64)> {
        let forms = match self.full_evals {
            true => [EvalForm::Mate, EvalForm::Full, EvalForm::Brief],
            false => [EvalForm::Mate, EvalForm::Brief, EvalForm::Full],
        };
        forms.into_iter().find_map(|form| Some((form, form.read(text)?)))
    }
}
