//! Values that are numbers in disguise.

/// A way of spelling numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::streams::tags) enum Form {
    /// `2742`
    Integer,
    /// `+5`, `-3`, `+0`
    Signed,
    /// `2023.07.01`, as days
    Date,
    /// `00:01:59`, as seconds
    Time,
}

impl Form {
    /// The number that a value spells, if [`Form::spell`] spells it likewise.
    pub fn read(self, value: &[u8]) -> Option<i64> {
        let number = match self {
            Form::Integer => integer(value)?,
            Form::Signed => match value.split_first()? {
                (b'+', digits) => integer(digits)?,
                (b'-', digits) => -integer(digits)?,
                _ => return None,
            },
            Form::Date => {
                let (year, month, day) = fields(value, [4, 2, 2], b'.')?;
                if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
                    return None;
                }
                (year * 12 + month - 1) * 31 + day - 1
            }
            Form::Time => {
                let (hours, minutes, seconds) = fields(value, [2, 2, 2], b':')?;
                if hours >= 24 || minutes >= 60 || seconds >= 60 {
                    return None;
                }
                (hours * 60 + minutes) * 60 + seconds
            }
        };
        (self.spell(number)? == value).then_some(number)
    }

    /// The spelling of a number, if it has one.
    pub fn spell(self, number: i64) -> Option<Vec<u8>> {
        let text = match self {
            Form::Integer if (0..LARGEST).contains(&number) => number.to_string(),
            Form::Signed if (-LARGEST..LARGEST).contains(&number) => format!("{number:+}"),
            Form::Date if (0..10_000 * 12 * 31).contains(&number) => {
                let (month, day) = (number / 31, number % 31 + 1);
                format!("{:04}.{:02}.{day:02}", month / 12, month % 12 + 1)
            }
            Form::Time if (0..24 * 60 * 60).contains(&number) => {
                let (hours, minutes) = (number / 3600, number / 60 % 60);
                format!("{hours:02}:{minutes:02}:{:02}", number % 60)
            }
            _ => return None,
        };
        Some(text.into_bytes())
    }
}

/// No number has more than nine digits.
const LARGEST: i64 = 1_000_000_000;

fn integer(digits: &[u8]) -> Option<i64> {
    if digits.is_empty() || digits.len() > 9 {
        return None;
    }
    digits.iter().try_fold(0, |number, &digit| {
        digit.is_ascii_digit().then(|| number * 10 + i64::from(digit - b'0'))
    })
}

fn fields(value: &[u8], widths: [usize; 3], separator: u8) -> Option<(i64, i64, i64)> {
    let mut parts = value.split(|&byte| byte == separator);
    let mut next = |width| parts.next().filter(|part| part.len() == width).and_then(integer);
    let fields = (next(widths[0])?, next(widths[1])?, next(widths[2])?);
    parts.next().is_none().then_some(fields)
}

/// The numbers of a value like `10.3`: up to [`MOST_FIELDS`] canonical integers with dots between
/// them.
pub(in crate::streams::tags) fn dotted(value: &[u8]) -> Option<Vec<i64>> {
    let numbers: Option<Vec<i64>> = value
        .split(|&byte| byte == b'.')
        .take(MOST_FIELDS + 1)
        .map(|field| Form::Integer.read(field))
        .collect();
    numbers.filter(|numbers| numbers.len() <= MOST_FIELDS)
}

/// The spelling of what [`dotted`] reads.
pub(in crate::streams::tags) fn spell_dotted(numbers: &[i64]) -> Vec<u8> {
    let fields: Vec<String> = numbers.iter().map(i64::to_string).collect();
    fields.join(".").into_bytes()
}

/// The most numbers that [`dotted`] reads.
pub(in crate::streams::tags) const MOST_FIELDS: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_canonical_spellings_are_read() {
        for (form, good, bad) in [
            (
                Form::Integer,
                &["0", "2742", "999999999"][..],
                &["", "02", "-1", "1e3", "1000000000"][..],
            ),
            (Form::Signed, &["+0", "-17", "+5"], &["5", "-0", "+", "+05"]),
            (Form::Date, &["2023.07.01", "0000.01.31"], &["2023.7.1", "2023.??.??", "2023.13.01"]),
            (Form::Time, &["00:00:00", "23:59:59"], &["24:00:00", "1:00:00", "00:60:00"]),
        ] {
            for value in good {
                let number = form.read(value.as_bytes()).expect(value);
                assert_eq!(form.spell(number).unwrap(), value.as_bytes());
            }
            for value in bad {
                assert_eq!(form.read(value.as_bytes()), None, "{value}");
            }
        }
        assert_eq!(dotted(b"10.3"), Some(vec![10, 3]));
        assert_eq!(dotted(b"10.03"), None);
        assert_eq!(dotted(b"1.2.3.4"), None);
        assert_eq!(dotted(b"-"), None);
    }
}
