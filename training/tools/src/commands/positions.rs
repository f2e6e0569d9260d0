//! All positions of a game, prepared for the networks: they judge them at once, which takes them less time.

use plyzip::GameContext;
use plyzip::shakmaty::{Chess, Move};
use plyzip::unstable::chess::History;
use plyzip::unstable::predict::{Pipeline, Prepared};

/// The positions of a game from `start` on, the one after its last move among them, unless no move is legal there: the
/// game ends then, and nothing is asked.
pub fn prepared(
    pipeline: &Pipeline,
    context: &GameContext,
    start: Chess,
    moves: &[Move],
) -> Vec<Prepared> {
    let mut history = History::new(start);
    let mut prepared = vec![pipeline.prepare(&history, context)];
    for &played in moves {
        history.play(played);
        prepared.push(pipeline.prepare(&history, context));
    }
    if prepared.last().is_some_and(|last| last.legal.is_empty()) {
        prepared.pop();
    }
    prepared
}
