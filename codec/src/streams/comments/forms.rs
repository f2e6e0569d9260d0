//! The spellings of clock times and evaluations.

/// The spelling of a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ClockForm {
    /// Digits of the hours at least: 1 or 2.
    pub hours: u8,
    /// Digits after the point: 0 to 3.
    pub digits: u8,
    /// True if a fraction of zero is left out, with its point.
    pub brief: bool,
}

/// The spelling of an evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EvalForm {
    /// In hundredths, without a last digit of zero after the first: `0.17`, `-1.0`.
    Brief,
    /// In hundredths with two digits: `0.10`.
    Full,
    /// Moves to mate: `#3`, `#-2`.
    Mate,
}

impl ClockForm {
    /// The code of the form behind a mark.
    pub fn code(self) -> u8 {
        b'0' + self.hours * 8 + self.digits * 2 + u8::from(self.brief)
    }

    /// The form with this code.
    pub fn of(code: u8) -> Option<ClockForm> {
        let bits = code.wrapping_sub(b'0');
        let form = ClockForm { hours: bits / 8, digits: bits / 2 % 4, brief: bits % 2 == 1 };
        (1..=2).contains(&form.hours).then_some(form)
    }

    /// Units in a second.
    pub fn unit(self) -> i64 {
        10i64.pow(u32::from(self.digits))
    }

    /// Appends a time in units of this form.
    pub fn spell(self, time: i64, out: &mut Vec<u8>) {
        let (seconds, fraction) = (time / self.unit(), time % self.unit());
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        let width = usize::from(self.hours);
        out.extend(format!("{hours:0width$}:{minutes:02}:{seconds:02}").bytes());
        if self.digits > 0 && !(self.brief && fraction == 0) {
            out.extend(format!(".{fraction:0width$}", width = usize::from(self.digits)).bytes());
        }
    }

    /// The time that `text` spells in exactly this form, in its units.
    pub fn read(self, text: &[u8]) -> Option<i64> {
        let (clock, fraction) = match text.iter().position(|&byte| byte == b'.') {
            Some(point) => (&text[..point], &text[point + 1..]),
            None => (text, &[][..]),
        };
        let mut fields = clock.split(|&byte| byte == b':');
        let seconds =
            number(fields.next()?)? * 3600 + number(fields.next()?)? * 60 + number(fields.next()?)?;
        let fraction = if fraction.is_empty() { 0 } else { number(fraction)? };
        let time = seconds * self.unit() + fraction;
        let mut spelled = Vec::new();
        self.spell(time, &mut spelled);
        (spelled == text).then_some(time)
    }
}

impl EvalForm {
    /// The code of the form behind a mark.
    pub fn code(self) -> u8 {
        match self {
            EvalForm::Brief => b'b',
            EvalForm::Full => b'f',
            EvalForm::Mate => b'm',
        }
    }

    /// The form with this code.
    pub fn of(code: u8) -> Option<EvalForm> {
        [EvalForm::Brief, EvalForm::Full, EvalForm::Mate]
            .into_iter()
            .find(|form| form.code() == code)
    }

    /// Appends an evaluation: centipawns, or moves to mate.
    pub fn spell(self, eval: i64, out: &mut Vec<u8>) {
        let text = match self {
            EvalForm::Mate => format!("#{eval}"),
            _ => {
                let sign = if eval < 0 { "-" } else { "" };
                let (whole, hundredths) = (eval.unsigned_abs() / 100, eval.unsigned_abs() % 100);
                if self == EvalForm::Brief && hundredths % 10 == 0 {
                    format!("{sign}{whole}.{}", hundredths / 10)
                } else {
                    format!("{sign}{whole}.{hundredths:02}")
                }
            }
        };
        out.extend(text.bytes());
    }

    /// The evaluation that `text` spells in exactly this form.
    pub fn read(self, text: &[u8]) -> Option<i64> {
        let (mate, text_behind) = match text.strip_prefix(b"#") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (negative, digits) = match text_behind.strip_prefix(b"-") {
            Some(rest) => (true, rest),
            None => (false, text_behind),
        };
        let size = if mate {
            number(digits)?
        } else {
            let point = digits.iter().position(|&byte| byte == b'.')?;
            let (whole, hundredths) = (&digits[..point], &digits[point + 1..]);
            let scale = match hundredths.len() {
                1 => 10,
                2 => 1,
                _ => return None,
            };
            number(whole)? * 100 + number(hundredths)? * scale
        };
        let eval = if negative { -size } else { size };
        let mut spelled = Vec::new();
        self.spell(eval, &mut spelled);
        (spelled == text).then_some(eval)
    }
}

/// A number of at most six digits.
fn number(digits: &[u8]) -> Option<i64> {
    if digits.is_empty() || digits.len() > 6 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(digits.iter().fold(0, |number, &digit| number * 10 + i64::from(digit - b'0')))
}
