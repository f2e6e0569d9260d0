//! Single games.

use std::num::NonZeroU16;
use std::sync::LazyLock;

use arbitrary::Unstructured;
use plyzip::pgn::Outcome;
use plyzip::shakmaty::ByColor;
use plyzip::{GameCodec, GameContext, GameHeader, Model, Pace, Player};

use super::script;

/// The bit of the first byte by which the rest are choices, and not a game's bytes.
pub const SCRIPT: u8 = 0x80;

/// Any bytes are a game or an error, and a game has exactly these bytes. A game comes back; from damaged bytes and
/// with another header comes an error, or a game that has these bytes.
pub fn single_games(data: &[u8]) {
    static CODEC: LazyLock<GameCodec> = LazyLock::new(|| GameCodec::new(Model::none()));
    let Some((&mode, rest)) = data.split_first() else { return };
    let read = |header: &GameHeader, bytes: &[u8]| {
        if let Ok(moves) = CODEC.decode(header, bytes) {
            assert_eq!(CODEC.encode(header, &moves).unwrap(), bytes);
        }
    };
    if mode & SCRIPT == 0 {
        return read(&GameHeader::default(), rest);
    }
    let mut choices = Unstructured::new(rest);
    let mut below = |bound: u16| choices.int_in_range(0..=bound - 1).unwrap();
    let results = [None, Some(Outcome::White), Some(Outcome::Black), Some(Outcome::Draw)];
    let context = GameContext::new()
        .elo(ByColor { white: NonZeroU16::new(below(4000)), black: NonZeroU16::new(below(4000)) })
        .result(results[usize::from(below(4))])
        .year(NonZeroU16::new(below(3000)))
        .pace(Pace::ALL[usize::from(below(5))])
        .online(below(2) == 1);
    let names: [&[u8]; 4] = [b"", b"Morphy, Paul", b"Anderssen, Adolf", b"?"];
    let mut player = || Player::named(names[usize::from(below(4))]);
    let players = ByColor { white: player(), black: player() };
    let (place, change) = (usize::from(below(512)), 1 << below(8));
    let start = script::start(&mut choices);
    let other = GameHeader::new().start(start).context(context).players(players);
    let moves = script::moves(&mut choices, &other.start, 300);
    let mut bytes = CODEC.encode(&other, &moves).unwrap();
    assert_eq!(CODEC.decode(&other, &bytes).unwrap(), moves);
    read(&GameHeader::default(), &bytes);
    let place = place % bytes.len();
    bytes[place] ^= change;
    read(&other, &bytes);
    bytes.truncate(place);
    read(&other, &bytes);
}
