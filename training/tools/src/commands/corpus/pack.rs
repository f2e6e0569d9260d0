//! `pack`: PGN to packed games.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use plyzip::GameContext;
use plyzip::pgn::Token;
use shakmaty::Chess;

use super::context::places;
use crate::commands::pgn_games::PgnGames;
use crate::packed::Game;

/// Pack games of a PGN file: ratings, result, year, pace and one byte a ply
///
/// Games without moves and games that do not start from the usual position are left out.
#[derive(Args)]
#[command(after_help = "\
OUT has for each game: ratings of White and Black (u16 each, 0: unknown), result
(u8: 0 unknown, 1 White won, 2 Black won, 3 drawn), whether moves are missing at
its end (u8), year (u16, 0: unknown), twice the pace and 1 more if it was played
online (u8), plies (u16), and for each ply the move's place in the canonical order
(u8).")]
pub struct Arguments {
    /// Games in PGN, in order of date
    games: PathBuf,
    /// The packed games
    out: PathBuf,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let games = PgnGames::read(&arguments.games)?;
    let mut out = BufWriter::new(File::create(&arguments.out)?);
    let (mut count, mut plies) = (0, 0);
    for game in games.range(0, usize::MAX) {
        let (Some(line), Some(position)) = (game.lines.first(), game.start()) else { continue };
        if line.moves.is_empty() || position != Chess::default() {
            continue;
        }
        let cut = game.tokens.iter().any(|token| matches!(token, Token::Text(_)));
        let mut moves = places(&line.moves)?;
        moves.truncate(u16::MAX.into());
        Game::new(&GameContext::from_tags(&game), cut, &moves).write(&mut out)?;
        count += 1;
        plies += line.moves.len();
    }
    eprintln!("{count} games, {plies} plies");
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use shakmaty::Position;

    use super::{Arguments, run};
    use crate::packed;

    #[test]
    fn packed_games_are_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let [games, out] = ["games.pgn", "packed"].map(|name| folder.path().join(name));
        let pgn = "[WhiteElo \"2500\"]\n[Date \"1999.12.31\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\
            [FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n[SetUp \"1\"]\n\n1. O-O *\n\n\
            [Result \"1/2-1/2\"]\n\n1. e4 1/2-1/2\n";
        fs::write(&games, pgn).unwrap();
        run(&Arguments { games, out: out.clone() }).unwrap();
        let packed = packed::read(&out).unwrap();
        let found = packed::games(&packed).unwrap();
        assert_eq!(found.len(), 2, "the game from another position is left out");
        assert_eq!((found[0].elo, found[0].result, found[0].year), ([2500, 0], 2, 1999));
        assert_eq!((found[0].half_points(), found[1].half_points()), (Some(0), Some(1)));
        let mut position = shakmaty::Chess::default();
        for &place in found[0].moves {
            position.play_unchecked(
                plyzip::unstable::chess::legal_moves(&position)[usize::from(place)],
            );
        }
        assert!(position.is_checkmate());
        assert_eq!(found.iter().map(packed::Game::size).sum::<usize>(), packed.len());
    }
}
