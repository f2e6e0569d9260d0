//! `board-outputs`: what a board network says of every position of some games.

use std::io::{BufWriter, Write, stdout};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use plyzip::GameContext;
use plyzip::unstable::board_network::{BoardNetwork, View};
use plyzip::unstable::chess::{History, legal_moves};

use crate::commands::pgn_games::PgnGames;

/// Print what a board network says of every position of some games
///
/// A line for each position, of integers in units of 2^-16 nat: the logits of the legal moves in canonical order, of moves
/// that people play and then of those that the teacher plays; the game's end; won, drawn, lost. The groups are parted by
/// `|`.
#[derive(Args)]
pub struct Arguments {
    /// The network's file
    network: PathBuf,
    /// Games in PGN
    games: PathBuf,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let path = &arguments.network;
    let file = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let network = BoardNetwork::from_bytes(&file)?;
    let mut out = BufWriter::new(stdout().lock());
    for game in PgnGames::read(&arguments.games)?.range(0, usize::MAX) {
        let (Some(line), Some(start)) = (game.lines.first(), game.start()) else { continue };
        let context = GameContext::from_tags(&game);
        let mut history = History::new(start);
        let view =
            |history: &History| View::new(history, &context, &legal_moves(history.position()));
        let mut views = vec![view(&history)];
        for &played in &line.moves {
            history.play(played);
            views.push(view(&history));
        }
        for outputs in network.evaluate(&views.iter().collect::<Vec<_>>()) {
            let text =
                |numbers: &[i32]| numbers.iter().map(i32::to_string).collect::<Vec<_>>().join(" ");
            let groups = [&outputs.played[..], &outputs.taught, &[outputs.end], &outputs.value];
            writeln!(out, "{}", groups.map(text).join("|"))?;
        }
    }
    Ok(out.flush()?)
}
