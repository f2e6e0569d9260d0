//! Moves: many lines coded in lockstep.
//!
//! Decoding goes ply by ply, but a network wants batches. So up to
//! [`WINDOW`] lines are under way at once, one ply of each per step; when a
//! line ends the next one takes its place. Within a step, what does not
//! depend on learning is prepared for all lines in parallel; then
//! the plies are coded one after the other, each learning from those before it.
//! This order is part of the format.

use rayon::prelude::*;
use shakmaty::{Chess, Move, Position};

use crate::entropy::Coder;
use crate::predict::{GameContext, History, PlayerKey, Predictor, Prepared};
use crate::{Error, Result};

/// Lines under way at once.
const WINDOW: usize = 256;

/// A line to be coded.
#[derive(Debug, Clone)]
pub struct LineJob {
    /// The game up to the line's first move.
    pub history: History,
    /// What is known of the game.
    pub context: GameContext,
    /// Keys of White's and Black's names.
    pub players: [PlayerKey; 2],
    /// Number of moves if it is known; if not, the line's end is coded.
    pub length: Option<usize>,
    /// The moves; when decoding, those decoded so far.
    pub moves: Vec<Move>,
}

impl LineJob {
    /// A game from `start`.
    pub fn new(
        start: Chess,
        context: GameContext,
        players: [PlayerKey; 2],
        moves: Vec<Move>,
    ) -> LineJob {
        LineJob { history: History::new(start), context, players, length: None, moves }
    }
}

/// A line under way.
struct Slot {
    job: usize,
    ply: usize,
    history: History,
}

/// Codes all moves of `jobs`: writes them, or appends what it reads.
///
/// # Errors
/// [`Error::Damaged`] if more than `limit` moves are read, or the input is otherwise not what
/// an encoder writes; [`Error::Model`] if the network fails.
pub fn code<C: Coder>(
    coder: &mut C,
    predictor: &mut Predictor,
    jobs: &mut [LineJob],
    limit: usize,
) -> Result<()> {
    let mut waiting = 0;
    let mut slots: Vec<Slot> = vec![];
    let mut read = 0;
    loop {
        while slots.len() < WINDOW && waiting < jobs.len() {
            if jobs[waiting].length != Some(0) {
                slots.push(Slot { job: waiting, ply: 0, history: jobs[waiting].history.clone() });
            }
            waiting += 1;
        }
        if slots.is_empty() {
            return Ok(());
        }
        let network = predictor.has_network();
        let prepared: Vec<Prepared> = slots
            .par_iter()
            .with_min_len(16)
            .map(|slot| Prepared::new(&slot.history, &jobs[slot.job].context, network))
            .collect();
        let judged: Vec<&Prepared> =
            prepared.iter().filter(|prepared| !prepared.legal.is_empty()).collect();
        let mut scores = predictor.score(&judged)?.into_iter();

        let mut played: Vec<Option<Move>> = Vec::with_capacity(slots.len());
        for (slot, prepared) in slots.iter().zip(&prepared) {
            let job = &mut jobs[slot.job];
            let scores = if prepared.legal.is_empty() { None } else { scores.next().flatten() };
            let next = job.moves.get(slot.ply).copied();
            let ended = match job.length {
                Some(_) => false, // a slot is given up after its last move
                None => predictor.code_end(
                    coder,
                    &slot.history,
                    &job.context,
                    prepared,
                    scores.as_ref(),
                    next.is_none(),
                )?,
            };
            if ended {
                played.push(None);
                continue;
            }
            if prepared.legal.is_empty() {
                return Err(Error::damaged("a line goes on where no move is legal"));
            }
            let turn = slot.history.position().turn();
            let place = match next {
                Some(next) => prepared.legal.iter().position(|&legal| legal == next),
                None => Some(0), // to be read
            };
            let place = place.ok_or_else(|| Error::Usage("a game with an illegal move".into()))?;
            let place = predictor.code_move(
                coder,
                &slot.history,
                job.players[usize::from(turn.is_black())],
                prepared,
                scores.as_ref(),
                place,
            )?;
            if C::DECODING {
                read += 1;
                if read > limit {
                    return Err(Error::damaged("more moves than announced"));
                }
                job.moves.push(prepared.legal[place]);
            }
            played.push(Some(prepared.legal[place]));
        }

        slots.par_iter_mut().zip(&played).with_min_len(16).for_each(|(slot, played)| {
            if let Some(played) = *played {
                slot.history.play(played);
                slot.ply += 1;
            }
        });
        let mut played = played.iter();
        slots.retain(|slot| {
            let ended = played.next().is_none_or(Option::is_none);
            !ended && jobs[slot.job].length != Some(slot.ply)
        });
    }
}
