//! Some of the games of a PGN file.

use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};
use plyzip::pgn::{self, Game};
use plyzip::shakmaty::ByColor;
use plyzip::unstable::streams::moves::LineJob;
use plyzip::{GameContext, Player};

/// A PGN file, and where each of its games starts; the last number is the file's end.
pub struct PgnGames {
    bytes: Vec<u8>,
    starts: Vec<usize>,
}

impl PgnGames {
    /// The file at `path`.
    pub fn read(path: &Path) -> anyhow::Result<PgnGames> {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let starts: Vec<usize> = pgn::game_starts(&bytes).chain([bytes.len()]).collect();
        ensure!(starts.len() > 1, "{} has no games", path.display());
        Ok(PgnGames { bytes, starts })
    }

    /// Number of games.
    pub fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// `count` games after the first `skip`, or as many as there are.
    pub fn range(&self, skip: usize, count: usize) -> impl Iterator<Item = Game> {
        self.windows(skip, count).flat_map(|window| self.parse(window))
    }

    /// Of `count` games after the first `skip` every `every`-th.
    pub fn every(&self, skip: usize, count: usize, every: usize) -> impl Iterator<Item = Game> {
        self.windows(skip, count).step_by(every.max(1)).flat_map(|window| self.parse(window))
    }

    fn windows(&self, skip: usize, count: usize) -> impl Iterator<Item = &[usize]> {
        self.starts.windows(2).skip(skip).take(count)
    }

    fn parse(&self, window: &[usize]) -> impl Iterator<Item = Game> {
        pgn::parse(&self.bytes[window[0]..window[1]]).into_games()
    }
}

/// The first line of a game, to be coded, with the players of its tags; `None` if there is none, or if it starts from no
/// position.
pub fn job(mut game: Game) -> Option<LineJob> {
    let player = |tag| Player::named(game.tag(tag).unwrap_or_default());
    let players = ByColor { white: player("White"), black: player("Black") };
    let moves = std::mem::take(&mut game.lines.first_mut()?.moves);
    Some(LineJob::new(game.start()?, GameContext::from_tags(&game), players, moves))
}
