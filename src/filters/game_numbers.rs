//! Numbers of the games of an archive that are wanted.

use std::ops::RangeInclusive;

use super::span;

/// Numbers of games, from 1 on, in ranges that rise and do not touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameNumbers(Vec<RangeInclusive<u64>>);

impl GameNumbers {
    /// The single game `number`.
    pub fn one(number: u64) -> GameNumbers {
        GameNumbers(vec![number..=number])
    }

    /// Whether this number is among them.
    pub fn contains(&self, number: u64) -> bool {
        self.meets(number..=number)
    }

    /// Whether one of these numbers is among them.
    pub fn meets(&self, numbers: RangeInclusive<u64>) -> bool {
        let after = self.0.partition_point(|range| range.end() < numbers.start());
        self.0.get(after).is_some_and(|range| range.start() <= numbers.end())
    }
}

/// Reads ranges of games, such as `3,10-20,40-`.
pub(super) fn parse(text: &str) -> Result<GameNumbers, String> {
    let wanted =
        || "numbers from 1 on and ranges of them are wanted, such as 3,10-20,40-".to_owned();
    let number = |text: &str| text.parse().ok().filter(|&number| number > 0).ok_or_else(wanted);
    let mut ranges: Vec<RangeInclusive<u64>> = vec![];
    for part in text.split(',') {
        let range = match span::ends(part) {
            ("", last) if !last.is_empty() => 1..=number(last)?,
            (first, "") => number(first)?..=u64::MAX,
            (first, last) => number(first)?..=number(last)?,
        };
        if range.is_empty() {
            return Err(wanted());
        }
        ranges.push(range);
    }
    ranges.sort_by_key(|range| *range.start());
    let mut merged: Vec<RangeInclusive<u64>> = vec![];
    for range in ranges {
        match merged.last_mut() {
            Some(last) if *range.start() <= last.end().saturating_add(1) => {
                *last = *last.start()..=*range.end().max(last.end());
            }
            _ => merged.push(range),
        }
    }
    Ok(GameNumbers(merged))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_numbers_and_ranges() {
        let read = |text| {
            parse(text).map(|numbers| {
                (1..=12).filter(|&number| numbers.contains(number)).collect::<Vec<_>>()
            })
        };
        assert_eq!(read("3"), Ok(vec![3]));
        assert_eq!(read("11-,2-4,3,5,7-8"), Ok(vec![2, 3, 4, 5, 7, 8, 11, 12]));
        assert_eq!(read("20-30"), Ok(vec![]));
        assert_eq!(read("..2, 4..5,11+"), Ok(vec![1, 2, 4, 5, 11, 12]));
        assert_eq!(read("1-18446744073709551615,2").map(|numbers| numbers.len()), Ok(12));
        let numbers = parse("5-6,9-").unwrap();
        assert!(numbers.meets(1..=5) && numbers.meets(6..=8) && numbers.meets(20..=30));
        assert!(!numbers.meets(1..=4) && !numbers.meets(7..=8));
        for wrong in ["", "0", "-", "..0", "4-3", "4..3", "1,,2", "a", "1-2-3", "1e3"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
