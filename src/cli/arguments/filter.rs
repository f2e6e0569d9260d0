//! The options that say which games are asked for.

use clap::builder::PossibleValuesParser;
use clap::{ArgGroup, Args};

use super::{GameNumbers, game_numbers};
use crate::cli::filters::{
    Condition, Dates, EcoCodes, Filters, Span, TagPattern, Words, dates, eco_codes, span,
    tag_pattern, words,
};

/// Which games are asked for: those that meet all that is given here.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Which games (all that is given must hold)")]
#[command(group(ArgGroup::new("which").multiple(true).required(true).args([
    "game", "games", "players", "white", "black", "event", "site", "date", "result", "elo", "tags", "eco", "plies",
    "first",
])))]
pub struct FilterArguments {
    /// The game of this number; the first game has the number 1
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "games")]
    pub game: Option<u64>,
    /// The games of these numbers and ranges of numbers, such as `10-20,40-`
    #[arg(long, value_name = "RANGES", value_parser = game_numbers)]
    pub games: Option<GameNumbers>,
    /// White or Black has each of these words at the beginning of a word of the name; accents, case and punctuation do
    /// not count. Given twice, both have to hold: games between two players
    #[arg(long = "player", value_name = "WORDS", value_parser = words)]
    pub players: Vec<Words>,
    /// Likewise for White
    #[arg(long, value_name = "WORDS", value_parser = words)]
    pub white: Option<Words>,
    /// Likewise for Black
    #[arg(long, value_name = "WORDS", value_parser = words)]
    pub black: Option<Words>,
    /// Likewise for the event
    #[arg(long, value_name = "WORDS", value_parser = words)]
    pub event: Option<Words>,
    /// Likewise for the place
    #[arg(long, value_name = "WORDS", value_parser = words)]
    pub site: Option<Words>,
    /// Played on these days for certain: a date such as 2023, 2023-06 or 2023-06-15, or two with `..` between them, of
    /// which one may be missing
    #[arg(long, value_name = "DATES", value_parser = dates)]
    pub date: Option<Dates>,
    /// The tag Result
    #[arg(long, value_parser = PossibleValuesParser::new(RESULTS))]
    pub result: Option<String>,
    /// Both players have ratings in this range, such as `2600..` or `2400..2500`
    #[arg(long, value_name = "RANGE", value_parser = span)]
    pub elo: Option<Span>,
    /// A tag's value matches a regular expression somewhere, such as `Round=^1\.`
    #[arg(long = "tag", value_name = "NAME=REGEX", value_parser = tag_pattern)]
    pub tags: Vec<TagPattern>,
    /// The tag ECO is one of these codes or in one of these ranges, such as `B90-B99,C4`. It is stored with the moves:
    /// the pages of all games that meet the rest are decoded
    #[arg(long, value_name = "CODES", value_parser = eco_codes)]
    pub eco: Option<EcoCodes>,
    /// Plies (moves of either side) of the game as played, such as `20..40`. Takes pages, as --eco does
    #[arg(long, value_name = "RANGE", value_parser = span)]
    pub plies: Option<Span>,
    /// Those games that do not meet all of this
    #[arg(long)]
    pub not: bool,
    /// No more than the first N of these games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub first: Option<u64>,
}

/// The values of the tag Result.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

impl FilterArguments {
    /// What is asked of each game.
    pub(in crate::cli) fn filters(&self) -> Filters {
        let words =
            |names: &'static [&'static str], words: &Words| Condition::Words(names, words.clone());
        let result = |wanted: &String| RESULTS.into_iter().find(|result| result == wanted);
        let mut conditions: Vec<Condition> = vec![];
        conditions.extend(self.game.map(|game| Condition::Numbers(GameNumbers::one(game))));
        conditions.extend(self.games.clone().map(Condition::Numbers));
        conditions.extend(self.players.iter().map(|name| words(&["White", "Black"], name)));
        conditions.extend(self.white.iter().map(|name| words(&["White"], name)));
        conditions.extend(self.black.iter().map(|name| words(&["Black"], name)));
        conditions.extend(self.event.iter().map(|name| words(&["Event"], name)));
        conditions.extend(self.site.iter().map(|name| words(&["Site"], name)));
        conditions.extend(self.date.map(Condition::Dates));
        conditions.extend(self.elo.map(Condition::Elo));
        conditions.extend(self.result.as_ref().and_then(result).map(Condition::Result));
        conditions.extend(self.tags.iter().cloned().map(Condition::Tag));
        conditions.extend(self.eco.clone().map(Condition::Eco));
        conditions.extend(self.plies.map(Condition::Plies));
        Filters { conditions, not: self.not }
    }
}
