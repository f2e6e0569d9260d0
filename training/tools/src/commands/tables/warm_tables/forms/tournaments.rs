//! Games at the board: digests of tournaments, and games of long ago.

use std::collections::HashMap;

use plyzip::pgn::Game;
use plyzip::unstable::streams::tags::{column, path};

use super::{Forms, pairs};
use crate::commands::tables::warm_tables::random::Random;

impl Forms<'_> {
    /// Games of tournaments with titles, numbers, openings.
    pub(super) fn digest(&self, games: Vec<Game>, random: &mut Random) -> Vec<Game> {
        let (eco, opening, variation) =
            (column(b"ECO", false), column(b"Opening", false), column(b"Variation", false));
        let mut people: HashMap<Vec<u8>, (Option<&str>, String)> = HashMap::new();
        let mut begun: HashMap<Vec<u8>, Vec<u8>> = HashMap::new();
        let mut done = Vec::with_capacity(games.len());
        for mut game in games {
            let tag = |name: &str| game.tag(name).unwrap_or_default().to_vec();
            let mut tags: Vec<(&str, Vec<u8>)> =
                ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
                    .map(|name| (name, tag(name)))
                    .into();
            let mut person = |side: &str| {
                let elo: i64 =
                    String::from_utf8_lossy(&tag(&format!("{side}Elo"))).parse().unwrap_or(0);
                people
                    .entry(tag(side))
                    .or_insert_with(|| {
                        let title = match elo + random.near(0, 40) {
                            2490.. => Some("GM"),
                            2380.. => Some(if random.chance(85) { "IM" } else { "WGM" }),
                            2270.. => Some(if random.chance(80) { "FM" } else { "WIM" }),
                            2150.. if random.chance(40) => {
                                Some(*random.one(&["FM", "WFM", "CM", "WCM"]))
                            }
                            _ => None,
                        };
                        let federation = *random.one(&self.federations);
                        let number = federation * 100_000 + random.below(100_000) as u32;
                        (title, number.to_string())
                    })
                    .clone()
            };
            let (white, black) = (person("White"), person("Black"));
            for (name, (title, _)) in [("WhiteTitle", &white), ("BlackTitle", &black)] {
                tags.extend(title.map(|title| (name, title.as_bytes().to_vec())));
            }
            tags.extend(["WhiteElo", "BlackElo"].map(|name| (name, tag(name))));
            let path = path(&game);
            let named = |column| {
                let found =
                    path.iter().rev().find_map(|&position| self.named.get(&(column, position)));
                found.map(|(name, _)| name.clone())
            };
            tags.push(("ECO", named(eco).unwrap_or_else(|| tag("ECO"))));
            tags.extend(named(opening).map(|name| ("Opening", name)));
            tags.extend(
                named(variation).filter(|_| !random.chance(25)).map(|name| ("Variation", name)),
            );
            tags.extend([
                ("WhiteFideId", white.1.into_bytes()),
                ("BlackFideId", black.1.into_bytes()),
            ]);
            let start = begun.entry(tag("Event")).or_insert_with(|| tag("Date")).clone();
            tags.push(("EventDate", start));
            game.tags = pairs(tags);
            done.push(game);
        }
        done
    }

    /// Games of long ago with the seven tags, and little known.
    pub(super) fn classics(&self, games: Vec<Game>, random: &mut Random) -> Vec<Game> {
        let style = random.below(4);
        let rename = |name: &[u8]| -> Vec<u8> {
            let name = String::from_utf8_lossy(name);
            match (name.split_once(','), style) {
                (Some((last, first)), 0) => format!("{} {last}", first.trim()).into_bytes(),
                (Some((last, first)), 1 | 2) => format!("{last}, {}", first.trim()).into_bytes(),
                _ => name.into_owned().into_bytes(),
            }
        };
        let events = [
            "Casual game",
            "Match",
            "Simul",
            "Blindfold simul",
            "Offhand game",
            "Olympiad",
            "Candidates",
            "World Championship",
            "Interzonal",
            "Hastings",
            "Tournament",
            "?",
        ];
        let (alike, mut year) = (random.chance(50), 1800 + random.below(220));
        let (mut event, mut site) = (*random.one(&events), *random.one(&self.sites));
        let mut done = Vec::with_capacity(games.len());
        for mut game in games {
            if !alike || random.chance(5) {
                (event, site) = (*random.one(&events), *random.one(&self.sites));
                year = (year + random.below(12)).min(2024);
            }
            let date = match random.below(3) {
                0 => format!("{year}.{:02}.{:02}", 1 + random.below(12), 1 + random.below(28)),
                _ => format!("{year}.??.??"),
            };
            let named = random.chance(40);
            let event = if named {
                site.split(|&byte| byte == b' ').next().unwrap_or(site)
            } else {
                event.as_bytes()
            };
            let round =
                if random.chance(60) { "?".into() } else { (1 + random.below(15)).to_string() };
            let tag = |name: &str| game.tag(name).unwrap_or_default();
            let tags = vec![
                ("Event", event.to_vec()),
                ("Site", site.to_vec()),
                ("Date", date.into_bytes()),
                ("Round", round.into_bytes()),
                ("White", rename(tag("White"))),
                ("Black", rename(tag("Black"))),
                ("Result", tag("Result").to_vec()),
            ];
            game.tags = pairs(tags);
            done.push(game);
        }
        done
    }
}
