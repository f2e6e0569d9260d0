//! `nnue-label`: positions such as the search meets, with the teacher's evaluation.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;
use plyzip::unstable::chess::{legal_moves, loses_more_than};
use plyzip::unstable::engine::Searcher;
use shakmaty::{Chess, Move, Position};

use super::record::{self, NO_RESULT};
use super::searcher::searcher;
use super::teacher::{Accumulator, Teacher};
use crate::commands::random::Xorshift;
use crate::packed;

/// Label positions of games and of lines that leave them with the evaluation of a stronger engine's network
///
/// From some positions of each game, lines of a few moves are played that resemble those of a search: captures that lose
/// nothing, quiet moves, some random ones. Each position that is not in check is labelled. With --searcher, the positions
/// are those that searches evaluate instead of lines. With the same arguments the output is the same. May be stopped at
/// any time: what was written by then serves as well.
#[derive(Args)]
pub struct Arguments {
    /// The teacher's weights (docs/experiments/057)
    teacher: PathBuf,
    /// Games that `pack` packed
    packed: PathBuf,
    /// Of the choice of games, positions and moves
    seed: u64,
    /// Labels to make, at least
    count: u64,
    /// The labelled positions, 28 bytes each
    out: PathBuf,
    /// The first game to take positions from
    #[arg(long, default_value_t = 0)]
    from_game: usize,
    /// The game to stop before; the number of games if it is not given
    #[arg(long)]
    to_game: Option<usize>,
    /// The network of the searches whose evaluated positions are labelled: numbers (i16) as nnue-train writes them
    #[arg(long)]
    searcher: Option<PathBuf>,
    /// Positions that each of the searches visits
    #[arg(long, default_value_t = 400)]
    nodes: u64,
}

/// Plies before which positions are not taken, and of how many after them one is.
const FIRST_PLY: usize = 4;
const TAKEN: u64 = 5;

/// Lines from each position, and moves of each at most.
const LINES: u64 = 2;
const LONGEST_LINE: u64 = 6;

/// Of how many positions that a search evaluates one is labelled.
const SEARCHED_TAKEN: u64 = 16;

/// Centipawns: the largest magnitude of a label. Beyond, nothing but the winner matters.
const MAX_VALUE: i32 = 4_000;

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let teacher = Teacher::read(&arguments.teacher)?;
    let bytes = packed::read(&arguments.packed)?;
    let games = packed::games(&bytes)?;
    let to_game = arguments.to_game.unwrap_or(games.len()).min(games.len());
    ensure!(
        arguments.from_game < to_game,
        "there are no games from {} to {to_game}",
        arguments.from_game
    );
    let games = &games[arguments.from_game..to_game];
    let searcher = arguments.searcher.as_deref().map(searcher).transpose()?;
    let mut labels = Labels {
        teacher: &teacher,
        searcher,
        nodes: arguments.nodes,
        out: BufWriter::with_capacity(1 << 20, File::create(&arguments.out)?),
        random: Xorshift::new(arguments.seed),
        made: 0,
    };
    while labels.made < arguments.count {
        let game = &games[labels.random.below(games.len() as u64) as usize];
        labels.of_game(game)?;
    }
    Ok(labels.out.flush()?)
}

struct Labels<'a> {
    teacher: &'a Teacher,
    searcher: Option<Searcher>,
    nodes: u64,
    out: BufWriter<File>,
    random: Xorshift,
    made: u64,
}

impl Labels<'_> {
    fn of_game(&mut self, game: &packed::Game) -> anyhow::Result<()> {
        let mut position = Chess::default();
        let mut accumulator = self.teacher.accumulator(position.board());
        for (ply, &place) in game.moves.iter().enumerate() {
            if ply >= FIRST_PLY && self.random.below(TAKEN) == 0 {
                let result = match (game.half_points(), position.turn().is_white()) {
                    (Some(points), true) => points,
                    (Some(points), false) => 2 - points,
                    (None, _) => NO_RESULT,
                };
                self.label(&position, &accumulator, result)?;
                if self.searcher.is_some() {
                    self.searched(&position)?;
                } else {
                    for _ in 0..LINES {
                        self.line(&position, &accumulator)?;
                    }
                }
            }
            let legal = legal_moves(&position);
            let Some(&played) = legal.get(usize::from(place)) else { break };
            (position, accumulator) = self.play(&position, &accumulator, played);
        }
        Ok(())
    }

    /// Labels positions that a search of `position` evaluates.
    fn searched(&mut self, position: &Chess) -> anyhow::Result<()> {
        let skipped = self.random.below(SEARCHED_TAKEN);
        let Some(searcher) = &mut self.searcher else { return Ok(()) };
        for evaluated in searcher.evaluated(position, self.nodes, SEARCHED_TAKEN, skipped) {
            let accumulator = self.teacher.accumulator(evaluated.board());
            self.label(&evaluated, &accumulator, NO_RESULT)?;
        }
        Ok(())
    }

    /// Labels the positions of a line that begins at `position`.
    fn line(&mut self, position: &Chess, accumulator: &Accumulator) -> anyhow::Result<()> {
        let (mut position, mut accumulator) = (position.clone(), accumulator.clone());
        for _ in 0..1 + self.random.below(LONGEST_LINE) {
            let Some(played) = self.choose(&position) else { break };
            (position, accumulator) = self.play(&position, &accumulator, played);
            self.label(&position, &accumulator, NO_RESULT)?;
        }
        Ok(())
    }

    /// A move as a search might try it: of four, one is a capture, one any move, two do not lose material.
    fn choose(&mut self, position: &Chess) -> Option<Move> {
        let legal = position.legal_moves();
        let kind = self.random.below(4);
        let kept: Vec<Move> = match kind {
            0 => legal
                .iter()
                .copied()
                .filter(|&m| m.is_capture() && !loses_more_than(position, m, 0))
                .collect(),
            1 => vec![],
            _ => legal.iter().copied().filter(|&m| !loses_more_than(position, m, 0)).collect(),
        };
        let from = if kept.is_empty() { legal.as_slice() } else { kept.as_slice() };
        (!from.is_empty()).then(|| from[self.random.below(from.len() as u64) as usize])
    }

    fn play(
        &self,
        position: &Chess,
        accumulator: &Accumulator,
        played: Move,
    ) -> (Chess, Accumulator) {
        let mut next = position.clone();
        next.play_unchecked(played);
        let accumulator = self.teacher.after(accumulator, position.turn(), played, &next);
        (next, accumulator)
    }

    /// Writes a position, unless its side to move is in check: there the search asks for no evaluation.
    fn label(
        &mut self,
        position: &Chess,
        accumulator: &Accumulator,
        result: u8,
    ) -> anyhow::Result<()> {
        if position.is_check() {
            return Ok(());
        }
        let value = self.teacher.centipawns(accumulator, position).clamp(-MAX_VALUE, MAX_VALUE);
        self.out.write_all(&record::pack(position, value as i16, result))?;
        self.made += 1;
        Ok(())
    }
}
