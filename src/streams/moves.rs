//! Moves: many lines coded in lockstep.
//!
//! Decoding goes ply by ply, but a network wants batches. So up to
//! [`WINDOW`] lines are under way at once, one ply of each per step; when a
//! line ends the next one takes its place. In each step
//! the plies are coded one after the other, each learning from those before it.
//! This order is part of the format.
//!
//! What does not depend on learning is found beforehand, in parallel. One thread codes, so
//! the lines under way are two parts: while the plies of one are coded, the next ones of
//! the other are judged. Where the parts meet changes nothing that is coded.

use rayon::prelude::*;
use shakmaty::{Chess, Move, Position};

use crate::entropy::Coder;
use crate::predict::{GameContext, History, Judge, Judged, PlayerKey, Predictor, Prepared};
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
    context: GameContext,
}

/// Judges the next ply of each line.
fn judge(judge: &Judge, slots: &[Slot]) -> Result<Vec<Judged>> {
    let prepared: Vec<Prepared> = slots
        .par_iter()
        .with_min_len(16)
        .map(|slot| Prepared::new(&slot.history, &slot.context, judge.has_network()))
        .collect();
    let judged: Vec<&Prepared> =
        prepared.iter().filter(|prepared| !prepared.legal.is_empty()).collect();
    let mut scores = judge.score(&judged)?.into_iter();
    let mut judged: Vec<Judged> = prepared
        .into_iter()
        .map(|prepared| {
            let scores = if prepared.legal.is_empty() { None } else { scores.next().flatten() };
            Judged { prepared, scores, verdicts: None }
        })
        .collect();
    if judge.searches() {
        slots.par_iter().zip(&mut judged).for_each_init(
            || judge.searcher(),
            |searcher, (slot, judged)| {
                if let (Some(searcher), Some(scores)) = (searcher, &judged.scores) {
                    let Slot { history, context, .. } = slot;
                    judged.verdicts =
                        judge.deliberate(searcher, history, context, &judged.prepared, scores);
                }
            },
        );
    }
    Ok(judged)
}

/// The coding of plies, one after the other.
struct Turns<'a, C> {
    coder: &'a mut C,
    predictor: &'a mut Predictor,
    jobs: &'a mut [LineJob],
    /// Moves that may still be read.
    left: usize,
}

impl<C: Coder> Turns<'_, C> {
    /// Codes the next ply of each line and plays it; lines that have ended are dropped.
    fn code(&mut self, slots: &mut Vec<Slot>, judged: &[Judged]) -> Result<()> {
        let mut played: Vec<Option<Move>> = Vec::with_capacity(slots.len());
        for (slot, judged) in slots.iter().zip(judged) {
            played.push(self.code_ply(slot, judged)?);
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
            !ended && self.jobs[slot.job].length != Some(slot.ply)
        });
        Ok(())
    }

    /// Does what [`Turns::code`] does on this thread while other threads do `other`.
    fn code_beside<T: Send>(
        &mut self,
        slots: &mut Vec<Slot>,
        judged: &[Judged],
        other: impl FnOnce() -> Result<T> + Send,
    ) -> Result<T> {
        let mut result = None;
        rayon::in_place_scope(|scope| {
            scope.spawn(|_| result = Some(other()));
            self.code(slots, judged)
        })?;
        // The scope has waited for it.
        result.unwrap_or_else(|| Err(Error::Usage("a task was lost".into())))
    }

    /// The move played, if the line goes on.
    fn code_ply(&mut self, slot: &Slot, judged: &Judged) -> Result<Option<Move>> {
        let legal = &judged.prepared.legal;
        let job = &mut self.jobs[slot.job];
        let next = job.moves.get(slot.ply).copied();
        let ended = match job.length {
            Some(_) => false, // a slot is given up after its last move
            None => self.predictor.code_end(
                self.coder,
                &slot.history,
                &job.context,
                judged,
                next.is_none(),
            )?,
        };
        if ended {
            return Ok(None);
        }
        if legal.is_empty() {
            return Err(Error::damaged("a line goes on where no move is legal"));
        }
        let turn = slot.history.position().turn();
        let place = match next {
            Some(next) => legal.iter().position(|&legal| legal == next),
            None => Some(0), // to be read
        };
        let place = place.ok_or_else(|| Error::Usage("a game with an illegal move".into()))?;
        let place = self.predictor.code_move(
            self.coder,
            &slot.history,
            job.players[usize::from(turn.is_black())],
            judged,
            place,
        )?;
        if C::DECODING {
            let limit = Error::damaged("more moves than announced");
            self.left = self.left.checked_sub(1).ok_or(limit)?;
            job.moves.push(legal[place]);
        }
        Ok(Some(legal[place]))
    }
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
    let network = predictor.judge();
    let mut turns = Turns { coder, predictor, jobs, left: limit };
    let mut waiting = 0;
    // The lines under way: first those of `front`, then those of `back`.
    let (mut front, mut back): (Vec<Slot>, Vec<Slot>) = (vec![], vec![]);
    let mut judged_front = None;
    loop {
        while front.len() + back.len() < WINDOW && waiting < turns.jobs.len() {
            let LineJob { history, context, length, .. } = &turns.jobs[waiting];
            if *length != Some(0) {
                let (history, context) = (history.clone(), *context);
                back.push(Slot { job: waiting, ply: 0, history, context });
            }
            waiting += 1;
        }
        let judged = match judged_front.take() {
            Some(judged) => judged,
            None => {
                // Lines end in both parts, but begin in the second: divide them anew.
                front.append(&mut back);
                back = front.split_off(front.len().div_ceil(2));
                judge(&network, &front)?
            }
        };
        if front.is_empty() && back.is_empty() {
            return Ok(());
        }
        let judged = turns.code_beside(&mut front, &judged, || judge(&network, &back))?;
        if 2 * front.len() < back.len() {
            turns.code(&mut back, &judged)?;
        } else {
            let next = turns.code_beside(&mut back, &judged, || judge(&network, &front))?;
            judged_front = Some(next);
        }
    }
}
