//! Filters on moves, compared with an independent reading of the same PGN: words are played with shakmaty's own SAN, and
//! positions compared as FEN.

use crate::folder::{Folder, stderr};
use shakmaty::fen::{Epd, Fen};
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};

use crate::pgn;

/// A game, and what the plainest reader finds in it.
struct Plain {
    bytes: Vec<u8>,
    /// The first four fields of the FEN of each position, those of the usual start first.
    positions: Vec<String>,
    /// The moves without signs of check.
    moves: Vec<String>,
}

/// The value of a tag.
fn tag<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let begin = format!("[{name} \"");
    let line = text.lines().find(|line| line.starts_with(&begin))?;
    Some(&line[begin.len()..line.len() - 2])
}

impl Plain {
    fn new(text: String) -> Plain {
        let mut game = Plain { bytes: text.clone().into_bytes(), positions: vec![], moves: vec![] };
        let mode = match tag(&text, "Variant") {
            None => CastlingMode::Standard,
            Some("Chess960") => CastlingMode::Chess960,
            Some(_) => return game,
        };
        let start: Option<Fen> = tag(&text, "FEN").map(|fen| fen.parse().unwrap());
        let start = match start {
            Some(fen) => fen.into_position(mode).ok(),
            None => Some(Chess::default()),
        };
        let Some(mut position) = start else { return game };
        let name =
            |position: &Chess| Epd::from_position(position, EnPassantMode::Legal).to_string();
        game.positions.push(name(&position));
        let mut depth = 0;
        let (_, moves) = text.split_once("\n\n").unwrap();
        for word in moves.split_whitespace() {
            match word {
                "(" | "{" => depth += 1,
                ")" | "}" => depth -= 1,
                _ if depth > 0 || word.ends_with('.') => {}
                _ => {
                    let Ok(san) = word.parse::<SanPlus>() else { break };
                    let Ok(played) = san.san.to_move(&position) else { break };
                    position.play_unchecked(played);
                    game.positions.push(name(&position));
                    game.moves.push(san.san.to_string());
                }
            }
        }
        game
    }

    /// The pieces of White and of Black at each ply, sorted.
    fn materials(&self) -> impl Iterator<Item = [String; 2]> {
        let sorted = |fen: &str, keep: fn(&char) -> bool| {
            let placement = fen.split(' ').next().unwrap();
            let mut letters: Vec<char> = placement.chars().filter(keep).collect();
            letters.iter_mut().for_each(char::make_ascii_uppercase);
            letters.sort_unstable();
            letters.into_iter().collect::<String>()
        };
        self.positions.iter().map(move |fen| {
            [sorted(fen, char::is_ascii_uppercase), sorted(fen, char::is_ascii_lowercase)]
        })
    }
}

/// A game of these tags and moves.
fn game(tags: &str, moves: &str) -> String {
    format!("[Event \"?\"]\n{tags}[Result \"*\"]\n\n{moves} *\n\n")
}

/// Random games, and some that are hard to search.
fn games() -> Vec<Plain> {
    let mut texts: Vec<String> =
        pgn::games(90).into_iter().map(|game| String::from_utf8(game).unwrap()).collect();
    let fen = |fen: &str| format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n");
    let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let odd = [
        // Transpositions.
        game("", "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6"),
        game("", "1. Nf3 c5 2. e4 d6 3. Nc3 a6 4. d4 cxd4 5. Nxd4 Nf6 6. Be2"),
        // A capture en passant is legal; it is not, for the pawn is pinned.
        game("", "1. e4 h6 2. e5 d5 3. exd6"),
        game("", "1. e4 h6 2. e5 h5 3. Nc3 d5"),
        game(&fen("4k3/3p4/8/K3P2r/8/8/8/8 b - - 0 1"), "1. ... d5 2. Kb6"),
        // The rights to castle are lost, though all looks as before.
        game("", "1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8 4. Nf3"),
        game("", "1. e4 e5 2. Nf3"),
        // Other beginnings.
        game(&fen(usual), "1. e4 c5 2. Nf3 d6"),
        game(&fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w Qkq - 0 1"), "1. e4 c5 2. Nf3"),
        game(&fen("4k2r/8/8/8/8/8/4P3/4K2R w Kk - 0 1"), "1. e4 O-O 2. O-O Rxf1+ 3. Kxf1"),
        game(&fen("8/P6k/8/8/8/8/7K/8 w - - 0 1"), "1. a8=N Kg7 2. Nb6"),
        game(
            &(fen("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1")
                + "[Variant \"Chess960\"]\n"),
            "1. e4 e5 2. f4 exf4 3. Nf3 f6 4. g3",
        ),
        // Moves that cannot be read: those before them count.
        game("", "1. e4 c5 2. Nf3 Qxh7 3. d4"),
        game("", "1. Nf6 c5"),
        game("[Variant \"Atomic\"]\n", "1. e4 c5 2. Nf3"),
        game(&fen("8/8/8/8/8/8/8/8 w - - 0 1"), "1. e4 c5"),
        // Variations and comments are not searched.
        game("", "1. d4 ( 1. e4 c5 2. Nf3 ) 1. ... d5 { e4 c5 Nf3 } 2. c4"),
        game("", ""),
    ];
    // Some pages hold none of them.
    for (number, odd) in odd.into_iter().enumerate() {
        texts.insert(20 + 3 * number, odd);
    }
    texts.into_iter().map(Plain::new).collect()
}

/// A folder with `games.plz`, in blocks of 40 games and pages of 6, and `single.plz`, in blocks of one page.
fn folder(games: &[Plain]) -> Folder {
    let folder = Folder::new();
    folder.write("games.pgn", games.iter().flat_map(|game| game.bytes.clone()).collect::<Vec<_>>());
    folder.ok("compress games.pgn -o games.plz --model none --block-games 40 --page-games 6 -q");
    folder.ok("compress games.pgn -o single.plz --model none --block-games 9 -q");
    folder
}

/// Makes sure that `options` find exactly the games that `wanted` says.
fn finds(folder: &Folder, games: &[Plain], options: &str, wanted: impl Fn(&Plain) -> bool) {
    let (found, others): (Vec<&Plain>, Vec<&Plain>) = games.iter().partition(|game| wanted(game));
    for (options, expected) in [(options.to_owned(), found), (format!("{options} --not"), others)] {
        // A filter that keeps all or none shows nothing.
        assert!((1..games.len()).contains(&expected.len()), "{options}");
        let text = |count: usize| -> Vec<u8> {
            expected.iter().take(count).flat_map(|game| game.bytes.clone()).collect()
        };
        for archive in ["games.plz", "single.plz"] {
            let output = folder.run(&format!("extract {archive} {options}"));
            assert_eq!(output.status.code(), Some(0), "{options}: {}", stderr(&output));
            assert!(output.stdout == text(games.len()), "{archive} {options}");
            let count = folder.ok(&format!("extract {archive} {options} --count"));
            assert_eq!(count, format!("{}\n", expected.len()).into_bytes(), "{options}");
            let some = folder.ok(&format!("extract {archive} {options} --first 2 -q -T 1"));
            assert!(some == text(2), "{archive} {options}");
        }
    }
}

#[test]
fn first_moves_are_found_from_the_usual_start_alone() {
    let games = games();
    let folder = folder(&games);
    let usual = Epd::from_position(&Chess::default(), EnPassantMode::Legal).to_string();
    for line in ["e4", "e4 c5 Nf3", "e4 c5 Nf3 d6", "d4 d5 c4", "e4 e5 Ke2 Ke7 Ke1 Ke8 Nf3"] {
        let words: Vec<&str> = line.split(' ').collect();
        finds(&folder, &games, &format!("--moves '{line}'"), |game| {
            game.positions.first() == Some(&usual)
                && game.moves.get(..words.len()).is_some_and(|moves| moves == words)
        });
    }
    finds(&folder, &games, "--moves '1. e4 c5' --plies 4..", |game| {
        game.positions.first() == Some(&usual)
            && game.moves.starts_with(&["e4".into(), "c5".into()])
            && game.moves.len() >= 4
    });
}

#[test]
fn positions_are_found_however_they_came_about() {
    let games = games();
    let folder = folder(&games);
    let found = |fen: &str, count: usize| {
        let fields: Vec<&str> = fen.split(' ').take(4).collect();
        let fen_found = fields.join(" ");
        let wanted = |game: &Plain| game.positions.contains(&fen_found);
        finds(&folder, &games, &format!("--position '{fen}'"), wanted);
        assert_eq!(games.iter().filter(|game| wanted(game)).count(), count, "{fen}");
    };
    // The Najdorf position after five moves, by two ways.
    found("rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6", 2);
    found("rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq -", 2);
    // With the capture en passant and without.
    found("rnbqkbnr/ppp1ppp1/7p/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3", 1);
    found("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", 2);
    found("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -", 1);
    found("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b - -", 1);
    found("4k3/8/8/K2pP2r/8/8/8/8 w - - 0 2", 1);
    // From other starts, Chess960 among them.
    found("N7/7k/8/8/8/8/7K/8 b - -", 1);
    found("bbqnnrkr/pppp2pp/5p2/8/4Pp2/5N2/PPPP2PP/BBQN1RKR w KQkq -", 1);
    // All games of the usual start, with one that says so; and one of its own games' last position.
    let usual = Epd::from_position(&Chess::default(), EnPassantMode::Legal).to_string();
    finds(&folder, &games, &format!("--position '{usual}'"), |game| {
        game.positions.contains(&usual)
    });
    let last = games[3].positions.last().unwrap().clone();
    finds(&folder, &games, &format!("--position '{last}'"), |game| game.positions.contains(&last));
}

#[test]
fn material_is_found_on_either_side() {
    let games = games();
    let folder = folder(&games);
    let of = |one: &'static str, other: &'static str| {
        let sorted = |pieces: &str| {
            let mut letters: Vec<char> = pieces.chars().collect();
            letters.sort_unstable();
            letters.into_iter().collect::<String>()
        };
        let (one, other) = (sorted(one), sorted(other));
        move |game: &Plain| {
            game.materials().any(|[white, black]| {
                (white == one && black == other) || (white == other && black == one)
            })
        }
    };
    for (one, other) in [
        ("KRP", "KR"),
        ("KR", "KRP"),
        ("KN", "K"),
        ("KPPPPPPPPRRNNBBQ", "KPPPPPPPRRNNBBQ"),
        ("KPPPPPPPRRNNBBQ", "KPPPPPPPPRRNNBBQ"),
        ("KPPPPPPPPRRNNBB", "KPPPPPPPPRRNNBBQ"),
    ] {
        finds(&folder, &games, &format!("--material {one}v{other}"), of(one, other));
    }
}

#[test]
fn lengths_are_those_of_moves_that_can_be_read() {
    let games = games();
    let folder = folder(&games);
    for (options, span) in
        [("--plies 20..40", 20..=40), ("--plies ..3", 0..=3), ("--plies 60..", 60..=999)]
    {
        finds(&folder, &games, options, |game| span.contains(&game.moves.len()));
    }
    finds(&folder, &games, "--plies ..15 --event Random", |game| {
        game.moves.len() <= 15 && tag(str::from_utf8(&game.bytes).unwrap(), "Event") != Some("?")
    });
}

#[test]
fn conditions_on_moves_join_all_others() {
    let games = games();
    let folder = folder(&games);
    let result =
        |game: &Plain| tag(str::from_utf8(&game.bytes).unwrap(), "Result").unwrap().to_owned();
    let begins = |game: &Plain| game.moves.first().is_some_and(|first| first == "e4");
    let usual = Epd::from_position(&Chess::default(), EnPassantMode::Legal).to_string();
    finds(&folder, &games, "--result '*' --moves e4 --tag FEN=", |game| {
        result(game) == "*"
            && begins(game)
            && game.positions[0] == usual
            && tag(str::from_utf8(&game.bytes).unwrap(), "FEN").is_some()
    });
    finds(&folder, &games, "--games 20-70 --moves e4 --plies ..9", |game| {
        let number = games.iter().position(|other| std::ptr::eq(other, game)).unwrap() + 1;
        (20..=70).contains(&number)
            && begins(game)
            && game.positions[0] == usual
            && game.moves.len() <= 9
    });
}

#[test]
fn absurd_conditions_are_refused() {
    let folder = Folder::new();
    folder.write("games.pgn", pgn::games(3).concat());
    folder.ok("compress games.pgn -o games.plz --model none -q");
    for wrong in [
        "--moves 'e4 e4'",
        "--moves ''",
        "--moves 'e4 {}'",
        "--position 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR'",
        "--position startpos",
        "--position '8/8/8/8/8/8/8/8 w - -'",
        "--material KR",
        "--material KRvX",
        "--material QvK",
    ] {
        folder.fails(2, &format!("extract games.plz {wrong}"));
    }
    assert!(
        folder.fails(2, "extract games.plz --moves 'e4 e5 Nf4'").contains("'Nf4', behind 2 plies")
    );
    for none in ["--moves 'f3 e5 g4 Qh4'", "--material KvK", "--plies 5000.."] {
        folder.fails(1, &format!("extract games.plz {none}"));
    }
}
