use proptest::collection::vec;
use proptest::prelude::*;
use shakmaty::san::San;
use shakmaty::{Chess, Move, Position};

use super::values::BASE62;
use super::*;
use crate::pgn::{Line, Tag};

fn game(tags: &[(&str, &str)]) -> Game {
    let tags = tags
        .iter()
        .map(|(name, value)| Tag { name: name.as_bytes().into(), value: value.as_bytes().into() })
        .collect();
    Game { tags, ..Game::default() }
}

/// The first moves of some game, always the same for the same `choices`.
fn moves(choices: &[u8]) -> Vec<Move> {
    let mut position = Chess::default();
    choices
        .iter()
        .map_while(|&choice| {
            let legal = position.legal_moves();
            let played = *legal.get(usize::from(choice) % legal.len().max(1))?;
            position.play_unchecked(played);
            Some(played)
        })
        .collect()
}

/// Codes the tags of `games`, checks that they come back and returns how many bytes they took.
fn round_trip(games: &[Game]) -> usize {
    let (early, late) =
        (encode_early(games, &[], &Interrupt::default()).unwrap(), encode_late(games).unwrap());
    let mut back: Vec<Game> =
        games.iter().map(|game| Game { tags: Vec::new(), ..game.clone() }).collect();
    let limit = games
        .iter()
        .flat_map(|game| &game.tags)
        .map(|tag| tag.name.len() + tag.value.len() + 1)
        .sum();
    decode_early(early.as_slices(), &mut back, &[], 2 * limit, u64::MAX).unwrap();
    decode_late(&late, &mut back, limit).unwrap();
    assert_eq!(back, games);
    early.tags.len() + early.new_players.len() + late.len()
}

fn tournament(rounds: usize) -> Vec<Game> {
    let mut games = Vec::new();
    for round in 0..rounds {
        for board in 0..4 {
            let (white, black) = ((round + board) % 8, (round * 3 + board + 4) % 8);
            let (white, black) = if white == black { (8, black) } else { (white, black) };
            let mut game = game(&[
                ("Event", "Club Championship"),
                ("Site", "Nowhere"),
                ("Date", &format!("2024.03.{:02}", round % 28 + 1)),
                ("Round", &format!("{}.{}", round + 1, board + 1)),
                ("White", &format!("Player {white}")),
                ("Black", &format!("Player {black}")),
                ("Result", ["1-0", "0-1", "1/2-1/2"][(white * 5 + black) % 3]),
                ("WhiteElo", &(2000 + 40 * white).to_string()),
                ("BlackElo", &(2000 + 40 * black).to_string()),
                ("ECO", ["A00", "B12"][white % 2]),
                ("PlyCount", "6"),
            ]);
            game.lines =
                vec![Line { branch: None, moves: moves(&[white as u8 % 2, 3, 1, 4, 1, 5]) }];
            games.push(game);
        }
    }
    games
}

#[test]
fn a_tournament_costs_little() {
    let games = tournament(100);
    let bytes = round_trip(&games);
    assert!(bytes < 3 * games.len(), "{bytes} bytes for {} games", games.len());
}

#[test]
fn a_single_game_costs_little_more_than_what_nobody_can_know() {
    let mut server = game(&[
        ("Event", "Rated Blitz game"),
        ("Site", "https://lichess.org/q7YbT0Xk"),
        ("Date", "2024.02.17"),
        ("Round", "-"),
        ("White", "hikingfan77"),
        ("Black", "Marek1984"),
        ("Result", "0-1"),
        ("UTCDate", "2024.02.17"),
        ("UTCTime", "19:24:11"),
        ("WhiteElo", "1624"),
        ("BlackElo", "1655"),
        ("WhiteRatingDiff", "-5"),
        ("BlackRatingDiff", "+5"),
        ("ECO", "B01"),
        ("Opening", "Scandinavian Defense"),
        ("TimeControl", "180+2"),
        ("Termination", "Normal"),
    ]);
    let mut position = Chess::default();
    let moves: Vec<Move> = ["e4", "d5"]
        .map(|san| {
            let played = san.parse::<San>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(played);
            played
        })
        .into();
    server.lines = vec![Line { branch: None, moves }];
    // 6 bytes of the address, some 14 of the names, 3 of the ratings, 4 of the time.
    let bytes = round_trip(&[server]);
    assert!(bytes < 50, "{bytes} bytes");
    // The usual tags of a game of which nothing is known.
    let names = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
    let values = ["?", "?", "????.??.??", "?", "?", "?", "*"];
    let pairs: Vec<(&str, &str)> = names.into_iter().zip(values).collect();
    let bytes = round_trip(&[game(&pairs)]);
    assert!(bytes < 14, "{bytes} bytes");
}

#[test]
fn random_identifiers_cost_what_they_hold() {
    let games: Vec<Game> = (0u64..500)
        .map(|i| {
            let mut seed = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ i << 13;
            let id: String = (0..8)
                .map(|_| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1 << 20 | 7);
                    char::from(BASE62[(seed >> 40) as usize % 62])
                })
                .collect();
            game(&[("Site", &format!("https://lichess.org/{id}"))])
        })
        .collect();
    assert!(round_trip(&games) < 500 * 6 + 60);
}

#[test]
fn odd_values_come_back() {
    let long = "x".repeat(3000);
    let odd = [
        "",
        " ",
        "-",
        "?",
        "1-0",
        "1/2",
        "2742",
        "02742",
        "+5",
        "-0",
        "2023.13.01",
        "2023.02.31",
        "24:00:00",
        "23:59:59",
        "10.3",
        "10.03",
        "1.2.3.4",
        ".",
        "999999999.1",
        "9999999999",
        "https://lichess.org/ENPo6ReH",
        "/ENPo6ReH",
        "ENPo6ReH",
        "a/b",
        "\u{e9}\u{0}\u{1}",
        &long,
    ];
    let names = [
        "Event",
        "Site",
        "Date",
        "Round",
        "White",
        "Black",
        "Result",
        "WhiteElo",
        "BlackElo",
        "WhiteRatingDiff",
        "BlackTitle",
        "UTCTime",
        "ECO",
        "Opening",
        "PlyCount",
        "",
        "Link",
        "White",
        "Event",
    ];
    for shift in 0..names.len() {
        let games: Vec<Game> = odd
            .iter()
            .enumerate()
            .map(|(i, _)| {
                let tags: Vec<(&str, &str)> = names
                    .iter()
                    .enumerate()
                    .map(|(n, &name)| (name, odd[(i * (shift + 1) + n) % odd.len()]))
                    .collect();
                game(&tags)
            })
            .collect();
        round_trip(&games);
    }
}

#[test]
fn limits_hold() {
    let games = tournament(3);
    let (early, late) =
        (encode_early(&games, &[], &Interrupt::default()).unwrap(), encode_late(&games).unwrap());
    let mut back = vec![Game::default(); games.len()];
    assert!(matches!(
        decode_early(early.as_slices(), &mut back, &[], 100, u64::MAX),
        Err(Error::Limit(_))
    ));
    let mut back = games;
    assert!(matches!(decode_late(&late, &mut back, 4), Err(Error::Limit(_))));
}

#[test]
fn damaged_tags_are_to_blame_or_stay_within_the_limit() {
    let games = tournament(8);
    let (early, late) =
        (encode_early(&games, &[], &Interrupt::default()).unwrap(), encode_late(&games).unwrap());
    const LIMIT: usize = 3_000;
    let check = |decoded: Result<()>, games: &[Game]| match decoded {
        Ok(()) => {
            let tags = games.iter().flat_map(|game| &game.tags);
            let bytes: usize = tags.map(|tag| tag.name.len() + tag.value.len() + 1).sum();
            assert!(bytes <= LIMIT, "{bytes}");
        }
        Err(error) => assert!(matches!(error, Error::Damaged(_) | Error::Limit(_)), "{error:?}"),
    };
    let decode = |early: &EarlyTags<Vec<u8>>, games| {
        let mut back = vec![Game::default(); games];
        check(decode_early(early.as_slices(), &mut back, &[], LIMIT, u64::MAX), &back);
    };
    for at in (0..early.tags.len()).step_by(3) {
        let mut damaged = early.clone();
        damaged.tags[at] ^= 0x55;
        decode(&damaged, games.len());
        damaged.tags.truncate(at);
        decode(&damaged, 40);
    }
    for at in 0..early.new_players.len() {
        let mut damaged = early.clone();
        damaged.new_players[at] ^= 0x55;
        decode(&damaged, games.len());
        damaged.new_players.truncate(at);
        decode(&damaged, games.len());
    }
    for at in 0..late.len() {
        let mut damaged = late.clone();
        damaged[at] ^= 0x55;
        let mut back = games.clone();
        let decoded = decode_late(&damaged, &mut back, LIMIT);
        if let Err(error) = decoded {
            assert!(matches!(error, Error::Damaged(_) | Error::Limit(_)), "{error:?}");
        }
    }
}

/// Games with so many names that a thread of its own decodes them.
fn games_of_new_players() -> Vec<Game> {
    (0..2000)
        .map(|n: u32| game(&[("White", &format!("{}, {n}", n * 7919 % 4001)), ("Black", "Same")]))
        .collect()
}

#[test]
fn a_thread_with_names_that_nobody_takes_comes_to_its_end() {
    let games = games_of_new_players();
    let early = encode_early(&games, &[], &Interrupt::default()).unwrap();
    assert!(early.new_players.len() > LONG, "{}", early.new_players.len());
    let decode = |early: &EarlyTags<Vec<u8>>, games: usize, limit| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let mut back = vec![Game::default(); games];
        pool.install(|| decode_early(early.as_slices(), &mut back, &[], limit, u64::MAX))
            .map(|()| back)
    };
    assert!(decode(&early, games.len(), 1 << 20).unwrap() == games);
    // Fewer games than names, no room, other tags, names that end early.
    assert!(matches!(decode(&early, 700, 1 << 20), Err(Error::Damaged(_))));
    assert!(matches!(decode(&early, games.len(), 5000), Err(Error::Limit(_))));
    let mut damaged = early.clone();
    damaged.tags.iter_mut().for_each(|byte| *byte ^= 0x55);
    assert!(decode(&damaged, games.len(), 1 << 20).is_err());
    damaged = early.clone();
    damaged.new_players.truncate(LONG + 200);
    assert!(decode(&damaged, games.len(), 1 << 20).is_err());
}

#[test]
fn decoding_may_end_before_the_last_game() {
    let games = games_of_new_players();
    let early = encode_early(&games, &[], &Interrupt::default()).unwrap();
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for end in [0, 1, 700, 1999, 2000, 2001] {
            let mut back = vec![Game::default(); games.len()];
            let decoded = pool
                .install(|| decode_early(early.as_slices(), &mut back, &[], 1 << 20, end as u64));
            decoded.unwrap();
            let known = end.min(games.len());
            assert!(back[..known] == games[..known], "{threads} threads, {end}");
            assert!(back[known..].iter().all(|game| game.tags.is_empty()));
        }
    }
}

fn names() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        3 => prop::sample::select(vec![
            "Event", "Site", "Date", "UTCDate", "Round", "White", "Black", "Result", "WhiteElo",
            "BlackElo", "WhiteRatingDiff", "BlackRatingDiff", "WhiteTitle", "BlackFideId", "ECO",
            "Opening", "Variation", "PlyCount", "UTCTime", "TimeControl", "Variant", "FEN",
        ]).prop_map(|name| name.as_bytes().to_vec()),
        1 => vec(any::<u8>(), 0..12),
    ]
}

fn values() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        vec(any::<u8>(), 0..12),
        vec(any::<u8>(), 0..300),
        prop::sample::select(vec![
            "1-0",
            "0-1",
            "*",
            "2024.01.01",
            "00:00:00",
            "2000",
            "+3",
            "1.1"
        ])
        .prop_map(|value| value.as_bytes().to_vec()),
    ]
}

fn games() -> impl Strategy<Value = Vec<Game>> {
    let tag = (names(), values()).prop_map(|(name, value)| Tag { name, value });
    let game = (vec(tag, 0..14), vec(any::<u8>(), 0..12)).prop_map(|(tags, choices)| Game {
        tags,
        lines: vec![Line { branch: None, moves: moves(&choices) }],
        tokens: Vec::new(),
    });
    vec(game, 0..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_tags_come_back(games in games()) {
        round_trip(&games);
    }

    #[test]
    fn garbage_never_panics(bytes in vec(any::<u8>(), 0..300)) {
        let mut games = vec![Game::default(); 20];
        let (tags, new_players) = bytes.split_at(bytes.len() / 2);
        let _ = decode_early(EarlyTags { tags, new_players }, &mut games, &[], 5000, u64::MAX);
        let _ = decode_late(&bytes, &mut games, 5000);
    }
}
