//! Conditions by the names that the options of `plyzip extract` have.

use std::ops::Range;

use super::{Condition, Filters, GameNumbers};
use crate::{Error, Result};

/// The values of the tag Result.
pub const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// Other names of each of [`RESULTS`].
pub const RESULT_NAMES: [&[&str]; 4] = [&["white"], &["black"], &["draw", "1/2"], &["unfinished"]];

/// The result that has this name, one of [`RESULTS`].
///
/// ```
/// assert_eq!(plyzip::filters::result("draw"), Some("1/2-1/2"));
/// assert_eq!(plyzip::filters::result("0-1"), Some("0-1"));
/// ```
pub fn result(name: &str) -> Option<&'static str> {
    let mut named = RESULTS.into_iter().zip(RESULT_NAMES);
    named.find(|(result, names)| *result == name || names.contains(&name)).map(|(result, _)| result)
}

impl Filters {
    /// Asks for one thing more, named and written as the option of `plyzip extract`.
    ///
    /// ```
    /// use std::io::Cursor;
    /// # use plyzip::archive::{ArchiveWriter, IndexedReader};
    /// # use plyzip::Model;
    /// # let mut writer = ArchiveWriter::new(Vec::new(), Model::none())?;
    /// # writer.push(b"[White \"M\xC3\xBCller, K\"]\n\n1. e4 *\n\n[White \"Reti\"]\n\n1. Nf3 *\n")?;
    /// # let archive = Cursor::new(writer.finish()?.0);
    /// let mut filters = plyzip::filters::Filters::default();
    /// filters.add("player", "muller")?;
    /// assert_eq!(IndexedReader::open(archive)?.select(&filters).count()?, 1);
    /// # Ok::<(), plyzip::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Usage`] if there is no such condition or the value makes no sense.
    pub fn add(&mut self, name: &str, value: &str) -> Result<()> {
        let wanted = |wanted: String| Error::Usage(wanted);
        let words = |names: &'static [&'static str]| {
            value.parse().map(|words| Condition::Words(names, words))
        };
        let condition = match name {
            "game" => value
                .parse()
                .map(|game| Condition::Numbers(GameNumbers::one(game)))
                .map_err(|_| wanted("the number of a game is wanted".into())),
            "games" => value.parse().map(Condition::Numbers),
            "player" => words(&["White", "Black"]),
            "white" => words(&["White"]),
            "black" => words(&["Black"]),
            "event" => words(&["Event"]),
            "site" => words(&["Site"]),
            "date" => value.parse().map(Condition::Dates),
            "elo" => value.parse().map(Condition::Elo),
            "result" => match result(value) {
                Some(result) => Ok(Condition::Result(result)),
                None => Err(wanted(format!("one of {} is wanted", RESULTS.join(", ")))),
            },
            "eco" => value.parse().map(Condition::Eco),
            "tag" => value.parse().map(Condition::Tag),
            "plies" => value.parse().map(Condition::Plies),
            "moves" => value.parse().map(Condition::FirstMoves),
            "position" => value.parse().map(Condition::Position),
            "material" => value.parse().map(Condition::Material),
            _ => Err(wanted("there is no such condition".into())),
        };
        let condition =
            condition.map_err(|wanted| Error::Usage(format!("{name}={value:?}: {wanted}")))?;
        self.conditions.push(condition);
        Ok(())
    }

    /// Asks for the games that do not meet all of this, instead.
    #[must_use]
    pub fn negated(self) -> Filters {
        Filters { not: !self.not, ..self }
    }

    /// The same for these games alone, counted from 0 on, whether negated or not: so an archive can be searched part by
    /// part.
    #[must_use]
    pub fn within(self, games: Range<u64>) -> Filters {
        Filters { within: Some(games), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{Selection, Verdict};

    #[test]
    fn each_condition_has_a_name_and_wants_a_value() {
        let mut filters = Filters::default();
        let values = [
            ("game", "3"),
            ("games", "3,10-"),
            ("player", "morphy"),
            ("white", "morphy"),
            ("black", "paul"),
            ("event", "opera"),
            ("site", "paris"),
            ("date", "1858"),
            ("elo", "2600.."),
            ("result", "1-0"),
            ("result", "draw"),
            ("eco", "C41"),
            ("tag", "Round=1"),
            ("plies", "..40"),
            ("moves", "e4 e5"),
            ("position", "8/8/8/8/8/8/8/K1k5 w - -"),
            ("material", "KRPvKR"),
        ];
        for (name, value) in values {
            filters.add(name, value).unwrap();
            assert!(filters.add(name, "").is_err(), "{name}");
        }
        assert_eq!(filters.conditions.len(), values.len());
        assert!(filters.add("colour", "red").is_err());
    }

    #[test]
    fn a_part_is_searched_alone_whether_negated_or_not() {
        let mut filters = Filters::default();
        filters.add("games", "1-6").unwrap();
        for (filters, wanted) in
            [(filters.clone(), [4, 5].as_slice()), (filters.negated(), &[6, 7, 8])]
        {
            let part = filters.within(4..9);
            let found: Vec<u64> =
                (0..12).filter(|&number| part.by_tags(number, &[]) == Verdict::Wanted).collect();
            assert_eq!(found, wanted);
            assert!(part.any_of(3..5) && !part.any_of(0..4) && !part.any_of(9..20));
        }
    }
}
