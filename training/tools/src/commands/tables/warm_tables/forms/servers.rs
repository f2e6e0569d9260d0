//! Games on servers.

use plyzip::pgn::Game;
use plyzip::unstable::streams::tags::path;

use super::{Forms, clock, pairs};
use crate::commands::tables::warm_tables::random::Random;

const CONTROLS: &[(&str, usize, &str)] = &[
    ("180+0", 20, "Blitz"),
    ("60+0", 18, "Bullet"),
    ("300+0", 14, "Blitz"),
    ("180+2", 11, "Blitz"),
    ("600+0", 11, "Rapid"),
    ("300+3", 7, "Blitz"),
    ("120+1", 5, "Bullet"),
    ("900+10", 3, "Rapid"),
    ("600+5", 3, "Rapid"),
    ("30+0", 1, "UltraBullet"),
    ("15+0", 1, "UltraBullet"),
    ("1800+20", 1, "Classical"),
    ("1800+0", 1, "Classical"),
    ("60+1", 1, "Bullet"),
    ("900+0", 1, "Rapid"),
    ("240+0", 1, "Blitz"),
    ("300+2", 1, "Blitz"),
    ("420+0", 1, "Blitz"),
    ("300+5", 1, "Rapid"),
    ("120+0", 1, "Bullet"),
];

const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const TITLES: &[&str] =
    &["GM", "GM", "GM", "IM", "IM", "FM", "FM", "WGM", "WIM", "WFM", "CM", "WCM"];

impl Forms<'_> {
    pub(super) fn control(random: &mut Random) -> (&'static str, &'static str) {
        let mut left = random.below(CONTROLS.iter().map(|control| control.1).sum());
        for &(control, weight, speed) in CONTROLS {
            if left < weight {
                return (control, speed);
            }
            left -= weight;
        }
        (CONTROLS[0].0, CONTROLS[0].2)
    }

    pub(super) fn identifier(random: &mut Random) -> String {
        (0..8).map(|_| char::from(*random.one(BASE62))).collect()
    }

    pub(super) fn opening_online(&self, game: &Game) -> Option<(&'static str, &'static str)> {
        path(game).iter().rev().find_map(|position| self.lichess.get(position).copied())
    }

    /// Games of everybody, as they began.
    pub(super) fn lichess(&self, games: Vec<Game>, random: &mut Random) -> Vec<Game> {
        let mut now = 1_356_998_400 + random.below(400_000_000) as i64;
        let step = 1 + random.below(40);
        let mut arenas: Vec<(String, (&str, &str))> = Vec::new();
        let mut done = Vec::new();
        for mut game in games {
            now += random.below(step) as i64;
            let (control, speed) = Self::control(random);
            let kind = if random.chance(90) { "Rated" } else { "Casual" };
            let (event, control) = match random.below(20) {
                0 => {
                    let word = *random.one(&["tournament", "tournament", "swiss"]);
                    let event = format!(
                        "{kind} {speed} {word} https://lichess.org/{word}/{}",
                        Self::identifier(random)
                    );
                    arenas.push((event.clone(), (control, speed)));
                    (event, control)
                }
                1..4 if !arenas.is_empty() => {
                    let (event, (control, _)) = random.one(&arenas);
                    (event.clone(), *control)
                }
                _ => (format!("{kind} {speed} game"), control),
            };
            let elo = random.near(1600, 350).clamp(600, 2900);
            let other = (elo + random.near(0, 90)).clamp(600, 2900);
            let players = [self.user(random), self.user(random)];
            self.dress(&mut game, random, now, &event, control, players, [elo, other], true);
            done.push(game);
        }
        done
    }

    /// The games of one person, the last first or the first first.
    pub(super) fn own_lichess(&self, games: Vec<Game>, random: &mut Random) -> Vec<Game> {
        let me = self.user(random);
        let mut elo = random.near(1650, 300).clamp(700, 2800);
        let mut now = 1_400_000_000 + random.below(300_000_000) as i64;
        let backwards = random.chance(70);
        let database = random.chance(60);
        let (mut control, mut speed) = Self::control(random);
        let mut done = Vec::new();
        for mut game in games {
            if random.chance(8) {
                (control, speed) = Self::control(random);
            }
            let pause = if random.chance(20) { 86_400 } else { 900 };
            now += if backwards { -1 } else { 1 } * (60 + random.below(pause) as i64);
            let event = if database {
                format!("Rated {speed} game")
            } else {
                format!("rated {} game", speed.to_lowercase())
            };
            let other = (elo + random.near(0, 60)).clamp(600, 2900);
            let white = random.chance(50);
            let names = if white {
                [me.clone(), self.user(random)]
            } else {
                [self.user(random), me.clone()]
            };
            let elos = if white { [elo, other] } else { [other, elo] };
            let diffs = self.dress(&mut game, random, now, &event, control, names, elos, database);
            let diff = diffs[usize::from(!white)];
            elo = (elo + if backwards { -diff } else { diff }).clamp(600, 3000);
            done.push(game);
        }
        done
    }

    /// Gives a game the tags of Lichess; returns how the ratings change.
    #[expect(clippy::too_many_arguments, reason = "all that such a game has tags for")]
    pub(super) fn dress(
        &self,
        game: &mut Game,
        random: &mut Random,
        now: i64,
        event: &str,
        control: &str,
        [white, black]: [String; 2],
        elos: [i64; 2],
        database: bool,
    ) -> [i64; 2] {
        let result = game.tag("Result").unwrap_or(b"*").to_vec();
        let score = match &result[..] {
            b"1-0" => 2,
            b"0-1" => 0,
            _ => 1,
        };
        let ahead = (elos[0] - elos[1]) as f64;
        let expected = 1.0 / (1.0 + 10f64.powf(-ahead / 400.0));
        let mut diffs = [0, 0];
        for (side, diff) in diffs.iter_mut().enumerate() {
            let wide = if random.chance(6) { 20 + random.below(400) } else { 10 + random.below(3) };
            let gained = f64::from(score) / 2.0 - expected;
            *diff = (wide as f64 * if side == 0 { gained } else { -gained }).round() as i64;
        }
        let (date, time) = clock(now);
        let id = Self::identifier(random);
        let (code, name) = self.opening_online(game).unwrap_or(("A00", "?"));
        let termination = match random.below(100) {
            0..66 => "Normal",
            66..98 => "Time forfeit",
            _ => "Abandoned",
        };
        let rated = event.starts_with(['R', 'r']);
        let mut tags = vec![
            ("Event", event.to_owned()),
            ("Site", format!("https://lichess.org/{id}")),
            ("Date", date.clone()),
        ];
        if database {
            tags.push(("Round", "-".into()));
        }
        tags.extend([("White", white), ("Black", black)]);
        tags.push(("Result", String::from_utf8_lossy(&result).into_owned()));
        if !database {
            tags.push(("GameId", id.clone()));
        }
        tags.extend([("UTCDate", date), ("UTCTime", time)]);
        tags.extend([("WhiteElo", elos[0].to_string()), ("BlackElo", elos[1].to_string())]);
        if rated {
            tags.push(("WhiteRatingDiff", format!("{:+}", diffs[0])));
            tags.push(("BlackRatingDiff", format!("{:+}", diffs[1])));
        }
        for (name, elo) in [("WhiteTitle", elos[0]), ("BlackTitle", elos[1])] {
            if elo > 2350 && random.chance(50) || random.chance(1) {
                let title = if random.chance(25) { "BOT" } else { random.one(TITLES) };
                tags.push((name, title.to_owned()));
            }
        }
        let opening = [("ECO", code.to_owned()), ("Opening", name.to_owned())];
        let control = ("TimeControl", control.to_owned());
        if database {
            tags.extend(opening);
            tags.push(control);
        } else {
            tags.push(("Variant", "Standard".into()));
            tags.push(control);
            tags.extend(opening);
        }
        tags.push(("Termination", termination.into()));
        game.tags =
            pairs(tags.into_iter().map(|(name, value)| (name, value.into_bytes())).collect());
        diffs
    }

    /// The games of one person on chess.com, the last first.
    pub(super) fn chess_com(&self, games: Vec<Game>, random: &mut Random) -> Vec<Game> {
        let me = self.user(random);
        let mut elo = random.near(1100, 350).clamp(300, 2600);
        let mut now = 1_500_000_000 + random.below(230_000_000) as i64;
        let mut link = 20_000_000_000 + random.below(100_000_000_000);
        let (mut control, _) = Self::control(random);
        let mut done = Vec::new();
        for mut game in games {
            if random.chance(5) {
                (control, _) = Self::control(random);
            }
            let control = control.strip_suffix("+0").unwrap_or(control);
            let start = now - 60 - random.below(2000) as i64;
            let end = start + 30 + random.below(800) as i64;
            now = start;
            link -= random.below(2_000_000);
            let other = (elo + random.near(0, 60)).clamp(200, 2900);
            let white = random.chance(50);
            let names = if white {
                [me.clone(), self.user(random)]
            } else {
                [self.user(random), me.clone()]
            };
            let elos = if white { [elo, other] } else { [other, elo] };
            elo += random.below(17) as i64 - 8;
            let result = String::from_utf8_lossy(game.tag("Result").unwrap_or(b"*")).into_owned();
            let ends = ["by resignation", "by checkmate", "on time", "- game abandoned"];
            let draws =
                ["by repetition", "by agreement", "by stalemate", "by insufficient material"];
            let termination = match &result[..] {
                "1-0" => format!("{} won {}", names[0], random.one(&ends)),
                "0-1" => format!("{} won {}", names[1], random.one(&ends)),
                _ => format!("Game drawn {}", random.one(&draws)),
            };
            let (code, _) = self.opening_online(&game).unwrap_or(("A00", "?"));
            let ((date, time), (end_date, end_time)) = (clock(start), clock(end));
            let [white, black] = names;
            let tags = vec![
                ("Event", "Live Chess".to_owned()),
                ("Site", "Chess.com".into()),
                ("Date", date.clone()),
                ("Round", "-".into()),
                ("White", white),
                ("Black", black),
                ("Result", result),
                ("Timezone", "UTC".into()),
                ("ECO", code.into()),
                ("UTCDate", date),
                ("UTCTime", time.clone()),
                ("WhiteElo", elos[0].to_string()),
                ("BlackElo", elos[1].to_string()),
                ("TimeControl", control.into()),
                ("Termination", termination),
                ("StartTime", time),
                ("EndDate", end_date),
                ("EndTime", end_time),
                ("Link", format!("https://www.chess.com/game/live/{link}")),
            ];
            game.tags =
                pairs(tags.into_iter().map(|(name, value)| (name, value.into_bytes())).collect());
            done.push(game);
        }
        done
    }
}
