//! Single games.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use plyzip::pgn::{self, Game, tag_text};
use plyzip::{Error, GameHeader, Result};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Move, Position};

use crate::boundary::{bytes, text};
use crate::buffer::with;
use crate::bytes::BytesSlot;
use crate::error::call;
use crate::{plyzip_bytes, plyzip_error, plyzip_options, plyzip_status};

/// A tag of a game in PGN, as plyzip_archive_tag gives it: all tags of the game are found.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_game_tag(
    pgn: *const u8,
    pgn_size: usize,
    name: *const c_char,
    value: Option<&mut MaybeUninit<plyzip_bytes>>,
    error: Option<&mut MaybeUninit<Option<Box<plyzip_error>>>>,
) -> plyzip_status {
    call(error, || {
        let value = BytesSlot::new(value, "value")?;
        let game = parsed(bytes(pgn, pgn_size, "pgn")?);
        let name = text(name, "name")?.to_bytes();
        let tag = game.tags.iter().find(|tag| tag.name == name);
        tag.map_or(Ok(()), |tag| value.fill(tag_text(&tag.value).into_owned().into_bytes()))
    })
}

/// The moves of a game in PGN as UCI has them, with a space between two: "e2e4 e7e5". The first game counts, without
/// its variations, and without the moves behind the first one that is not legal.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_game_moves(
    pgn: *const u8,
    pgn_size: usize,
    moves: Option<&mut MaybeUninit<plyzip_bytes>>,
    error: Option<&mut MaybeUninit<Option<Box<plyzip_error>>>>,
) -> plyzip_status {
    call(error, || {
        let moves = BytesSlot::new(moves, "moves")?;
        let game = parsed(bytes(pgn, pgn_size, "pgn")?);
        let line = game.lines.first().map_or(&[][..], |line| &line.moves);
        let mode = game.start().map(|start| start.castles().mode());
        moves.fill(mode.map_or_else(Vec::new, |mode| spelled(line, mode)))
    })
}

/// Encodes the moves of one game in a few bytes, for a database of games: less dense than an archive, but each game
/// alone. `moves` are as plyzip_game_moves has them.
///
/// `tags` are PGN, and may be the whole game: players, ratings, date and so on make the moves more likely, and a game
/// that starts elsewhere needs FEN. NULL is none. Whoever decodes gives the same tags, and the same model in `options`.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_game_encode(
    tags: *const c_char,
    moves: *const c_char,
    options: Option<&plyzip_options>,
    data: Option<&mut MaybeUninit<plyzip_bytes>>,
    error: Option<&mut MaybeUninit<Option<Box<plyzip_error>>>>,
) -> plyzip_status {
    call(error, || {
        let data = BytesSlot::new(data, "data")?;
        let header = header(tags)?;
        let moves = legal(text(moves, "moves")?.to_bytes(), &header)?;
        data.fill(with(options, |options| {
            options.work.run(|| options.game_codec()?.encode(&header, &moves))
        })?)
    })
}

/// Decodes what plyzip_game_encode made of the moves of a game.
///
/// Bytes that are damaged, or come with other tags or another model, give an error, but for 1 in some 150,000, or in
/// some 5,700 if it is only tags that are wrong and say nothing about the moves.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_game_decode(
    tags: *const c_char,
    data: *const u8,
    data_size: usize,
    options: Option<&plyzip_options>,
    moves: Option<&mut MaybeUninit<plyzip_bytes>>,
    error: Option<&mut MaybeUninit<Option<Box<plyzip_error>>>>,
) -> plyzip_status {
    call(error, || {
        let slot = BytesSlot::new(moves, "moves")?;
        let data = bytes(data, data_size, "data")?;
        let header = header(tags)?;
        let moves = with(options, |options| {
            options.work.run(|| options.game_codec()?.decode(&header, data))
        })?;
        slot.fill(spelled(&moves, header.start.castles().mode()))
    })
}

/// The first game of these bytes. It is read alone, and so on this thread.
fn parsed(pgn: &[u8]) -> Game {
    let ends = pgn::game_starts(pgn).filter(|&start| start > 0).chain([pgn.len()]);
    let mut begin = 0;
    let mut games = ends.filter_map(|end| {
        let part = pgn.get(begin..end)?;
        begin = end;
        pgn::parse(part).into_games().next()
    });
    games.next().unwrap_or_default()
}

/// What these tags say.
fn header(tags: *const c_char) -> Result<GameHeader> {
    if tags.is_null() {
        return Ok(GameHeader::default());
    }
    let game = parsed(text(tags, "tags")?.to_bytes());
    let unknown =
        || Error::Usage("the tags FEN and Variant name no start that plyzip knows".into());
    GameHeader::from_tags(&game).ok_or_else(unknown)
}

/// The moves that these words are.
fn legal(words: &[u8], header: &GameHeader) -> Result<Vec<Move>> {
    let mut position = header.start.clone();
    let mut moves = vec![];
    let words = words.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    for (ply, word) in words.enumerate() {
        let next = UciMove::from_ascii(word).ok().and_then(|uci| uci.to_move(&position).ok());
        let illegal = || {
            let word = String::from_utf8_lossy(word);
            let word: String = word.chars().take(10).collect();
            Error::Usage(format!("ply {}: `{word}` is no legal move", ply + 1))
        };
        let next = next.ok_or_else(illegal)?;
        position.play_unchecked(next);
        moves.push(next);
    }
    Ok(moves)
}

/// Moves as UCI has them.
fn spelled(moves: &[Move], mode: CastlingMode) -> Vec<u8> {
    let words: Vec<String> = moves.iter().map(|played| played.to_uci(mode).to_string()).collect();
    words.join(" ").into_bytes()
}
