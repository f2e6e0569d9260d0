//! `plyzip list` and `plyzip extract`, each compared with an independent reading of the same PGN.

use std::io::Cursor;

use crate::folder::{Folder, stderr};
use plyzip::Model;
use plyzip::archive::{AllGames, ArchiveWriter, IndexedReader, Selection, Verdict, WriterOptions};
use plyzip::pgn::{Game, Tag};

use crate::pgn;

/// Names as databases have them, with accents, initials and titles.
const NAMES: [&str; 10] = [
    "Morphy, Paul",
    "Müller, Karsten",
    "MULLER, K",
    "Đoković, Marija",
    "Djokovic Dokovic",
    "O'Kelly de Galway, Alberic",
    "Paulsen, Louis",
    "Carlsen, Magnus",
    "magnus carlsen",
    "Алёхин, Александр",
];

/// A game in lines, read in the plainest way there is.
struct Plain {
    bytes: Vec<u8>,
}

impl Plain {
    /// What stands between the quotes of the line of this tag.
    fn tag(&self, name: &str) -> Option<String> {
        let begin = format!("[{name} \"");
        let text = String::from_utf8(self.bytes.clone()).unwrap();
        let line = text.lines().find(|line| line.starts_with(&begin))?;
        Some(line[begin.len()..line.len() - 2].to_owned())
    }

    fn number(&self, name: &str) -> Option<u32> {
        self.tag(name)?.parse().ok()
    }

    /// The words behind the tags that are neither numbers nor the result.
    fn plies(&self) -> usize {
        let text = String::from_utf8(self.bytes.clone()).unwrap();
        let (_, moves) = text.split_once("\n\n").unwrap();
        let words = moves.split_whitespace().filter(|word| !word.ends_with('.'));
        words.count() - 1
    }
}

/// Games with all the tags that there are filters for.
fn games() -> Vec<Plain> {
    let mut games = vec![];
    for (number, game) in pgn::games(60).into_iter().enumerate() {
        let text = String::from_utf8(game).unwrap();
        let (tags, moves) = text.split_once("\n\n").unwrap();
        let result = tags.lines().find(|line| line.starts_with("[Result")).unwrap();
        let date = match number % 5 {
            0 => format!("{}.??.??", 2019 + number % 4),
            1 => "????.??.??".into(),
            2 => format!("2023.{:02}.??", 1 + number % 12),
            _ => format!("{}.{:02}.{:02}", 2018 + number % 7, 1 + number % 12, 1 + number % 28),
        };
        let mut text = format!(
            "[Event \"{} {}\"]\n[Site \"{}\"]\n[Date \"{date}\"]\n[Round \"{}.{}\"]\n\
             [White \"{}\"]\n[Black \"{}\"]\n{result}\n",
            2000 + number / 20,
            ["Tata Steel Masters", "Gipslis Memorial", "Título Martes"][number % 3],
            ["Wijk aan Zee", "Riga LAT", "chess.com INT"][number % 3],
            1 + number / 20,
            number % 20,
            NAMES[number * 7 % 10],
            NAMES[(number * 3 % 10) ^ 1],
        );
        if number % 4 != 0 {
            let (white, black) = (2400 + number * 37 % 400, 2400 + number * 71 % 400);
            text += &format!("[WhiteElo \"{white}\"]\n[BlackElo \"{black}\"]\n");
        }
        if number % 3 != 0 {
            text += &format!("[ECO \"{}{:02}\"]\n", ["A", "B", "C"][number % 3], number * 13 % 100);
        }
        text += &format!("\n{moves}");
        games.push(Plain { bytes: text.into_bytes() });
    }
    games
}

/// A folder with `games.plz`, in blocks of 25 games and pages of 4.
fn folder(games: &[Plain]) -> Folder {
    let folder = Folder::new();
    folder.write("games.pgn", games.iter().flat_map(|game| game.bytes.clone()).collect::<Vec<_>>());
    folder.ok("compress games.pgn -o games.plz --model none --block-games 25 --page-games 4 -q");
    folder
}

/// Makes sure that `options` find exactly the games that `wanted` says.
fn finds(folder: &Folder, games: &[Plain], options: &str, wanted: impl Fn(&Plain) -> bool) {
    let expected: Vec<&Plain> = games.iter().filter(|game| wanted(game)).collect();
    let others: Vec<&Plain> = games.iter().filter(|game| !wanted(game)).collect();
    for (options, expected) in
        [(options.to_owned(), expected), (format!("{options} --not"), others)]
    {
        // A filter that keeps all or none shows nothing.
        assert!((1..games.len()).contains(&expected.len()), "{options}");
        let all: Vec<u8> = expected.iter().flat_map(|game| game.bytes.clone()).collect();
        let output = folder.run(&format!("extract games.plz {options}"));
        assert_eq!(output.status.code(), Some(0), "{options}: {}", stderr(&output));
        assert!(output.stdout == all, "{options}");
        let told = format!("games.plz: {} of {} games\n", expected.len(), games.len());
        assert_eq!(stderr(&output), told, "{options}");
        let count = folder.ok(&format!("extract games.plz {options} --count"));
        assert_eq!(count, format!("{}\n", expected.len()).into_bytes(), "{options}");
        let some: Vec<u8> = expected.iter().take(3).flat_map(|game| game.bytes.clone()).collect();
        assert!(
            folder.ok(&format!("extract games.plz {options} --first 3 -q")) == some,
            "{options}"
        );
    }
}

#[test]
fn words_are_found_whatever_their_accents_and_case() {
    let games = games();
    let folder = folder(&games);
    let of = |names: &[&str], tags: &[&str]| {
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        let tags: Vec<String> = tags.iter().map(ToString::to_string).collect();
        move |game: &Plain| {
            tags.iter().any(|tag| game.tag(tag).is_some_and(|value| names.contains(&value)))
        }
    };
    for (words, names) in [
        ("muller", &["Müller, Karsten", "MULLER, K"][..]),
        ("Müller k", &["Müller, Karsten", "MULLER, K"]),
        ("Muller,Karsten", &["Müller, Karsten"]),
        ("dokovic", &["Đoković, Marija", "Djokovic Dokovic"]),
        ("Carlsen Magnus", &["Carlsen, Magnus", "magnus carlsen"]),
        ("PAUL", &["Morphy, Paul", "Paulsen, Louis"]),
        ("o kelly", &["O'Kelly de Galway, Alberic"]),
        ("АЛЕХИН", &["Алёхин, Александр"]),
    ] {
        finds(&folder, &games, &format!("--white '{words}'"), of(names, &["White"]));
        finds(&folder, &games, &format!("--black '{words}'"), of(names, &["Black"]));
        finds(&folder, &games, &format!("--player '{words}'"), of(names, &["White", "Black"]));
    }
    let (one, other) =
        (of(&["Morphy, Paul"], &["White", "Black"]), of(&["Paulsen, Louis"], &["White", "Black"]));
    let both = |game: &Plain| one(game) && other(game);
    if games.iter().any(both) {
        finds(&folder, &games, "--player morphy --player paulsen", both);
    }
    let has = |tag: &'static str, part: &'static str| {
        move |game: &Plain| game.tag(tag).is_some_and(|value| value.contains(part))
    };
    finds(&folder, &games, "--event 'tata steel'", has("Event", "Tata Steel"));
    finds(&folder, &games, "--event titulo", has("Event", "Título"));
    finds(&folder, &games, "--event 2001", has("Event", "2001"));
    finds(&folder, &games, "--site 'Wijk Zee'", has("Site", "Wijk"));
}

#[test]
fn tags_are_compared_as_what_they_are() {
    let games = games();
    let folder = folder(&games);
    let known = |game: &Plain| {
        let date = game.tag("Date").unwrap();
        let number = |range: std::ops::Range<usize>| date[range].parse::<u32>().ok();
        (number(0..4), number(5..7), number(8..10))
    };
    finds(&folder, &games, "--date 2020..2023-06", |game| match known(game) {
        (Some(2023), month, _) => month.is_some_and(|month| month <= 6),
        (year, _, _) => year.is_some_and(|year| (2020..=2022).contains(&year)),
    });
    finds(&folder, &games, "--date 2023", |game| known(game).0 == Some(2023));
    finds(&folder, &games, "--date 2022-05-10..", |game| match known(game) {
        (Some(2023..), _, _) | (Some(2022), Some(6..), _) => true,
        (Some(2022), Some(5), day) => day.is_some_and(|day| day >= 10),
        _ => false,
    });
    finds(&folder, &games, "--date ..2019", |game| known(game).0.is_some_and(|year| year <= 2019));
    for result in ["1-0", "0-1", "1/2-1/2"] {
        finds(&folder, &games, &format!("--result {result}"), |game| {
            game.tag("Result").unwrap() == result
        });
    }
    let ratings = |game: &Plain| Some((game.number("WhiteElo")?, game.number("BlackElo")?));
    finds(&folder, &games, "--elo 2600..", |game| {
        ratings(game).is_some_and(|(white, black)| white >= 2600 && black >= 2600)
    });
    finds(&folder, &games, "--elo 2450..2700", |game| {
        ratings(game).is_some_and(|(white, black)| {
            (2450..=2700).contains(&white) && (2450..=2700).contains(&black)
        })
    });
    finds(&folder, &games, "--tag Round=^2\\.1?[0-3]$", |game| {
        ["0", "1", "2", "3", "10", "11", "12", "13"]
            .iter()
            .any(|board| game.tag("Round").unwrap() == format!("2.{board}"))
    });
    finds(&folder, &games, "--tag Site=LAT --tag 'White=(?i)^m'", |game| {
        game.tag("Site").unwrap().contains("LAT")
            && game.tag("White").unwrap().starts_with(['m', 'M'])
    });
    finds(&folder, &games, "--tag WhiteElo=", |game| game.tag("WhiteElo").is_some());
}

#[test]
fn what_the_moves_tell_takes_their_pages() {
    let games = games();
    let folder = folder(&games);
    let code = |game: &Plain| game.tag("ECO").unwrap_or_default();
    finds(&folder, &games, "--eco B20-B59,c0", |game| {
        ("B20"..="B59").contains(&&code(game)[..]) || code(game).starts_with("C0")
    });
    finds(&folder, &games, "--tag ECO=1$", |game| code(game).ends_with('1'));
    finds(&folder, &games, "--plies 20..40", |game| (20..=40).contains(&game.plies()));
    finds(&folder, &games, "--plies ..30 --eco B --result 1-0", |game| {
        game.plies() <= 30 && code(game).starts_with('B') && game.tag("Result").unwrap() == "1-0"
    });
}

#[test]
fn numbers_join_the_other_filters() {
    let games = games();
    let folder = folder(&games);
    let numbered = |options: &str, wanted: &dyn Fn(usize, &Plain) -> bool| {
        let chosen = (1..).zip(&games).filter(|(number, game)| wanted(*number, game));
        let chosen: Vec<u8> = chosen.flat_map(|(_, game)| game.bytes.clone()).collect();
        assert!(folder.ok(&format!("extract games.plz -q {options}")) == chosen, "{options}");
    };
    numbered("--game 26", &|number, _| number == 26);
    numbered("--games 24-27,60", &|number, _| (24..=27).contains(&number) || number == 60);
    numbered("--games 24-27 --not", &|number, _| !(24..=27).contains(&number));
    numbered("--games 30- --result 1-0", &|number, game| {
        number >= 30 && game.tag("Result").unwrap() == "1-0"
    });
    numbered("--first 30", &|number, _| number <= 30);
}

#[test]
fn none_found_is_told_by_the_status() {
    let games = games();
    let folder = folder(&games);
    assert_eq!(folder.fails(1, "extract games.plz --player Nobody"), "games.plz: 0 of 60 games\n");
    folder.fails(1, "extract games.plz --game 61");
    folder.fails(1, "extract games.plz --plies 1000..");
    let output = folder.run("extract games.plz --player Nobody --count");
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(1), &b"0\n"[..]));
    for wrong in [
        "",
        " --not",
        " --count",
        " --elo x",
        " --date 2023..2022",
        " --tag Round=(",
        " --tag Round",
        " --eco F1",
        " --plies 4..3",
        " --result even",
        " --player ,",
        " --first 0",
        " --game 1 --games 2",
        " --game 1 --count -o out",
    ] {
        folder.fails(2, &format!("extract games.plz{wrong}"));
    }
}

#[test]
fn no_model_is_needed_unless_a_page_is() {
    let games = games();
    let folder = folder(&games);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/models/standard.onnx");
    folder.write("own.onnx", [&std::fs::read(path).unwrap()[..], &[0x1a, 1, b'2']].concat());
    folder.write(
        "few.pgn",
        games[..6].iter().flat_map(|game| game.bytes.clone()).collect::<Vec<_>>(),
    );
    folder.ok("compress few.pgn -o few.plz --model own.onnx --page-games 3 -q");
    std::fs::remove_file(folder.path("own.onnx")).unwrap();
    assert_eq!(
        folder.ok("list few.plz"),
        folder
            .ok("list games.plz")
            .split_inclusive(|&byte| byte == b'\n')
            .take(6)
            .flatten()
            .copied()
            .collect::<Vec<u8>>()
    );
    assert_eq!(folder.ok("extract few.plz --date 2023..2024 --not --count").len(), 2);
    folder.fails(4, "extract few.plz --plies 1.. --count");
    folder.fails(4, "extract few.plz --game 1");
}

#[test]
fn lists_are_tables_records_and_objects() {
    const TAGS: [&str; 7] = ["Date", "White", "WhiteElo", "Black", "BlackElo", "Result", "Event"];
    let mut games = games();
    games[5].bytes =
        b"[Event \"a \\\"quoted\\\", one\"]\n[White \"tab\there\"]\n[ECO \"A00\"]\n\n1. e4 *\n\n"
            .to_vec();
    let folder = folder(&games);
    let lines = |options: &str| {
        let text = String::from_utf8(folder.ok(&format!("list games.plz{options}"))).unwrap();
        text.lines().map(String::from).collect::<Vec<_>>()
    };
    let (table, csv, json) = (lines(""), lines(" --csv"), lines(" --json"));
    assert_eq!((table.len(), csv.len(), json.len()), (60, 61, 60));
    assert_eq!(csv[0], "game,Date,White,WhiteElo,Black,BlackElo,Result,Event");
    assert_eq!(table[5], "6\t\ttab\\u{9}here\t\t\t\t\ta \"quoted\", one");
    assert_eq!(csv[6], "6,,tab\there,,,,,\"a \"\"quoted\"\", one\"");
    for (number, game) in games.iter().enumerate() {
        let object: serde_json::Value = serde_json::from_str(&json[number]).unwrap();
        assert_eq!(object["game"], number + 1);
        assert!(object["tags"].get("ECO").is_none());
        if number == 5 {
            assert_eq!(object["tags"]["Event"], "a \"quoted\", one");
            continue;
        }
        let values: Vec<String> = TAGS.map(|tag| game.tag(tag).unwrap_or_default()).to_vec();
        assert_eq!(table[number], format!("{}\t{}", number + 1, values.join("\t")));
        for tag in TAGS.iter().chain(&["Site", "Round"]) {
            assert_eq!(
                object["tags"].get(tag).and_then(|value| value.as_str()).map(String::from),
                game.tag(tag)
            );
        }
        let quoted = |value: &String| match value.contains(',') {
            true => format!("\"{value}\""),
            false => value.clone(),
        };
        let values: Vec<String> = values.iter().map(quoted).collect();
        assert_eq!(csv[number + 1], format!("{},{}", number + 1, values.join(",")));
    }
    assert_eq!(
        lines(" --tags Round,Nothing")[1],
        format!("2\t{}\t", games[1].tag("Round").unwrap())
    );
    assert_eq!(lines(" --tags Site --csv")[..2], ["game,Site", "1,Wijk aan Zee"]);
    assert_eq!(lines(" --tags Site --json")[0], r#"{"game":1,"tags":{"Site":"Wijk aan Zee"}}"#);
    for threads in ["1", "2", "7"] {
        assert_eq!(lines(&format!(" -T {threads}")), table);
    }
    assert!(
        folder.fails(2, "list games.plz --tags White,ECO").contains("ECO is stored with the moves")
    );
    assert!(folder.fails(2, "list games.plz --tags Plies").contains("--full"));
    folder.fails(2, "list games.plz --csv --json");
}

#[test]
fn lists_take_filters_and_pages() {
    let games = games();
    let folder = folder(&games);
    let lines = |options: &str| {
        let text = String::from_utf8(folder.ok(&format!("list games.plz {options}"))).unwrap();
        text.lines().map(String::from).collect::<Vec<_>>()
    };
    let columns = ["Date", "White", "WhiteElo", "Black", "BlackElo", "Result"];
    let expected = |number: usize, full: bool| {
        let game = &games[number];
        let mut values = vec![(number + 1).to_string()];
        values.extend(columns.map(|tag| game.tag(tag).unwrap_or_default()));
        if full {
            values.extend([game.tag("ECO").unwrap_or_default(), game.plies().to_string()]);
        }
        values.push(game.tag("Event").unwrap());
        values.join("\t")
    };
    let all: Vec<String> = (0..60).map(|number| expected(number, true)).collect();
    assert_eq!(lines("--full"), all);
    assert_eq!(lines("--full -T 1 --games 7-9"), all[6..9]);
    let won = (0..60).filter(|&number| games[number].tag("Result").unwrap() == "1-0");
    let won: Vec<String> = won.map(|number| expected(number, false)).collect();
    assert_eq!(lines("--result 1-0"), won);
    assert_eq!(lines("--result 1-0 --first 2"), won[..2]);
    // A filter on moves, and tags alone.
    let short = (0..60).filter(|&number| games[number].plies() <= 30);
    let short: Vec<String> = short.map(|number| expected(number, false)).collect();
    assert_eq!(lines("--plies ..30"), short);
    assert_eq!(lines("--player nobody"), Vec::<String>::new());
    let object: serde_json::Value = serde_json::from_str(&lines("--json --full")[1]).unwrap();
    assert_eq!(object["plies"], games[1].plies());
    assert_eq!(object["tags"]["ECO"].as_str().map(String::from), games[1].tag("ECO"));
    assert_eq!(lines("--csv --full --tags ECO,Plies")[2], {
        format!("2,{},{}", games[1].tag("ECO").unwrap(), games[1].plies())
    });
}

/// Takes each other game by its moves.
struct EachOther;

impl Selection for EachOther {
    fn by_tags(&self, number: u64, _: &[Tag]) -> Verdict {
        if number.is_multiple_of(2) { Verdict::Unwanted } else { Verdict::Open }
    }

    fn by_game(&self, _: u64, game: &Game) -> bool {
        !game.tags.is_empty()
    }
}

#[test]
fn damage_is_an_error_and_nothing_else() {
    let games = games();
    // Each page has a game that is selected, so that all of them are read.
    let options = WriterOptions::new().block_games(6).page_games(3);
    let mut writer = ArchiveWriter::with_options(vec![], Model::none(), options).unwrap();
    games[..12].iter().for_each(|game| writer.push_game(&game.bytes).unwrap());
    let archive = writer.finish().unwrap().0;
    let read = |archive: &[u8]| {
        let mut reader = IndexedReader::open(Cursor::new(archive))?;
        let (mut tags, mut texts) = (vec![], vec![]);
        reader.select(&AllGames).tags(|number, found| {
            tags.push((number, found.to_vec()));
            Ok(())
        })?;
        let found = reader.select(&EachOther).bytes(|number, text| {
            texts.push((number, text.to_vec()));
            Ok(())
        })?;
        assert_eq!(reader.select(&EachOther).count()?, found);
        Ok::<_, plyzip::Error>((tags, texts))
    };
    let whole = read(&archive).unwrap();
    let (tags, texts) = whole.clone();
    assert!(tags.iter().map(|(number, _)| *number).eq(0..12));
    let each_other = games[..12].iter().zip(0..).filter(|(_, number)| number % 2 == 1);
    assert!(each_other.map(|(game, number)| (number, game.bytes.clone())).eq(texts));
    for place in (0..archive.len()).step_by(5) {
        let mut damaged = archive.clone();
        damaged[place] ^= 1 << (place % 8);
        // In a page without any of the games nobody looks.
        if let Ok(found) = read(&damaged) {
            assert!(found == whole, "byte {place}");
        }
    }
    for length in (0..archive.len()).step_by(11) {
        assert!(read(&archive[..length]).is_err(), "{length} bytes");
    }
}
