//! `plyzip stats`, compared with counts of an independent reading of the same PGN.

use std::collections::BTreeMap;

use crate::folder::Folder;
use serde_json::Value;

use crate::pgn;

/// A game in lines.
struct Plain(String);

impl Plain {
    fn tag(&self, name: &str) -> Option<&str> {
        let begin = format!("[{name} \"");
        let line = self.0.lines().find(|line| line.starts_with(&begin))?;
        Some(&line[begin.len()..line.len() - 2])
    }

    /// The moves without signs of check.
    fn moves(&self) -> Vec<&str> {
        let (_, moves) = self.0.split_once("\n\n").unwrap();
        let words = moves.split_whitespace().filter(|word| !word.ends_with('.'));
        let mut words: Vec<&str> = words.map(|word| word.trim_end_matches(['+', '#'])).collect();
        words.pop();
        words
    }

    fn results(&self) -> [u64; 4] {
        let results = ["1-0", "1/2-1/2", "0-1"];
        let place = results.iter().position(|result| self.tag("Result") == Some(result));
        let mut counts = [0; 4];
        counts[place.unwrap_or(3)] = 1;
        counts
    }
}

/// Random games with years and ratings, some of them absurd.
fn games() -> Vec<Plain> {
    let mut games = vec![];
    for (number, game) in pgn::games(80).into_iter().enumerate() {
        let text = String::from_utf8(game).unwrap();
        let date = match number % 8 {
            0 => "????.??.??".into(),
            1 => "999999999999.01.01".into(),
            2 => "1851.??.??".into(),
            _ => format!("{}.01.01", 1990 + number % 5),
        };
        let (white, black) = match number % 9 {
            0 => ("99999999999999999999".into(), "-3".into()),
            1 => ("2500".into(), "?".into()),
            _ => ((2000 + number * 37 % 700).to_string(), (2100 + number * 11 % 500).to_string()),
        };
        let tags = format!("[WhiteElo \"{white}\"]\n[BlackElo \"{black}\"]\n\n");
        let old = text.lines().find(|line| line.starts_with("[Date")).unwrap().to_owned();
        let text = text.replacen(&old, &format!("[Date \"{date}\"]"), 1);
        let mut text = text.replacen("\n\n", &format!("\n{tags}"), 1);
        if number % 10 == 7 {
            let result = Plain(text.clone()).tag("Result").unwrap().to_owned();
            text = text.replace(&result, "*");
        }
        games.push(Plain(text));
    }
    games
}

/// White's wins, draws, Black's wins and what has no result, by a key.
fn counted<K: Ord>(
    games: &[&Plain],
    key: impl Fn(&Plain) -> Option<K>,
) -> BTreeMap<Option<K>, [u64; 4]> {
    let mut counts: BTreeMap<Option<K>, [u64; 4]> = BTreeMap::new();
    for game in games {
        let count = counts.entry(key(game)).or_default();
        for (count, one) in count.iter_mut().zip(game.results()) {
            *count += one;
        }
    }
    counts
}

fn results(value: &Value) -> [u64; 4] {
    ["white", "draws", "black", "unknown"].map(|name| value[name].as_u64().unwrap())
}

/// The rows of a list by one of their fields.
fn rows(list: &Value, name: &str) -> BTreeMap<Option<u64>, [u64; 4]> {
    let rows = list.as_array().unwrap().iter();
    rows.map(|row| (row[name].as_u64(), results(row))).collect()
}

fn folder(games: &[Plain]) -> Folder {
    let folder = Folder::new();
    folder.write("games.pgn", games.iter().map(|game| &game.0[..]).collect::<String>());
    folder.ok("compress games.pgn -o games.plz --model none --block-games 30 --page-games 7 -q");
    folder
}

fn json(folder: &Folder, options: &str) -> Value {
    let line = folder.ok(&format!("stats games.plz --json {options}"));
    serde_json::from_slice(&line).unwrap()
}

#[test]
fn games_are_counted_by_year_rating_length_and_opening() {
    let games = games();
    let folder = folder(&games);
    let year = |game: &Plain| {
        let year = game.tag("Date")?.split('.').next()?.parse::<u64>().ok();
        year.filter(|&year| year < 10_000)
    };
    let band = |game: &Plain| {
        let elo = |name| game.tag(name).and_then(|elo| elo.parse::<u64>().ok());
        let (white, black) = (elo("WhiteElo")?, elo("BlackElo")?);
        Some((white + black) / 2 / 100 * 100)
    };
    for (options, from) in [("", 0), ("--games 21-", 20), ("-T 1 --result 1-0", 80)] {
        let chosen: Vec<&Plain> = match from {
            80 => games.iter().filter(|game| game.tag("Result") == Some("1-0")).collect(),
            from => games[from..].iter().collect(),
        };
        let found = json(&folder, &format!("{options} --min-games 0 --depth 3"));
        assert_eq!(found["games"], chosen.len());
        let all = counted(&chosen, |_| Some(()));
        assert_eq!(results(&found["results"]), all[&Some(())]);
        assert_eq!(rows(&found["years"], "year"), counted(&chosen, year));
        assert_eq!(rows(&found["ratings"], "from"), counted(&chosen, band));
        let lengths = &found["lengths"];
        let class = |game: &Plain| Some((game.moves().len() / 20 * 20) as u64);
        let mut classes = rows(&lengths["classes"], "from");
        classes.retain(|_, results| *results != [0; 4]);
        assert_eq!(classes, counted(&chosen, class));
        let plies: Vec<usize> = chosen.iter().map(|game| game.moves().len()).collect();
        assert_eq!(lengths["plies"], plies.iter().sum::<usize>());
        let longest = *plies.iter().max().unwrap();
        assert_eq!(lengths["longest_plies"], longest);
        let number = lengths["longest_game"].as_u64().unwrap() as usize;
        assert_eq!(games[number - 1].moves().len(), longest);

        let mut openings = BTreeMap::new();
        for plies in 1..=3 {
            openings.extend(counted(&chosen, |game| {
                game.moves().get(..plies).map(|moves| moves.join(" "))
            }));
        }
        openings.remove(&None);
        let listed = found["openings"].as_array().unwrap().iter();
        let listed: BTreeMap<_, _> = listed
            .map(|row| {
                (row["moves"].as_str().map(|moves| moves.replace(['+', '#'], "")), results(row))
            })
            .collect();
        assert_eq!(listed, openings);
        assert_eq!(found["openings_complete"], true);
    }
}

#[test]
fn less_is_read_where_less_is_asked_for() {
    let games = games();
    let folder = folder(&games);
    let all = json(&folder, "--min-games 2");
    let short = json(&folder, "--min-games 2 --no-lengths");
    assert!(short["lengths"].is_null());
    for name in ["games", "results", "years", "ratings", "openings", "other_starts"] {
        assert_eq!(all[name], short[name], "{name}");
    }
    let tags = json(&folder, "--depth 0 --no-lengths");
    assert_eq!((&tags["years"], &tags["openings"]), (&all["years"], &Value::Array(vec![])));
    let rare = json(&folder, "--min-games 10");
    let rare = rare["openings"].as_array().unwrap();
    assert!(rare.iter().all(|row| results(row).iter().sum::<u64>() >= 10));
}

#[test]
fn text_and_picture_show_the_same() {
    let games = games();
    let folder = folder(&games);
    let text = String::from_utf8(folder.ok("stats games.plz --svg games.svg")).unwrap();
    let picture = String::from_utf8(folder.read("games.svg")).unwrap();
    assert!(text.starts_with("80 games: White won "), "{text}");
    for word in ["1851", "2400-2499", "unknown", "1. ", "Plies", "Opening"] {
        assert!(text.contains(word) && picture.contains(word), "{word}: {text}");
    }
    assert!(picture.ends_with("</svg>\n"));
    folder.fails(1, "stats games.plz --svg games.svg");
    folder.ok("stats games.plz --svg games.svg -f");
    for wrong in [
        "",
        "games.plz --depth 41",
        "games.plz --min-games x",
        "games.plz -f",
        "games.plz --svg games.plz -f",
    ] {
        folder.fails(2, &format!("stats {wrong}"));
    }
    let none = String::from_utf8(folder.ok("stats games.plz --player Nobody")).unwrap();
    assert!(none.starts_with("0 games"), "{none}");
}
