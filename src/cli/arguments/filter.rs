//! The options that say which games are asked for.

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{ArgGroup, Args};
use plyzip::filters::{
    self, Condition, Dates, EcoCodes, Filters, FirstMoves, GameNumbers, Material, RESULT_NAMES,
    RESULTS, Span, TagPattern, WantedPosition, Words,
};

/// The group of the options that choose games.
pub const FILTERS: &str = "filters";

/// Which games are asked for: those that meet all that is given here.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Filters (a game must match all of them)")]
#[command(group(ArgGroup::new(FILTERS).multiple(true).args([
    "game", "games", "players", "white", "black", "event", "site", "date", "result", "elo", "patterns", "eco", "plies",
    "moves", "position", "material", "first",
])))]
pub struct FilterArguments {
    /// The game of this number; the first game has the number 1
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "games")]
    pub game: Option<u64>,
    /// The games of these numbers and ranges of numbers, such as `10-20,40-`
    #[arg(long, value_name = "RANGES")]
    pub games: Option<GameNumbers>,
    /// White or Black has each of these words at the beginning of a word of the name; accents, case and punctuation do
    /// not count. Given twice, both have to hold: games between two players
    #[arg(long = "player", value_name = "WORDS")]
    pub players: Vec<Words>,
    /// White's name has each of these words, as with --player
    #[arg(long, value_name = "WORDS")]
    pub white: Option<Words>,
    /// Black's name has each of these words, as with --player
    #[arg(long, value_name = "WORDS")]
    pub black: Option<Words>,
    /// The event has each of these words, as with --player
    #[arg(long, value_name = "WORDS")]
    pub event: Option<Words>,
    /// The place has each of these words, as with --player
    #[arg(long, value_name = "WORDS")]
    pub site: Option<Words>,
    /// Played on these days for certain: a date such as 2023, 2023-06 or 2023-06-15, or two with `..` between them, of
    /// which one may be missing
    #[arg(long, value_name = "DATES")]
    pub date: Option<Dates>,
    /// The tag Result; also `white`, `black` or `draw`
    #[arg(long, value_parser = results())]
    pub result: Option<String>,
    /// Both players have ratings in this range, such as `2600..`, `2400..2500` or `2400-2500`
    #[arg(long, value_name = "RANGE")]
    pub elo: Option<Span>,
    /// A tag's value matches a regular expression somewhere, such as `Round=^1\.`
    #[arg(long = "tag", value_name = "NAME=REGEX")]
    pub patterns: Vec<TagPattern>,
    /// The tag ECO is one of these codes or in one of these ranges, such as `B90-B99,C4`. It is stored with the moves:
    /// the pages of all games that meet the rest are decoded
    #[arg(long, value_name = "CODES")]
    pub eco: Option<EcoCodes>,
    /// Plies (moves of either side) of the game as played, such as `20..40`. Pages are decoded, as with --eco
    #[arg(long, value_name = "RANGE")]
    pub plies: Option<Span>,
    /// The game begins with these moves from the initial position, such as 'e4 c5 Nf3' or '1. e4 c5 2. Nf3'. Pages are
    /// decoded, no farther than these moves unless a game is found
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<FirstMoves>,
    /// The game as played, without variations, goes through this position, by whatever moves. FEN has 4 to 6 fields:
    /// pieces, side to move and castling count, en passant only where the capture is legal, move numbers never. Pages
    /// are decoded. Of a game with moves that cannot be read, those before them count; --not finds such games, too
    #[arg(long, value_name = "FEN")]
    pub position: Option<WantedPosition>,
    /// The game as played has exactly these pieces on the board at some ply, White's and Black's or the other way
    /// around, be it in the midst of an exchange. Pages are decoded, as with --position
    #[arg(long, value_name = "KRPvKR")]
    pub material: Option<Material>,
    /// Invert the filters: the games that do not match all of them
    #[arg(long)]
    pub not: bool,
    /// Stop after the first N matching games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub first: Option<u64>,
}

/// The values of --result, with their other names.
fn results() -> PossibleValuesParser {
    let values = RESULTS.into_iter().zip(RESULT_NAMES);
    PossibleValuesParser::new(
        values.map(|(result, names)| PossibleValue::new(result).aliases(names)),
    )
}

impl FilterArguments {
    /// Whether any games are asked for, and not all.
    pub(in crate::cli) fn is_given(&self) -> bool {
        let FilterArguments { game, games, players, white, black, event, site, date, .. } = self;
        let FilterArguments { result, elo, patterns, eco, plies, moves, position, .. } = self;
        let given = [
            game.is_some() || games.is_some() || self.first.is_some(),
            !players.is_empty() || white.is_some() || black.is_some(),
            event.is_some() || site.is_some() || date.is_some() || result.is_some(),
            elo.is_some() || !patterns.is_empty() || eco.is_some() || plies.is_some(),
            moves.is_some() || position.is_some() || self.material.is_some(),
        ];
        given.contains(&true)
    }

    /// The filters that these options ask for.
    pub(in crate::cli) fn filters(&self) -> Filters {
        let words =
            |names: &'static [&'static str], words: &Words| Condition::Words(names, words.clone());
        let result = |name: &String| filters::result(name);
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
        conditions.extend(self.patterns.iter().cloned().map(Condition::Tag));
        conditions.extend(self.eco.clone().map(Condition::Eco));
        conditions.extend(self.plies.map(Condition::Plies));
        conditions.extend(self.moves.clone().map(Condition::FirstMoves));
        conditions.extend(self.position.clone().map(Condition::Position));
        conditions.extend(self.material.map(Condition::Material));
        let filters = Filters::from_iter(conditions);
        if self.not { filters.negated() } else { filters }
    }
}
