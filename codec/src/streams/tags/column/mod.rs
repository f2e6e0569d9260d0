//! The kinds of tags, which follow from their names.

mod form;

use shakmaty::Color;

pub(super) use self::form::{Form, MOST_FIELDS, dotted, spell_dotted};

/// The kind of a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// `Event`
    Event,
    /// `Site`
    Site,
    /// `Round`
    Round,
    /// `White`, `Black`
    Player(Color),
    /// `WhiteElo`, `BlackElo`
    Elo(Color),
    /// `Result`
    Result,
    /// `WhiteRatingDiff`, `BlackRatingDiff`
    RatingDiff(Color),
    /// What belongs to one of the players: `WhiteTitle`, `BlackFideId`, ...
    OfPlayer(Color),
    /// A number in some form: dates and times.
    Number(Form),
    /// A name of the opening, which the moves predict: `ECO`, `Opening`, `Variation`, `SubVariation`
    Opening,
    /// `PlyCount`
    PlyCount,
    /// `CurrentPosition`: the position at the end.
    Position,
    /// `Termination`: how the game ended, which the last position and the clocks tell.
    Termination,
    /// Any other.
    Other,
}

impl Kind {
    /// The kind of the tags of a name.
    pub fn of(name: &[u8]) -> Kind {
        let of_player = |side, rest: &[u8]| match rest {
            b"" => Kind::Player(side),
            b"Elo" => Kind::Elo(side),
            b"RatingDiff" => Kind::RatingDiff(side),
            _ => Kind::OfPlayer(side),
        };
        match name {
            b"Event" => Kind::Event,
            b"Site" => Kind::Site,
            b"Round" => Kind::Round,
            b"Result" => Kind::Result,
            b"ECO" | b"Opening" | b"Variation" | b"SubVariation" => Kind::Opening,
            b"PlyCount" => Kind::PlyCount,
            b"CurrentPosition" => Kind::Position,
            b"Termination" => Kind::Termination,
            _ => {
                if let Some(rest) = name.strip_prefix(b"White") {
                    of_player(Color::White, rest)
                } else if let Some(rest) = name.strip_prefix(b"Black") {
                    of_player(Color::Black, rest)
                } else if name.ends_with(b"Date") {
                    Kind::Number(Form::Date)
                } else if name.ends_with(b"Time") {
                    Kind::Number(Form::Time)
                } else {
                    Kind::Other
                }
            }
        }
    }

    /// The name without the side: both sides share what is learned of a player's values.
    pub fn column(self, name: &[u8]) -> &[u8] {
        match self {
            Kind::Player(_) | Kind::Elo(_) | Kind::RatingDiff(_) | Kind::OfPlayer(_) => &name[5..],
            _ => name,
        }
    }

    /// True if the values are coded once the moves are known.
    pub fn is_late(self) -> bool {
        matches!(self, Kind::Opening | Kind::PlyCount | Kind::Position | Kind::Termination)
    }

    /// Values of lower rank are coded first, since the others depend on them.
    pub fn rank(self) -> u32 {
        match self {
            Kind::Event => 0,
            Kind::Site => 1,
            Kind::Number(_) => 2,
            Kind::Round => 3,
            Kind::Player(_) => 4,
            Kind::Elo(_) => 5,
            Kind::Result => 6,
            Kind::OfPlayer(_) | Kind::RatingDiff(_) | Kind::Other => 7,
            Kind::Opening => 8,
            Kind::PlyCount | Kind::Position | Kind::Termination => 9,
        }
    }
}
