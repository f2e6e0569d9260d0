//! Small archives in the forms of different sources.

mod servers;
mod tournaments;
mod users;

use std::collections::{BTreeMap, HashMap};

use plyzip::pgn::{Game, Tag};

use crate::commands::tables::warm_tables::openings::{Openings, lichess};
use crate::commands::tables::warm_tables::random::Random;
use crate::commands::tables::warm_tables::words::Words;

/// Makes documents.
pub struct Forms<'a> {
    lichess: HashMap<u64, (&'static str, &'static str)>,
    named: BTreeMap<(u32, u64), (Vec<u8>, u8)>,
    sites: Vec<&'a [u8]>,
    first_names: Vec<String>,
    surnames: Vec<String>,
    /// Digits that FIDE's numbers begin with.
    federations: Vec<u32>,
}

impl<'a> Forms<'a> {
    /// Forms with these words and openings.
    pub fn new(words: &'a Words, openings: &Openings) -> Forms<'a> {
        let (mut first_names, mut surnames) = (Vec::new(), Vec::new());
        for (name, _) in words.of("").into_iter().take(6000) {
            let name = String::from_utf8_lossy(name);
            let Some((surname, first)) = name.split_once(',') else { continue };
            let first = first.trim().split(' ').next().unwrap_or_default();
            if first.len() > 2 && first.is_ascii() {
                first_names.push(first.to_owned());
            }
            if surname.is_ascii() {
                surnames.push(surname.replace(' ', ""));
            }
        }
        let sites = words.of("Site").into_iter().take(800).map(|(site, _)| site).collect();
        let mut random = Random::new(9);
        let federations = (0..120).map(|_| 1 + random.below(399) as u32).collect();
        let lichess = lichess().map(|(code, name, key)| (key, (code, name))).collect();
        Forms { lichess, named: openings.named(), sites, first_names, surnames, federations }
    }

    /// A document of one form or another.
    pub fn document(&self, runs: &[Vec<Game>], digest: &[Game], random: &mut Random) -> Vec<Game> {
        let kind = random.below(100);
        let source = if (20..32).contains(&kind) { digest } else { random.one(runs) };
        let size = random.size(256).min(source.len());
        let first = random.below(source.len() - size + 1);
        let games = source[first..first + size].to_vec();
        match kind {
            0..32 => games,
            32..47 => self.digest(games, random),
            47..60 => self.classics(games, random),
            60..75 => self.lichess(games, random),
            75..92 => self.own_lichess(games, random),
            _ => self.chess_com(games, random),
        }
    }
}

fn pairs(tags: Vec<(&str, Vec<u8>)>) -> Vec<Tag> {
    tags.into_iter().map(|(name, value)| Tag { name: name.as_bytes().to_vec(), value }).collect()
}

/// Date and time of some seconds since 1970.
fn clock(seconds: i64) -> (String, String) {
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Howard Hinnant's calendar: years that begin in March.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day = shifted.rem_euclid(146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    let time = format!("{:02}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60);
    (format!("{year:04}.{month:02}.{day:02}"), time)
}
