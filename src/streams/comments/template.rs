//! A comment as a template, numbers and text.

use super::forms::{ClockForm, EvalForm};

/// What a comment is made of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Parts {
    /// The comment with [`CLOCK`], [`EVAL`] and [`PROSE`] in place of what stands below; each
    /// number's mark is followed by its [`ClockForm`] or [`EvalForm`].
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

/// Forms that a game's comments use where a spelling alone could be of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Habits {
    /// Times without a fraction leave out one of so many digits.
    clock_digits: u8,
    /// Evaluations have two digits after the point.
    full_evals: bool,
}

impl Habits {
    /// What all comments of a game say together.
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

    fn clock(self, text: &[u8]) -> Option<(ClockForm, i64)> {
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

    fn eval(self, text: &[u8]) -> Option<(EvalForm, i64)> {
        let forms = match self.full_evals {
            true => [EvalForm::Mate, EvalForm::Full, EvalForm::Brief],
            false => [EvalForm::Mate, EvalForm::Brief, EvalForm::Full],
        };
        forms.into_iter().find_map(|form| Some((form, form.read(text)?)))
    }
}

fn is_clock(command: &[u8]) -> bool {
    matches!(command, b"clk" | b"emt" | b"egt" | b"mct")
}

fn first_field(argument: &[u8]) -> &[u8] {
    argument.split(|&byte| byte == b',').next().unwrap_or(argument)
}

/// The commands in a comment: name and argument of each `[%name argument]`.
fn commands(comment: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut rest = comment;
    std::iter::from_fn(move || {
        let [_, name, argument, behind] = next_command(rest)?;
        rest = behind;
        Some((name, argument))
    })
}

/// Splits at the first command: what stands before, its name, its argument and what stands behind.
fn next_command(text: &[u8]) -> Option<[&[u8]; 4]> {
    let start = text.windows(2).position(|pair| pair == b"[%")?;
    let inside = &text[start + 2..];
    let end = inside.iter().position(|&byte| byte == b']')?;
    let space = inside[..end].iter().position(|&byte| byte == b' ')?;
    Some([&text[..start], &inside[..space], &inside[space + 1..end], &inside[end + 1..]])
}

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

/// An element of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
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
pub(super) fn elements(template: &[u8]) -> Vec<Element> {
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(parts: &Parts) -> Vec<u8> {
        let (mut numbers, mut prose) = (parts.numbers.iter(), parts.prose.iter());
        let mut out = Vec::new();
        for element in elements(&parts.template) {
            match element {
                Element::Byte(byte) => out.push(byte),
                Element::Prose => out.extend_from_slice(prose.next().unwrap()),
                number => number.spell(*numbers.next().unwrap(), &mut out),
            }
        }
        assert!(numbers.next().is_none() && prose.next().is_none());
        out
    }

    fn parts(comment: &[u8]) -> Parts {
        let parts = Parts::of(comment, Habits::of([comment].into_iter()));
        assert_eq!(written(&parts), comment);
        parts
    }

    #[test]
    fn every_spelling_comes_back() {
        for clock in [
            "0:05:00",
            "00:05:00",
            "0:05:00.0",
            "1:02:03.45",
            "0:59:59.999",
            "12:00:00",
            "0:5:00",
            "0:05:60",
            "5:00",
            "",
            "0:00:00.1234",
            "0:05:0x",
            "-0:00:01",
            "0:05:00.",
            "999999:00:00",
        ] {
            parts(format!(" [%clk {clock}] ").as_bytes());
        }
        for eval in [
            "0.17", "-0.39", "0.1", "0.10", "0.0", "0.00", "-0.00", "#3", "#-2", "#0", "+1.2", "1",
            "-1.5,20", ".5", "1.234", "#", "99999.99",
        ] {
            parts(format!("[%eval {eval}] [%clk 0:00:01]").as_bytes());
        }
        for odd in [
            "[%",
            "[%clk",
            "[%clk ]",
            "[%eval 0.1",
            "a [%b] c ]",
            "[%csl Ga1,Rb2][%cal Ga1b2] x",
            "",
        ] {
            parts(odd.as_bytes());
        }
        parts(b"\x01\x02 [%clk 0:05:00]");
    }

    #[test]
    fn usual_templates_are_those_of_usual_comments() {
        for (place, comment) in [
            (0, " [%clk 0:03:00] "),
            (1, "[%clk 1:30:54]"),
            (2, " [%eval 0.17] [%clk 0:03:00] "),
            (3, " [%eval #-3] [%clk 0:03:00] "),
            (4, "A novelty"),
            (5, "[%clk 0:02:59.9]"),
            (8, "[%emt 0:00:05]"),
            (9, "[%emt 00:00:05]"),
            (12, "[%eval -1.5]"),
            (13, "[%clk 01:30:54]"),
            (14, " (0.2 → 0.9) Inaccuracy. [%eval 0.9] [%clk 0:03:00] "),
        ] {
            assert_eq!(parts(comment.as_bytes()).template, USUAL_TEMPLATES[place], "{comment}");
        }
    }

    #[test]
    fn clocks_and_evaluations_are_numbers() {
        let both = parts(b" [%eval -0.39] [%clk 0:05:09] ");
        assert_eq!((both.numbers, both.prose.len()), (vec![-39, 309], 0));
        let tenths = Habits::of([&b"[%clk 0:00:59.9]"[..]].into_iter());
        assert_eq!(Parts::of(b"[%clk 0:01:00]", tenths).numbers, [600]);
    }

    proptest! {
        #[test]
        fn anything_comes_back(comment in proptest::collection::vec(any::<u8>(), 0..80)) {
            parts(&comment);
        }

        #[test]
        fn anything_like_a_command_comes_back(comment in r"(\[%(clk|eval|emt|csl) [-#0-9:., ]{0,9}\] ?){1,3}") {
            parts(comment.as_bytes());
        }
    }
}
