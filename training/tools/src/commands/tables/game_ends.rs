//! `game-ends`: where games end, `codec/tables/game_end.bin`.

use std::path::PathBuf;

use clap::Args;
use plyzip::pgn::Game;
use plyzip::shakmaty::ByColor;
use plyzip::unstable::entropy::Encoder;
use plyzip::unstable::predict::Predictor;
use plyzip::unstable::streams::moves::{EvidenceUse, LineJob, code};
use plyzip::{GameContext, Model};

use crate::commands::pgn_games::PgnGames;

/// Learn where games end: codec/tables/game_end.bin
///
/// Begins with what the program's own codec/tables/game_end.bin holds: empty that file and build anew to learn from nothing.
#[derive(Args)]
pub struct Arguments {
    /// PGN
    games: PathBuf,

    /// The file to write
    out: PathBuf,

    /// About so many games, evenly spread over the file
    #[arg(long, default_value_t = 4000)]
    count: usize,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let games = PgnGames::read(&arguments.games)?;
    let every = games.count() / arguments.count.max(1);
    let job = |game: Game| {
        let moves = game.lines.first()?.moves.clone();
        let context = GameContext::from_tags(&game);
        Some(LineJob::new(game.start()?, context, ByColor::default(), moves))
    };
    let mut jobs: Vec<LineJob> = games.every(0, usize::MAX, every.max(1)).filter_map(job).collect();
    let mut predictor = Predictor::new(&Model::none());
    code(&mut Encoder::new(), &mut predictor, &mut jobs, 0, None, EvidenceUse::Once)?;
    std::fs::write(&arguments.out, predictor.game_ends())?;
    Ok(())
}
