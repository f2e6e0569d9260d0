//! Spans of days.

/// Year, month, day.
type Day = (u16, u8, u8);

/// The days from one to another, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dates {
    first: Day,
    last: Day,
}

impl Dates {
    /// Whether a date lies in the span whatever its unknown parts are.
    pub(super) fn contains(self, date: &str) -> bool {
        known(date).is_some_and(|(first, last)| self.first <= first && last <= self.last)
    }
}

/// Reads a date or two with `..` between them, such as `2020..2023-06`; either end may be missing.
pub(super) fn parse(text: &str) -> Result<Dates, String> {
    let wanted =
        || "a date or two are wanted, such as 2023, 2020..2023-06 or 2023-06-15..".to_owned();
    let date = |text: &str| {
        let days = known(text).filter(|_| !text.contains('?')).ok_or_else(wanted)?;
        match is_precise(text, days) {
            true => Ok(days),
            false => Err(format!("{text} is no date of the calendar")),
        }
    };
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    if first.is_empty() && last.is_empty() {
        return Err(wanted());
    }
    let first = if first.is_empty() { (0, 0, 0) } else { date(first)?.0 };
    let last = if last.is_empty() { (u16::MAX, 0, 0) } else { date(last)?.1 };
    match first <= last {
        true => Ok(Dates { first, last }),
        false => Err("the second date is before the first".into()),
    }
}

/// The year of a date, if it is known.
pub fn year(date: &str) -> Option<u16> {
    known(date).map(|((year, ..), _)| year)
}

/// The days from the beginning of 1970 to a date of which all is known, in the Gregorian calendar; `None` if there is
/// no such day.
pub fn days_since_1970(date: &str) -> Option<i32> {
    let (first, last) = known(date)?;
    let (year, month, day) = first;
    if first != last {
        return None;
    }
    let years = i32::from(year) - 1;
    let before = 365 * years + years / 4 - years / 100 + years / 400;
    let months: i32 = (1..month).map(|month| i32::from(days(year, month))).sum();
    Some(before + months + i32::from(day) - 1 - 719_162)
}

/// The first and the last day that a date such as `2023.06.??` may be; `None` if not even the year is known. Parts may
/// be missing, and be parted by `-` or `/`, too. What the calendar does not have is as unknown as `??`: the year 0, the
/// month of `2023.13.01`, the day of `2023.02.30`.
fn known(date: &str) -> Option<(Day, Day)> {
    let mut parts = date.trim().splitn(3, PARTED);
    let year = number(parts.next()?, 4).filter(|&year| year > 0)? as u16;
    let month = part(parts.next())?.filter(|month| (1..=12).contains(month));
    let day = part(parts.next())?;
    let Some(month) = month else { return Some(((year, 1, 1), (year, 12, 31))) };
    let last = days(year, month);
    Some(match day.filter(|day| (1..=last).contains(day)) {
        Some(day) => ((year, month, day), (year, month, day)),
        None => ((year, month, 1), (year, month, last)),
    })
}

/// Whether the calendar has all parts of a date that can be these `days`: then none of them is as good as unknown.
fn is_precise(date: &str, (first, last): (Day, Day)) -> bool {
    match date.trim().split(PARTED).count() {
        1 => true,
        2 => first.1 == last.1,
        _ => first == last,
    }
}

/// What parts a date.
const PARTED: [char; 3] = ['.', '-', '/'];

/// A month or a day: `Some(None)` if it is unknown, `None` if it is none.
fn part(text: Option<&str>) -> Option<Option<u8>> {
    match text {
        None | Some("?" | "??") => Some(None),
        Some(text) => Some(Some(number(text, 2)? as u8)),
    }
}

/// A number of at most so many digits.
fn number(text: &str, digits: usize) -> Option<u32> {
    let is_number = text.len() <= digits && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

/// Days of a month.
fn days(year: u16, month: u8) -> u8 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_in_a_span_whatever_is_unknown_of_it() {
        for (span, inside, outside) in [
            (
                "2020..2023-06",
                &["2020.01.01", "2022.??.??", "2023.06.30", "2023.06.??"][..],
                &["2019.12.31", "2023.07.01", "2023.??.??", "????.??.??", "", "?"][..],
            ),
            ("2023", &["2023.05.??", "2023", "2023/5/1"], &["2022.12.31", "2024.01.01"]),
            ("2024-02", &["2024.02.29", "2024.02.??"], &["2024.??.??", "2024.03.01"]),
            ("2024-02-29..", &["2024.02.29", "3000.01.01"], &["2024.02.??", "2024.02.28"]),
            ("..1999.12", &["1851.06.21", "1999.12.31"], &["2000.01.01", "20000.01.01", "x"]),
            ("2023-06..2023-06-30", &["2023.06.??"], &["2023.??.??"]),
            // What no calendar has is unknown.
            ("2023", &["2023.02.30", "2023.13.01", "2023.00.00"], &["0000.00.00", "0.1.1"]),
            ("2023-02", &["2023.02.30", "2023.02.00"], &["2023.13.01", "2023.00.01"]),
            ("..2023", &["2023.11.31"], &["0000.00.00", "0000"]),
            ("2023-02-28", &["2023.02.28"], &["2023.02.30"]),
        ] {
            let span = parse(span).unwrap();
            assert!(inside.iter().all(|date| span.contains(date)), "{span:?}");
            assert!(!outside.iter().any(|date| span.contains(date)), "{span:?}");
        }
    }

    #[test]
    fn days_are_counted_from_1970() {
        for (date, days) in [
            ("1970.01.01", Some(0)),
            ("1969-12-31", Some(-1)),
            ("2000.03.01", Some(11_017)),
            ("2024.02.29", Some(19_782)),
            ("1851.06.21", Some(-43_293)),
            ("0001.01.01", Some(-719_162)),
            ("0000.12.31", None),
            ("9999.12.31", Some(2_932_896)),
            ("2023.02.29", None),
            ("2023.13.01", None),
            ("2023.00.01", None),
            ("2023.01.00", None),
            ("2023.01.??", None),
            ("2023", None),
            ("", None),
        ] {
            assert_eq!(days_since_1970(date), days, "{date}");
        }
        assert_eq!([year("1851.??.??"), year("????"), year("x")], [Some(1851), None, None]);
        assert_eq!([year("0000.00.00"), year("1851.13.00")], [None, Some(1851)]);
    }

    #[test]
    fn other_words_are_no_spans() {
        for wrong in [
            "",
            "..",
            "2023..2022",
            "x",
            "2023-xx",
            "20233",
            "2023-??",
            "2023-06-15-1",
            "+203",
            "2023-13",
            "2023-00",
            "2023-02-30",
            "2023-02-00",
            "0000",
            "2022..2023-13-01",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
