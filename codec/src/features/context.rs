//! The context of a game: what its tags say that helps to predict the moves.

use std::num::NonZeroU16;

use shakmaty::{ByColor, Color};

use crate::pgn::{Game, Outcome};

/// The context of a game: what its tags say that helps to predict the moves.
///
/// ```
/// use std::num::NonZeroU16;
/// use plyzip::shakmaty::ByColor;
/// use plyzip::{GameContext, Pace};
///
/// let game = plyzip::pgn::parse(b"[Event \"City Blitz\"]\n[Date \"1998.??.??\"]\n\n1. e4 *\n");
/// let plyzip::pgn::Item::Game(game) = &game.items[0] else { panic!() };
/// let context = GameContext::from_tags(game);
/// assert_eq!(context.year, NonZeroU16::new(1998));
/// assert_eq!((context.pace, context.online), (Some(Pace::Blitz), false));
///
/// let masters = GameContext::new().elo(ByColor::new_with(|_| NonZeroU16::new(2700)));
/// assert_ne!(masters, GameContext::new());
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameContext {
    /// The ratings of the players, as far as they are known.
    pub elo: ByColor<Option<NonZeroU16>>,
    /// The result according to the tags.
    pub result: Option<Outcome>,
    /// The year it was played in, if it is known.
    pub year: Option<NonZeroU16>,
    /// How much time the players had, if that is known.
    pub pace: Option<Pace>,
    /// Whether it was played on a server.
    pub online: bool,
}

/// How much time the players had for 40 moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Pace {
    /// 25 minutes or more. Predictions take an unknown pace to be this one.
    Classical,
    /// 8 to 25 minutes.
    Rapid,
    /// 3 to 8 minutes.
    Blitz,
    /// Less than 3 minutes.
    Bullet,
    /// Days a move.
    Correspondence,
}

impl Pace {
    /// All paces, by their number.
    pub const ALL: &[Pace] =
        &[Pace::Classical, Pace::Rapid, Pace::Blitz, Pace::Bullet, Pace::Correspondence];

    /// The pace according to the name of an event, if it says one. "Titled Tuesday" and "Speed" are series of blitz.
    fn from_event(event: &[u8]) -> Option<Pace> {
        let words: [(&[u8], Pace); 8] = [
            (b"bullet", Pace::Bullet),
            (b"blitz", Pace::Blitz),
            (b"titled tue", Pace::Blitz),
            (b"speed", Pace::Blitz),
            (b"rapid", Pace::Rapid),
            (b"corr", Pace::Correspondence),
            (b"email", Pace::Correspondence),
            (b"iccf", Pace::Correspondence),
        ];
        let found = words.into_iter().find(|(word, _)| contains(event, word));
        found.map(|(_, pace)| pace)
    }

    /// The pace according to a time control such as `180+2`, by the seconds that 40 moves take; `None`
    /// if the tag has another form.
    fn from_time_control(control: &[u8]) -> Option<Pace> {
        let control = std::str::from_utf8(control).ok()?;
        let (base, increment) = control.split_once('+').unwrap_or((control, "0"));
        let (base, increment) = (base.parse::<u32>().ok()?, increment.parse::<u32>().ok()?);
        Some(match base.saturating_add(increment.saturating_mul(40)) {
            ..180 => Pace::Bullet,
            180..480 => Pace::Blitz,
            480..1500 => Pace::Rapid,
            _ => Pace::Classical,
        })
    }
}

/// Whether `text` contains `word`, regardless of case.
fn contains(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word))
}

impl GameContext {
    /// The context of a game of which nothing is known.
    pub fn new() -> GameContext {
        GameContext::default()
    }

    /// The same, with these ratings of the players.
    #[must_use]
    pub fn elo(self, elo: ByColor<Option<NonZeroU16>>) -> GameContext {
        GameContext { elo, ..self }
    }

    /// The same, with this result.
    #[must_use]
    pub fn result(self, result: impl Into<Option<Outcome>>) -> GameContext {
        GameContext { result: result.into(), ..self }
    }

    /// The same, of this year.
    #[must_use]
    pub fn year(self, year: impl Into<Option<NonZeroU16>>) -> GameContext {
        GameContext { year: year.into(), ..self }
    }

    /// The same, at this pace.
    #[must_use]
    pub fn pace(self, pace: impl Into<Option<Pace>>) -> GameContext {
        GameContext { pace: pace.into(), ..self }
    }

    /// The same, played on a server or not.
    #[must_use]
    pub fn online(self, online: bool) -> GameContext {
        GameContext { online, ..self }
    }

    /// Reads the context from a game's tags, using only those that archives keep before the moves.
    pub fn from_tags(game: &Game) -> GameContext {
        let number = |text: &[u8]| {
            let digits = std::str::from_utf8(text).ok();
            digits.and_then(|digits| digits.parse().ok()).and_then(NonZeroU16::new)
        };
        let elo = |name| number(game.tag(name).unwrap_or_default());
        let event = game.tag("Event").unwrap_or_default();
        let site = game.tag("Site").unwrap_or_default();
        let date = game.tag("Date").or_else(|| game.tag("UTCDate")).unwrap_or_default();
        let control = game.tag("TimeControl").and_then(Pace::from_time_control);
        let servers: [&[u8]; 3] = [b"chess.com", b"lichess", b"chess24"];
        GameContext {
            elo: ByColor { white: elo("WhiteElo"), black: elo("BlackElo") },
            result: game.tag("Result").and_then(Outcome::from_bytes),
            year: date.get(..4).and_then(number),
            pace: control.or_else(|| Pace::from_event(event)),
            online: servers.iter().any(|server| contains(site, server) || contains(event, server)),
        }
    }

    /// The rating of `color` as features have it: 0 if unknown.
    pub(crate) fn rating(&self, color: Color) -> u16 {
        self.elo[color].map_or(0, NonZeroU16::get)
    }

    /// The number of the pace as features have it.
    pub(crate) fn pace_number(&self) -> u8 {
        self.pace.map_or(Pace::Classical as u8, |pace| pace as u8)
    }

    /// The result for `color`: 0 unknown, 1 lost, 2 drawn, 3 won.
    pub fn result_for(&self, color: Color) -> usize {
        match self.result {
            None | Some(Outcome::Unknown) => 0,
            Some(Outcome::Draw) => 2,
            Some(Outcome::White) => 1 + 2 * usize::from(color.is_white()),
            Some(Outcome::Black) => 1 + 2 * usize::from(color.is_black()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context(tags: &str) -> GameContext {
        let parsed = crate::pgn::parse(format!("{tags}\n\n1. e4 *\n").as_bytes());
        let crate::pgn::Item::Game(game) = &parsed.items[0] else { panic!("no game") };
        GameContext::from_tags(game)
    }

    #[test]
    fn pace_comes_from_the_time_control_or_else_from_the_event() {
        let pace = |tags| context(tags).pace;
        assert_eq!(pace("[Event \"World Rapid 2023\"]"), Some(Pace::Rapid));
        assert_eq!(pace("[Event \"Titled Tue 15th Aug Early\"]"), Some(Pace::Blitz));
        assert_eq!(pace("[Event \"BULLET final\"]"), Some(Pace::Bullet));
        assert_eq!(pace("[Event \"WCCC corr\"]"), Some(Pace::Correspondence));
        assert_eq!(pace("[Event \"Olympiad\"]"), None);
        for (control, expected) in [
            ("60", Pace::Bullet),
            ("60+3", Pace::Blitz),
            ("180+2", Pace::Blitz),
            ("900+10", Pace::Rapid),
            ("5400+30", Pace::Classical),
            ("4294967295+4294967295", Pace::Classical),
        ] {
            let tags = format!("[Event \"A blitz\"]\n[TimeControl \"{control}\"]");
            assert_eq!(context(&tags).pace, Some(expected), "{control}");
        }
        // Other forms of time controls are ignored.
        assert_eq!(pace("[Event \"A blitz\"]\n[TimeControl \"40/9000:3600\"]"), Some(Pace::Blitz));
    }

    #[test]
    fn years_and_servers_are_found() {
        let online = context("[Site \"https://lichess.org/abcdefgh\"]\n[UTCDate \"2025.05.01\"]");
        assert_eq!((online.year, online.online), (NonZeroU16::new(2025), true));
        assert!(context("[Event \"x\"]\n[Site \"Chess.com INT\"]").online);
        let unknown = context("[Site \"Riga\"]\n[Date \"????.??.??\"]");
        assert_eq!((unknown.year, unknown.online), (None, false));
        assert_eq!(context("[Date \"19\"]").year, None);
    }
}
