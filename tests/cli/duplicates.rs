//! Games that stood before, and games in another order.

use crate::folder::{Folder, stderr};

fn game(tags: &[(&str, &str)], moves: &str) -> String {
    let tags: String = tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
    format!("{tags}\n{moves}\n\n")
}

/// Three games, then the first again with another event, and once more with other spellings and another date.
fn games() -> Vec<String> {
    let played = |event: &str, white: &str, black: &str, date: &str, moves: &str| {
        let tags = [
            ("Event", event),
            ("White", white),
            ("Black", black),
            ("Date", date),
            ("Result", "1-0"),
        ];
        game(&tags, moves)
    };
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0";
    vec![
        played("Paris", "Morphy, Paul", "Anderssen, Adolf", "1858.12.20", moves),
        played("Paris", "Morphy, Paul", "Anderssen, Adolf", "1858.12.21", "1. d4 d5 1-0"),
        played("London", "Staunton, Howard", "Horwitz, Bernhard", "1846.??.??", moves),
        played("Paris FRA", "Morphy, Paul", "Anderssen, Adolf", "1858.12.20", moves),
        played("Paris", "Morphy,P", "Anderssen,A.", "1858.??.??", moves),
    ]
}

fn text(folder: &Folder, line: &str) -> String {
    String::from_utf8(folder.ok(line)).unwrap()
}

#[test]
fn games_that_stood_before_are_listed_and_left_out() {
    let folder = Folder::new();
    let games = games();
    folder.write("games.pgn", games.concat());
    folder.ok("compress games.pgn --model none -q");
    for file in ["games.pgn", "games.pgn.plz"] {
        let list = |options: &str| text(&folder, &format!("list {file} --tags Event {options}"));
        assert_eq!(list("--duplicates"), "4\t1\tParis FRA\n", "{file}");
        assert_eq!(list("--duplicates --near"), "4\t1\tParis FRA\n5\t1\tParis\n", "{file}");
        assert_eq!(list("--duplicates --near --full"), "4\t1\tParis FRA\n5\t1\tParis\n", "{file}");
        assert_eq!(list("--duplicates --csv"), "game,repeats,Event\n4,1,Paris FRA\n");
        let json = list("--duplicates --json");
        assert!(json.starts_with("{\"game\":4,\"repeats\":\"1\","), "{json}");
        // Games that are not asked for are not the first of others.
        assert_eq!(list("--duplicates --games 2-"), "");
        assert_eq!(
            text(&folder, &format!("extract {file} --unique -q")),
            games[..3].concat() + &games[4]
        );
        assert_eq!(
            text(&folder, &format!("extract {file} --unique --near -q")),
            games[..3].concat()
        );
        assert_eq!(text(&folder, &format!("extract {file} --unique --near --count")), "3\n");
    }
    // Over several files.
    let list = text(&folder, "list games.pgn games.pgn --duplicates --games 3 --tags White");
    assert_eq!(list, "games.pgn\t3\tgames.pgn:3\tStaunton, Howard\n");
    let unique = text(&folder, "extract games.pgn games.pgn.plz --unique --near -q");
    assert_eq!(unique, games[..3].concat());
    for wrong in [
        "list games.pgn --near",
        "extract games.pgn --near --unique --sort",
        "extract games.pgn --near",
    ] {
        folder.fails(2, wrong);
    }
}

#[test]
fn games_that_are_there_are_not_appended() {
    let folder = Folder::new();
    let games = games();
    folder.write("games.pgn", games[..2].concat());
    folder.write("new.pgn", format!("; no game\n\n{}", games[1..].concat()));
    folder.ok("compress games.pgn --model none -q");
    let output = folder.run("append games.pgn.plz new.pgn --skip-duplicates");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("2 of 4 new games stood before"), "{}", stderr(&output));
    assert_eq!(text(&folder, "decompress games.pgn.plz -o -"), games[..3].concat() + &games[4]);
    // With an index, and nothing that is new.
    folder.ok("index games.pgn.plz -q");
    let before = folder.read("games.pgn.plz");
    folder.ok("append games.pgn.plz new.pgn --skip-duplicates --near -q");
    assert_eq!(folder.read("games.pgn.plz"), before);
    folder.fails(2, "append games.pgn.plz new.pgn --near");
}

#[test]
fn an_empty_line_is_put_before_new_games_and_none_without_them() {
    let folder = Folder::new();
    let games = games();
    let one = games[0].trim_end();
    folder.write("games.pgn", one);
    folder.write("known.pgn", games[..2].concat());
    folder.write("new.pgn", games[2].as_str());
    folder.ok("compress games.pgn --model none -q");
    let before = folder.read("games.pgn.plz");
    let append = |files: &str| {
        let line = format!("append games.pgn.plz {files} --skip-duplicates --separate");
        stderr(&folder.run(&line))
    };
    assert!(append("games.pgn").contains("1 of 1 new game stood before"));
    assert_eq!(folder.read("games.pgn.plz"), before);
    // What is left out at the end of a file parts nothing.
    folder.write("cut.pgn", format!("{}{one}", games[1]));
    append("known.pgn games.pgn cut.pgn new.pgn");
    let whole = format!("{one}\n\n{}{}", games[1], games[2]);
    assert_eq!(text(&folder, "decompress games.pgn.plz -o -"), whole);
}

#[test]
fn games_are_sorted_by_their_tags() {
    let folder = Folder::new();
    let games = games();
    folder.write("games.pgn", games.concat());
    folder.ok("compress games.pgn --model none -q");
    for file in ["games.pgn", "games.pgn.plz"] {
        let sorted = text(&folder, &format!("extract {file} --sort date,white -q"));
        // The day that is not known stands behind those that are, and the order of before among the same.
        let wanted = [2, 0, 3, 1, 4].map(|number| &games[number][..]).concat();
        assert_eq!(sorted, wanted, "{file}");
        let sorted = text(&folder, &format!("extract {file} --sort -white --first 3 -q"));
        assert_eq!(sorted, [2, 0, 1].map(|number| &games[number][..]).concat(), "{file}");
    }
    folder.ok("extract games.pgn --unique --near --sort black -o sorted.plz --model none -q");
    let sorted = text(&folder, "decompress sorted.plz -o -");
    assert_eq!(sorted, games[..3].concat());
    assert!(folder.fails(2, "extract games.pgn --sort date,").contains("names of tags"));
}
