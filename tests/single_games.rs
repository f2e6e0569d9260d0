//! Single games: they come back, and bytes that are not those of the game are refused.

use std::num::NonZeroU16;

use plyzip::pgn::Outcome;
use plyzip::{Error, GameCodec, GameContext, GameHeader, MAX_MOVES, Model, Pace, Player};
use shakmaty::fen::Fen;
use shakmaty::{ByColor, CastlingMode, Chess, Move, Position as _};

#[path = "games/mod.rs"]
mod games;

use games::{Random, position, random_game, starts};

fn random_header(start: &Chess, random: &mut Random) -> GameHeader {
    let results = [
        None,
        Some(Outcome::White),
        Some(Outcome::Black),
        Some(Outcome::Draw),
        Some(Outcome::Unknown),
    ];
    let names: [&[u8]; 4] = [b"", b"Morphy, Paul", b"Anderssen, Adolf", b"?"];
    let mut number = |most: usize| NonZeroU16::new(random.below(most) as u16);
    let context = GameContext::new()
        .elo(ByColor { white: number(3000), black: number(3000) })
        .year(number(2100))
        .result(results[random.below(5)])
        .pace(Pace::ALL[random.below(5)])
        .online(random.one_in(2));
    let mut player = || Player::named(names[random.below(4)]);
    let players = ByColor { white: player(), black: player() };
    GameHeader::new().start(start.clone()).context(context).players(players)
}

/// Headers, moves and bytes of random games.
fn encoded(
    codec: &GameCodec,
    rounds: usize,
    random: &mut Random,
) -> Vec<(GameHeader, Vec<Move>, Vec<u8>)> {
    let mut games = vec![];
    for _ in 0..rounds {
        for start in starts() {
            let longest = [0, 1, 2, 60][random.below(4)];
            let moves = random_game(&start, longest, random);
            let header = random_header(&start, random);
            let bytes = codec.encode(&header, &moves).unwrap();
            games.push((header, moves, bytes));
        }
    }
    games
}

#[test]
fn games_come_back() {
    let mut random = Random(1);
    for (model, rounds) in [(Model::none(), 12), (Model::embedded().unwrap(), 2)] {
        let codec = GameCodec::new(model);
        for (header, moves, bytes) in encoded(&codec, rounds, &mut random) {
            assert_eq!(codec.decode(&header, &bytes).unwrap(), moves);
        }
    }
}

#[test]
fn a_flipped_bit_is_noticed() {
    let codec = GameCodec::new(Model::none());
    let (mut flips, mut wrong) = (0, 0);
    for (header, moves, bytes) in encoded(&codec, 2, &mut Random(2)) {
        for bit in 0..8 * bytes.len() {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            flips += 1;
            wrong += usize::from(codec.decode(&header, &damaged).is_ok_and(|read| read != moves));
        }
    }
    // By chance 1 of some 5,700, and that only where the code ends with the last byte.
    assert!(flips > 3000 && wrong * 4000 < flips, "{wrong} of {flips}");
}

#[test]
fn bytes_that_are_cut_or_go_on_are_refused() {
    let codec = GameCodec::new(Model::none());
    let (mut damages, mut taken) = (0, 0);
    for (header, moves, bytes) in encoded(&codec, 4, &mut Random(3)) {
        for length in 0..bytes.len() {
            damages += 1;
            taken += usize::from(codec.decode(&header, &bytes[..length]).is_ok());
        }
        for more in [0, 1, 255] {
            let longer = [&bytes[..], &[more]].concat();
            let read = codec.decode(&header, &longer);
            damages += 1;
            assert!(!read.as_ref().is_ok_and(|read| *read == moves));
            taken += usize::from(read.is_ok());
        }
    }
    assert!(damages > 900 && taken * 900 < damages, "{taken} of {damages}");
}

#[test]
fn garbage_is_refused() {
    let codecs = [Model::none(), Model::embedded().unwrap()].map(GameCodec::new);
    let mut random = Random(4);
    let header = GameHeader::default();
    for round in 0..4000 {
        let mut bytes: Vec<u8> = (0..random.below(60)).map(|_| random.below(256) as u8).collect();
        let network = usize::from(round % 20 == 0);
        if let Some(first) = bytes.first_mut()
            && random.one_in(2)
        {
            *first = [0x10, 0x11][network];
        }
        assert!(codecs[network].decode(&header, &bytes).is_err(), "{bytes:?}");
    }
    assert!(matches!(codecs[0].decode(&header, &[]), Err(Error::Damaged(_))));
}

#[test]
fn reserved_first_bytes_are_refused() {
    let codec = GameCodec::new(Model::none());
    let header = GameHeader::default();
    let mut bytes = codec.encode(&header, &[]).unwrap();
    for first in 0..=255 {
        bytes[0] = first;
        let read = codec.decode(&header, &bytes);
        let expected = match first {
            0x10 => read.is_ok(),
            0x11 | 0x12 => matches!(read, Err(Error::Model(_))),
            _ => matches!(read, Err(Error::Unsupported(_))),
        };
        assert!(expected, "{first:#x} {read:?}");
    }
}

/// A number that is another one, or is known now.
fn other_number(number: Option<NonZeroU16>) -> Option<NonZeroU16> {
    NonZeroU16::new(number.map_or(0, NonZeroU16::get) + 1)
}

/// A header that differs in one thing.
fn other_header(header: &GameHeader, thing: usize) -> GameHeader {
    let mut other = header.clone();
    let GameHeader { start, context, players, .. } = &mut other;
    match thing {
        0 => context.elo.white = other_number(context.elo.white),
        1 => context.elo.black = other_number(context.elo.black),
        2 => {
            let white = context.result == Some(Outcome::White);
            context.result = Some(if white { Outcome::Draw } else { Outcome::White });
        }
        3 => context.year = other_number(context.year),
        4 => {
            let is_blitz = context.pace == Some(Pace::Blitz);
            context.pace = Some(if is_blitz { Pace::Rapid } else { Pace::Blitz });
        }
        5 => context.online ^= true,
        6 => players.white = Player::named(b"Somebody, E"),
        7 => players.black = Player::named(b"Somebody, E"),
        // one more ply without a capture
        _ => {
            let fen = Fen::from_position(start, shakmaty::EnPassantMode::Legal).to_string();
            let mode = if start.castles().mode().is_chess960() {
                CastlingMode::Chess960
            } else {
                CastlingMode::Standard
            };
            let halfmoves = format!(" {} ", 1 + start.halfmoves());
            let fields: Vec<&str> = fen.rsplitn(3, ' ').collect();
            *start = position(&[fields[2], &halfmoves, fields[0]].concat(), mode);
        }
    }
    other
}

#[test]
fn another_header_is_refused() {
    let codec = GameCodec::new(Model::none());
    let (mut headers, mut taken, mut wrong) = (0, 0, 0);
    for (header, moves, bytes) in encoded(&codec, 8, &mut Random(5)) {
        for thing in 0..9 {
            headers += 1;
            if let Ok(read) = codec.decode(&other_header(&header, thing), &bytes) {
                taken += 1;
                wrong += usize::from(read != moves);
            }
        }
    }
    // Most of these change no probability: the check alone tells.
    assert!(headers > 1000 && taken * 1000 < headers && wrong == 0, "{taken} {wrong} of {headers}");
}

#[test]
fn spellings_of_a_name_are_as_good_as_each_other() {
    let codec = GameCodec::new(Model::none());
    let moves = random_game(&Chess::default(), 30, &mut Random(6));
    let header = |name: &[u8]| {
        GameHeader::new()
            .players(ByColor { white: Player::named(name), black: Player::named(b"Anderssen, A") })
    };
    let bytes = codec.encode(&header(b"Morphy, Paul"), &moves).unwrap();
    assert_eq!(codec.decode(&header(b"Paul Morphy"), &bytes).unwrap(), moves);
    assert!(codec.decode(&header(b"Morphy, X"), &bytes).is_err());
}

#[test]
fn another_class_of_model_is_refused() {
    let codecs = [Model::none(), Model::embedded().unwrap()].map(GameCodec::new);
    for (own, other) in [(0, 1), (1, 0)] {
        for (header, _, bytes) in encoded(&codecs[own], 1, &mut Random(7)) {
            assert!(matches!(codecs[other].decode(&header, &bytes), Err(Error::Model(_))));
        }
    }
}

#[test]
fn a_batch_is_its_games_on_any_number_of_threads() {
    for (model, rounds) in [(Model::none(), 12), (Model::embedded().unwrap(), 1)] {
        let codec = GameCodec::new(model);
        let games = encoded(&codec, rounds, &mut Random(8));
        let unread: Vec<_> =
            games.iter().map(|(header, moves, _)| (header.clone(), moves.clone())).collect();
        let mut read: Vec<_> =
            games.iter().map(|(header, _, bytes)| (header.clone(), bytes.clone())).collect();
        read[3].1[0] = 0xff;
        for threads in [1, 2, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let written = pool.install(|| codec.encode_batch(&unread));
            let moves = pool.install(|| codec.decode_batch(&read));
            for (place, game) in games.iter().enumerate() {
                assert_eq!(written[place].as_ref().unwrap(), &game.2);
                assert_eq!(moves[place].as_ref().ok(), (place != 3).then_some(&game.1));
            }
        }
    }
}

#[test]
fn too_many_moves_and_illegal_ones_are_refused() {
    let codec = GameCodec::new(Model::none());
    let start = games::forced();
    let header = GameHeader::new().start(start.clone());
    let mut moves = random_game(&start, MAX_MOVES, &mut Random(9));
    assert_eq!(moves.len(), MAX_MOVES);
    let bytes = codec.encode(&header, &moves).unwrap();
    assert_eq!(codec.decode(&header, &bytes).unwrap(), moves);
    moves.push(moves[0]);
    assert!(matches!(codec.encode(&header, &moves), Err(Error::Usage(_))));
    let illegal = [moves[0], moves[0]];
    assert!(matches!(codec.encode(&header, &illegal), Err(Error::Usage(_))));
}

/// The figures of docs/single-games.md, of the games in the file that `PLYZIP_GAMES` names.
#[test]
#[ignore = "takes minutes and a file of games"]
fn figures() {
    let path = std::env::var_os("PLYZIP_GAMES").expect("PLYZIP_GAMES names a PGN");
    let document = plyzip::pgn::parse(&std::fs::read(path).unwrap());
    let headers = document.items.iter().filter_map(|item| {
        let game = item.game()?;
        Some((GameHeader::from_tags(game)?, game.lines.first()?.moves.clone()))
    });
    let games: Vec<(GameHeader, Vec<Move>)> = headers.collect();
    let codec = GameCodec::new(Model::none());
    let size = |games: &[(GameHeader, Vec<Move>)]| -> usize {
        codec.encode_batch(games).into_iter().map(|bytes| bytes.unwrap().len()).sum()
    };
    let unknown: Vec<_> = games
        .iter()
        .map(|(header, moves)| (GameHeader::new().start(header.start.clone()), moves.clone()))
        .collect();
    println!("{} games: {} bytes, without tags {}", games.len(), size(&games), size(&unknown));
    let bytes: Vec<Vec<u8>> = codec.encode_batch(&games).into_iter().map(Result::unwrap).collect();
    let mut others = vec![];
    let mut flipped = vec![];
    for (place, ((header, _), bytes)) in games.iter().zip(&bytes).enumerate() {
        for thing in 0..8 {
            others.push((other_header(header, thing), bytes.clone()));
        }
        for bit in (0..8 * bytes.len()).filter(|_| place < 100) {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            flipped.push((header.clone(), damaged));
        }
    }
    for (what, games) in [("other headers", others), ("flipped bits", flipped)] {
        let taken = codec.decode_batch(&games).iter().filter(|read| read.is_ok()).count();
        println!("{} {what}, {taken} let through", games.len());
    }
}
