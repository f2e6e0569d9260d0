//! `plyzip explain` and `plyzip predict`, compared with the archive's own figures and with an independent reading of
//! the same PGN.

use crate::folder::{Folder, stderr};
use serde_json::Value;
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Position, Square};

use crate::pgn;

/// Games of a folder: random ones and famous ones, in pages of 4.
const GAMES: usize = 12;

fn folder() -> Folder {
    let folder = Folder::new();
    let mut games = pgn::games(GAMES as u64 - 2).concat();
    games.extend(HOSTILE);
    games.extend(ANNOTATED);
    folder.write("games.pgn", games);
    folder.ok("compress games.pgn -o games.plz --model none --block-games 9 --page-games 4 -q");
    folder
}

/// A game whose tags would do harm if they were taken for HTML, for a script or for a terminal's.
const HOSTILE: &[u8] = b"[Event \"</script><script>alert(1)</script>\"]\n[White \"<img src=x onerror=alert(2)>\"]\n\
[Black \"a\\\"b'c & @style@ @game@ \x1b[2J\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n";

/// Castling, a capture en passant, a promotion, glyphs, comments and variations.
const ANNOTATED: &[u8] = b"[Event \"?\"]\n[FEN \"r3k2r/pppp2P1/8/3Pp3/8/1n6/P1PPPP2/R3K2R w KQkq e6 0 20\"]\n\n\
20. dxe6 $5 {en passant} (20. O-O O-O-O {too} (20... Ke7)) 20... O-O-O 21. gxh8=Q ! Kb8 {well}\n22. O-O 1/2-1/2\n";

fn lines(output: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(output).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The words of a game's movetext that are moves, comments and variations left out.
fn moves(game: &str) -> Vec<String> {
    let (mut depth, mut text) = (0, String::new());
    for letter in game.split_once("\n\n").unwrap().1.chars() {
        match letter {
            '(' | '{' => depth += 1,
            ')' | '}' => depth -= 1,
            letter if depth == 0 => text.push(letter),
            _ => {}
        }
    }
    let words = text
        .split_whitespace()
        .filter(|word| word.starts_with(char::is_alphabetic) || word.starts_with("O-O"));
    words.map(String::from).collect()
}

/// The games of the folder, each up to its last line of moves.
fn games(folder: &Folder) -> Vec<String> {
    let text = String::from_utf8(folder.read("games.pgn")).unwrap();
    let starts: Vec<usize> = text.match_indices("[Event ").map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(&start, end)| text[start..end].to_owned()).collect()
}

#[test]
fn costs_add_up_to_what_the_archive_says() {
    let folder = folder();
    let lines = lines(&folder.ok("explain games.plz --json"));
    let bits: f64 = lines.iter().filter_map(|line| line["total_bits"].as_f64()).sum();
    let mut sum = 0.0;
    for line in &lines {
        for part in ["bits", "end_bits", "variation_bits"] {
            sum += line[part].as_f64().unwrap_or(0.0);
        }
    }
    assert!((sum - bits).abs() < 1e-6 * bits);
    let info = self::lines(&folder.ok("info games.plz --json"));
    let bytes = info[0]["streams"]["moves"].as_f64().unwrap();
    // Four pages.
    assert!((-2.0..6.0).contains(&(bytes - bits / 8.0)), "{bytes} {bits}");
}

#[test]
fn json_has_the_moves_of_each_game() {
    let folder = folder();
    for command in ["explain games.plz --json", "explain games.pgn --json --model none"] {
        let all = lines(&folder.ok(command));
        for (number, game) in games(&folder).iter().enumerate() {
            let own: Vec<&Value> = all.iter().filter(|line| line["game"] == number + 1).collect();
            let (end, plies) = own.split_last().unwrap();
            let played: Vec<&str> = plies.iter().map(|ply| ply["move"].as_str().unwrap()).collect();
            assert_eq!(played, moves(game), "{game}");
            assert_eq!(end["plies"], plies.len());
            for (place, ply) in plies.iter().enumerate() {
                assert_eq!(ply["ply"], place + 1);
                let probability = ply["probability"].as_f64().unwrap();
                assert!((ply["bits"].as_f64().unwrap() + probability.log2()).abs() < 1e-9);
                let others = ply["others"].as_array().unwrap();
                let likelier =
                    |other: &&Value| other["probability"].as_f64().unwrap() > probability;
                let rank = others.iter().filter(likelier).count();
                assert_eq!(rank.min(3), ply["rank"].as_u64().unwrap().min(3) as usize);
            }
        }
    }
}

#[test]
fn games_are_named_by_number() {
    let folder = folder();
    let some = lines(&folder.ok("explain games.plz --json --games 2,5-6,11-"));
    let mut numbers: Vec<u64> = some.iter().map(|line| line["game"].as_u64().unwrap()).collect();
    numbers.dedup();
    assert_eq!(numbers, [2, 5, 6, 11, 12]);
    let all = lines(&folder.ok("explain games.plz --json"));
    let of = |number: u64| all.iter().filter(move |line| line["game"] == number);
    assert!(some.iter().filter(|line| line["game"] == 6).eq(of(6)));
    assert!(lines(&folder.ok("explain games.plz --json --game 7")).iter().eq(of(7)));
    for (input, options) in [
        ("games.plz", ""),
        ("games.pgn", ""),
        ("games.plz", "--svg"),
        ("games.pgn", "--svg --games 1-2"),
    ] {
        let told = folder.fails(2, &format!("explain {input} {options}"));
        assert!(told.contains("--game"), "{told}");
    }
    for number in ["13", "18446744073709551615"] {
        let told = folder.fails(2, &format!("explain games.plz --game {number}"));
        assert!(told.contains("12 games"), "{told}");
    }
}

#[test]
fn games_are_chosen_as_by_extract() {
    let folder = folder();
    for filter in
        ["--plies ..60", "--result 1-0 --not", "--tag Event=script", "--moves e4", "--first 2"]
    {
        let listed =
            String::from_utf8(folder.ok(&format!("list games.plz --csv {filter}"))).unwrap();
        let wanted: Vec<u64> = listed
            .lines()
            .skip(1)
            .map(|line| line.split(',').next().unwrap().parse().unwrap())
            .collect();
        assert!(!wanted.is_empty() && wanted.len() < GAMES, "{filter}: {wanted:?}");
        for file in ["games.plz", "games.pgn --model none"] {
            let explain = |form: &str| folder.run(&format!("explain {file} {filter} {form}"));
            let mut found: Vec<u64> = lines(&explain("--json").stdout)
                .iter()
                .map(|line| line["game"].as_u64().unwrap())
                .collect();
            found.dedup();
            assert_eq!(found, wanted, "{file} {filter}");
            let table = String::from_utf8(explain("").stdout).unwrap();
            let figures = table.lines().filter(|line| line.starts_with("game "));
            assert_eq!(figures.count(), wanted.len(), "{table}");
            let pgn = String::from_utf8(explain("--pgn").stdout).unwrap();
            assert_eq!(pgn.matches("[Event ").count(), wanted.len());
            let page = String::from_utf8(explain("--html").stdout).unwrap();
            assert_eq!(page.matches("\"figures\":").count(), wanted.len());
            let svg = explain("--svg").status.code();
            assert_eq!(svg, Some(if wanted.len() == 1 { 0 } else { 2 }), "{file} {filter}");
        }
    }
    let told = folder.fails(2, "explain games.plz --player nobody");
    assert!(told.contains("games.plz has 12 games, and none of them is wanted"), "{told}");
}

#[test]
fn tables_have_a_line_for_each_move() {
    let folder = folder();
    let text = String::from_utf8(folder.ok("explain games.plz --game 12")).unwrap();
    let found: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with("2") && line.contains('%'))
        .map(|line| line.split_whitespace().take(2).collect())
        .collect();
    let expected =
        [["20.", "dxe6"], ["20...", "O-O-O"], ["21.", "gxh8=Q"], ["21...", "Kb8"], ["22.", "O-O"]];
    assert_eq!(found, expected);
    assert!(text.contains("variations "), "{text}");
    let hostile = folder.ok("explain games.plz --game 11");
    assert!(!hostile.contains(&0x1b));
    assert!(String::from_utf8(hostile).unwrap().contains("4.   Qxf7# "));
    // More games stand below each other.
    let two = String::from_utf8(folder.ok("explain games.plz --games 11-12")).unwrap();
    assert!(two.contains("game 11, 7 plies") && two.ends_with(&text));
}

#[test]
fn pgn_is_as_it_was_but_for_comments() {
    let folder = folder();
    folder.ok("explain games.plz --pgn -o all.pgn");
    let text = String::from_utf8(folder.read("all.pgn")).unwrap();
    let plies: usize = games(&folder).iter().map(|game| moves(game).len()).sum();
    assert_eq!(text.matches(" { [%surprisal ").count(), plies);
    let mut rest = String::new();
    for (place, part) in text.split(" { [%surprisal ").enumerate() {
        rest += if place == 0 { part } else { part.split_once(" }").unwrap().1 };
    }
    let words = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
    assert_eq!(words(&rest), words(&String::from_utf8(folder.read("games.pgn")).unwrap()));
    // What was explained is PGN again, and its games cost the same by themselves.
    let again = lines(&folder.ok("explain all.pgn --json --model none"));
    assert_eq!(again, lines(&folder.ok("explain games.pgn --json --model none")));
}

#[test]
fn the_top_is_that_of_all_moves_and_games() {
    let folder = folder();
    let all = lines(&folder.ok("explain games.plz --json"));
    let top = lines(&folder.ok("explain games.plz --top 7 --json"));
    let mut bits: Vec<f64> = all.iter().filter_map(|line| line["bits"].as_f64()).collect();
    bits.sort_by(|one, other| other.total_cmp(one));
    let moves: Vec<&Value> = top.iter().filter(|line| line["kind"] == "move").collect();
    let found: Vec<f64> = moves.iter().map(|line| line["bits"].as_f64().unwrap()).collect();
    assert_eq!(found, bits[..7]);
    for line in moves {
        let same = |other: &&Value| other["game"] == line["game"] && other["ply"] == line["ply"];
        let own = all.iter().find(same).unwrap();
        for field in ["bits", "move", "uci", "probability"] {
            assert_eq!(own[field], line[field]);
        }
        assert_eq!(own["others"][0]["move"], line["expected"]);
    }
    let mut averages: Vec<f64> = (1..=GAMES)
        .filter_map(|game| {
            let own = all.iter().filter(|line| line["game"] == game);
            let bits: Vec<f64> = own.filter_map(|line| line["bits"].as_f64()).collect();
            (bits.len() >= 10).then(|| bits.iter().sum::<f64>() / bits.len() as f64)
        })
        .collect();
    averages.sort_by(|one, other| other.total_cmp(one));
    let found: Vec<f64> = top.iter().filter_map(|line| line["bits_per_ply"].as_f64()).collect();
    assert_eq!(found.len(), 7);
    assert!(found.iter().zip(&averages).all(|(found, average)| (found - average).abs() < 1e-9));
    let text = String::from_utf8(folder.ok("explain games.plz --top 3 --games 2-")).unwrap();
    assert!(text.contains(&format!("{} games, ", GAMES - 1)), "{text}");
    assert_eq!(text.lines().filter(|line| line.contains("%), ")).count(), 3, "{text}");
}

#[test]
fn pages_for_browsers_hold_the_game_and_nothing_from_elsewhere() {
    let folder = folder();
    for number in 1..=GAMES {
        folder.ok(&format!("explain games.plz --game {number} --html -o page.html -f"));
        let page = String::from_utf8(folder.read("page.html")).unwrap();
        let begin = "<script type=\"application/json\" id=\"games\">";
        let (before, rest) = page.split_once(begin).unwrap();
        let (json, after) = rest.split_once("</script>").unwrap();
        assert!(!json.contains('<'));
        // Two scripts, and no other element that tags could have made.
        assert_eq!(before.matches("<script").count() + after.matches("<script").count(), 1);
        assert!(!page.contains("<img"));
        let addresses = page.matches("://").count();
        assert_eq!(addresses, page.matches("\"http://www.w3.org/2000/svg\"").count());
        assert!(!page.contains("src=") || number == 11);
        assert!(page.contains("default-src 'none'"));
        let data: Value = serde_json::from_str(json).unwrap();
        assert_eq!(data.as_array().unwrap().len(), 1);
        let data = &data[0];
        assert_eq!(data["number"], number);
        let game = &games(&folder)[number - 1];
        let mut position = match number {
            12 => plyzip::pgn::parse(ANNOTATED).games().next().unwrap().start().unwrap(),
            _ => Chess::default(),
        };
        assert_eq!(data["start"], board(&position));
        let plies = data["plies"].as_array().unwrap();
        assert_eq!(plies.len(), moves(game).len());
        for (ply, san) in plies.iter().zip(moves(game)) {
            assert_eq!(ply["san"], san);
            assert_eq!(ply["white"], position.turn().is_white());
            let played = san.parse::<SanPlus>().unwrap().san.to_move(&position).unwrap();
            let from = ply["from"].as_u64().unwrap() as usize;
            assert_eq!(from, index(played.from().unwrap()));
            position.play_unchecked(played);
            assert_eq!(ply["board"], board(&position));
            // The piece stands where it is said to have gone.
            let to = ply["to"].as_u64().unwrap() as usize;
            let piece = board(&position).as_bytes()[to];
            assert!(piece != b'.' && piece.is_ascii_uppercase() == position.turn().is_black());
        }
    }
}

/// The number of a square from a8 on.
fn index(square: Square) -> usize {
    (7 - usize::from(square.rank())) * 8 + usize::from(square.file())
}

/// The letters of a FEN's board, with points for empty squares.
fn board(position: &Chess) -> String {
    let fen = position.board().to_string();
    let letters = fen.chars().filter(|&letter| letter != '/').map(|letter| {
        letter.to_digit(10).map_or(letter.to_string(), |count| ".".repeat(count as usize))
    });
    letters.collect()
}

#[test]
fn pictures_have_a_bar_for_each_move() {
    let folder = folder();
    for (number, game) in games(&folder).iter().enumerate() {
        let svg = folder.ok(&format!("explain games.plz --game {} --svg", number + 1));
        let svg = String::from_utf8(svg).unwrap();
        assert!(
            svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\"")
                && svg.ends_with("</svg>\n")
        );
        assert_eq!(
            svg.matches("<rect class=\"ours\"").count()
                + svg.matches("<rect class=\"theirs\"").count(),
            moves(game).len()
        );
        for harm in ["<script", "<img", "NaN", "inf\"", "\u{1b}"] {
            assert!(!svg.contains(harm), "{harm}: {svg}");
        }
    }
}

#[test]
fn outputs_are_not_replaced_and_inputs_are_checked() {
    let folder = folder();
    folder.write("there", "x");
    assert!(folder.fails(1, "explain games.plz --game 1 -o there").contains("-f"));
    assert_eq!(folder.read("there"), b"x");
    for line in [
        "explain games.plz --game 0",
        "explain games.plz --top 0",
        "explain games.plz --json --pgn",
        "explain games.plz --top 3 --html",
        "explain games.plz --game 1 --games 2",
    ] {
        assert_eq!(folder.run(line).status.code(), Some(2), "{line}");
    }
    folder.write("none.pgn", "no games here");
    assert!(folder.fails(2, "explain none.pgn").contains("0 games"));
    folder.fails(1, "explain missing.pgn");
    assert!(folder.fails(4, "explain games.pgn --game 1 --model missing").contains("missing"));
    let mut archive = folder.read("games.plz");
    for place in [9, archive.len() / 3, archive.len() / 2, archive.len() - 30] {
        archive[place] ^= 0x55;
        folder.write("damaged.plz", &archive);
        folder.fails(3, "explain damaged.plz --top 3");
        archive[place] ^= 0x55;
    }
    folder.write("short.plz", &archive[..archive.len() / 2]);
    folder.fails(3, "explain short.plz --game 1");
}

#[test]
fn standard_input_is_pgn() {
    let folder = folder();
    let explained = folder.ok("explain games.pgn --game 3 --json --model none");
    let output = folder
        .command("explain - --game 3 --json --model none")
        .write_stdin(folder.read("games.pgn"))
        .output()
        .unwrap();
    assert_eq!(output.stdout, explained, "{}", stderr(&output));
    let output =
        folder.command("explain -").write_stdin(folder.read("games.plz")).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

#[test]
fn stored_games_are_explained_by_themselves() {
    let folder = Folder::new();
    folder.write("small.pgn", "[Event \"?\"]\n\n1. e4 *\n");
    folder.ok("compress small.pgn --model none -q");
    let stored = lines(&folder.ok("explain small.pgn.plz --json --model none"));
    assert_eq!(stored, lines(&folder.ok("explain small.pgn --json --model none")));
    assert_eq!(stored[1]["alone"], true);
}

#[test]
fn predictions_add_up_and_depend_on_what_is_known() {
    let folder = Folder::new();
    let predict =
        |options: &str| lines(&folder.ok(&format!("predict --json --model none {options}")));
    let start = predict("");
    assert_eq!((start.len(), &start[0]["move"]), (20, &Value::from("e4")));
    for options in ["", "--moves 'e4 c5'", "--elo 1200,1300", "'7k/8/6K1/8/8/8/8/5Q2 w - - 0 1'"] {
        let moves = predict(options);
        let probabilities = moves.iter().map(|line| line["probability"].as_f64().unwrap());
        assert!((probabilities.clone().sum::<f64>() - 1.0).abs() < 1e-9, "{options}");
        assert!(probabilities.is_sorted_by(|one, next| one >= next), "{options}");
    }
    assert_ne!(predict("--elo 1200,1300"), start);
    assert_eq!(predict("startpos"), start);
    assert_eq!(predict("--moves '1. e4 c5'"), predict("--moves 'e2e4 c7c5'"));
    // The same as explain has it for a game.
    folder.write("game.pgn", "1. e4 c5 2. Nf3 *\n");
    let game = lines(&folder.ok("explain game.pgn --json --model none"));
    let next = predict("--moves 'e4 c5'");
    let found = next.iter().find(|line| line["move"] == "Nf3").unwrap();
    assert_eq!(found["probability"], game[2]["probability"]);
    let text = String::from_utf8(folder.ok("predict --model none")).unwrap();
    assert_eq!(text.lines().filter(|line| line.contains(" %  ")).count(), 20, "{text}");
    let mate = folder.ok("predict --moves 'f3 e5 g4 Qh4'");
    assert_eq!(mate, b"White is checkmated.\n");
    for wrong in ["nonsense", "--moves 'e4 e4'", "--elo 2500", "'8/8/8/8/8/8/8/8 w - - 0 1'"] {
        folder.fails(2, &format!("predict {wrong}"));
    }
}
