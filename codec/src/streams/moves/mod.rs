//! Moves: many lines coded in lockstep.
//!
//! Decoding goes ply by ply, but a network wants batches. So up to
//! `WINDOW` lines are under way at once, one ply of each per step; when a
//! line ends the next one takes its place. In each step
//! the plies are coded one after the other, each learning from those before it.
//! This order is part of the format.
//!
//! What does not depend on learning is found beforehand: the lines under way are cut into chunks,
//! and while one thread codes the plies of a chunk, other threads find the evidence on the next
//! plies of those before and after it. Where the cuts are changes nothing that is coded.

mod observer;
mod recorder;
pub mod variations;

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, sync_channel};
use std::time::Duration;

use shakmaty::{ByColor, Chess, Move};

pub use self::observer::{CodedPly, PlyObserver, Watching};
pub use self::recorder::{CostRecorder, VariationRecorder};
use crate::chess::History;
use crate::entropy::Coder;
use crate::features::GameContext;
use crate::predict::{
    EvidenceView, KeptEvidence, LineState, Pipeline, Player, PlyEvidence, Predictor, Surprisal,
};
use crate::{Error, Result};

/// Lines under way at once.
const WINDOW: usize = 256;

/// A line to be coded.
#[derive(Debug, Clone)]
pub struct LineJob {
    /// The game up to the line's first move.
    pub history: History,
    /// The context of the game.
    pub context: GameContext,
    /// The players.
    pub players: ByColor<Player>,
    /// Number of moves if it is known; if not, the line's end is coded.
    pub length: Option<usize>,
    /// The moves; when decoding, those decoded so far.
    pub moves: Vec<Move>,
    /// Of each move coded so far, how it compared with its prediction; `None` if nobody asks.
    pub surprisals: Option<Vec<Surprisal>>,
}

impl LineJob {
    /// A game from `start`.
    pub fn new(
        start: Chess,
        context: GameContext,
        players: ByColor<Player>,
        moves: Vec<Move>,
    ) -> LineJob {
        LineJob {
            history: History::new(start),
            context,
            players,
            length: None,
            moves,
            surprisals: None,
        }
    }
}

/// Lines whose plies go through the pipeline together; what does not fill a chunk waits for the
/// next lines.
const CHUNK: usize = 32;

/// How long a thread without work sleeps before it looks for some again.
const NAP: Duration = Duration::from_micros(100);

/// A line under way.
struct Slot {
    job: usize,
    ply: usize,
    /// In a box, since slots go from list to list.
    line: Box<LineState>,
}

/// Lines with what is known of their next plies.
type Chunk = (Vec<Slot>, Vec<PlyEvidence>);

/// The source of the evidence on plies, and its use.
#[derive(Debug)]
pub enum EvidenceUse<'a> {
    /// It is computed and dropped.
    Once,
    /// It is computed and kept.
    Keep(&'a mut KeptEvidence),
    /// It was kept when these plies were encoded.
    Kept(&'a mut KeptEvidence),
}

impl EvidenceUse<'_> {
    /// The same for one of several lists of lines.
    pub fn reborrow(&mut self) -> EvidenceUse<'_> {
        match self {
            EvidenceUse::Once => EvidenceUse::Once,
            EvidenceUse::Keep(kept) => EvidenceUse::Keep(kept),
            EvidenceUse::Kept(kept) => EvidenceUse::Kept(kept),
        }
    }
}

/// Finds the evidence on the next ply of each line.
fn next_plies(
    pipeline: &Pipeline,
    mut slots: Vec<Slot>,
    mut plies: Vec<PlyEvidence>,
) -> Result<Chunk> {
    let mut lines: Vec<&mut LineState> = slots.iter_mut().map(|slot| &mut *slot.line).collect();
    pipeline.next_plies(&mut lines, &mut plies)?;
    Ok((slots, plies))
}

/// The coding of plies, one after the other.
struct Turns<'a, 'o, C> {
    coder: &'a mut C,
    predictor: &'a mut Predictor,
    jobs: &'a mut [LineJob],
    /// Moves that may still be read.
    left: usize,
    watching: Watching<'o>,
    /// What takes the evidence on plies that were coded.
    keep: Option<&'a mut KeptEvidence>,
    /// Evidence on plies that were coded, to be overwritten.
    spare: Vec<Vec<PlyEvidence>>,
}

impl<C: Coder> Turns<'_, '_, C> {
    /// The line of a job before its first ply; `None` if it has no plies.
    fn begin(&mut self, job: usize, pipeline: &Pipeline) -> Option<Slot> {
        let LineJob { history, context, length, .. } = &self.jobs[job];
        if *length == Some(0) {
            return None;
        }
        if let Some(keep) = &mut self.keep {
            keep.begin_line(history, context);
        }
        Some(Slot { job, ply: 0, line: Box::new(pipeline.line(history.clone(), *context)) })
    }

    /// Codes the next ply of each line; the lines that have not ended.
    fn code(&mut self, (slots, mut plies): Chunk) -> Result<Vec<Slot>> {
        let mut left = Vec::with_capacity(slots.len());
        let mut coded = 0;
        for (place, mut slot) in slots.into_iter().enumerate() {
            if let Some([_, next, later]) = plies.get(place..place + 3) {
                self.predictor.prefetch([later, next].map(|ply| ply.facts.key));
            }
            let evidence = &mut plies[place];
            let legal = &evidence.prepared.legal;
            let next = match self.jobs[slot.job].moves.get(slot.ply) {
                Some(next) => {
                    let place = legal.iter().position(|legal| legal == next);
                    let illegal = || Error::Usage("a game with an illegal move".into());
                    Some(place.ok_or_else(illegal)?)
                }
                None => None, // to be read, or the end
            };
            let played = self.code_ply(slot.job, &evidence.view(), next)?;
            self.tell(slot.job, legal, played);
            if let Some(index) = played {
                coded += 1;
                slot.ply += 1;
                slot.line.played = Some(legal[index]);
                self.read(slot.job, legal[index])?;
            }
            if let Some(keep) = &mut self.keep {
                keep.keep(evidence, played);
            }
            if played.is_some() && self.goes_on(slot.job, slot.ply) {
                left.push(slot);
            }
        }
        self.predictor.count(coded);
        self.spare.push(plies);
        Ok(left)
    }

    /// Whether a line with this many moves may have another one.
    fn goes_on(&self, job: usize, moves: usize) -> bool {
        self.jobs[job].length != Some(moves)
    }

    /// Codes the next ply of a line: the index of the move played, if the line goes on. `next` is that index when it is
    /// written.
    fn code_ply(
        &mut self,
        job: usize,
        evidence: &EvidenceView<'_>,
        next: Option<usize>,
    ) -> Result<Option<usize>> {
        let job = &mut self.jobs[job];
        let ended = match job.length {
            Some(_) => false, // a line is given up after its last move
            None => self.predictor.code_end(self.coder, evidence, next.is_none())?,
        };
        if ended {
            return Ok(None);
        }
        if evidence.moves == 0 {
            return Err(Error::damaged("a line goes on where no move is legal"));
        }
        let player = job.players[evidence.facts.turn];
        let next = next.unwrap_or(0); // to be read
        let played = self.predictor.code_move(self.coder, player, evidence, next)?;
        if let Some(surprisals) = &mut job.surprisals {
            surprisals.push(self.predictor.last_surprisal(evidence, played));
        }
        Ok(Some(played))
    }

    /// Appends a move that was read to its line.
    fn read(&mut self, job: usize, played: Move) -> Result<()> {
        if C::DECODING {
            let limit = Error::damaged("more moves than announced");
            self.left = self.left.checked_sub(1).ok_or(limit)?;
            self.jobs[job].moves.push(played);
        }
        Ok(())
    }

    /// Whether no observer needs the plies that are left.
    fn is_done(&self) -> bool {
        self.watching.as_ref().is_some_and(|observer| observer.is_done())
    }

    /// Tells who watches what was coded.
    fn tell(&mut self, job: usize, legal: &[Move], played: Option<usize>) {
        let Some(observer) = &mut self.watching else { return };
        let coded = self.jobs[job].length.is_none() && !legal.is_empty();
        let table = if legal.len() > 1 { self.predictor.last_frequencies() } else { &[] };
        observer.coded(&CodedPly {
            job,
            legal,
            end: coded.then(|| self.predictor.last_end()),
            played: played.map(|place| (table, place)),
        });
    }
}

/// Codes all moves of `jobs`: writes them, or appends what it reads. Who is `watching` is told each ply; if nobody needs
/// the plies that are left, coding stops, and a reader has the moves until there. Returns whether all were coded.
///
/// # Errors
/// [`Error::Damaged`] if more than `limit` moves are read, or the input is otherwise not what
/// an encoder writes; [`Error::Model`] if the network fails.
pub fn code<C: Coder>(
    coder: &mut C,
    predictor: &mut Predictor,
    jobs: &mut [LineJob],
    limit: usize,
    watching: Watching<'_>,
    evidence: EvidenceUse<'_>,
) -> Result<bool> {
    let pipeline = &predictor.pipeline();
    let keep = match evidence {
        EvidenceUse::Once => None,
        EvidenceUse::Keep(keep) => Some(keep),
        EvidenceUse::Kept(kept) => {
            let turns =
                Turns { coder, predictor, jobs, left: limit, watching, keep: None, spare: vec![] };
            return code_known(turns, kept);
        }
    };
    let mut turns = Turns { coder, predictor, jobs, left: limit, watching, keep, spare: vec![] };
    if turns.jobs.len() <= CHUNK {
        // While the plies of a single chunk are coded there is nothing that other threads could do.
        let mut slots: Vec<Slot> =
            (0..turns.jobs.len()).filter_map(|job| turns.begin(job, pipeline)).collect();
        while !slots.is_empty() {
            if turns.is_done() {
                return Ok(false);
            }
            let spare = turns.spare.pop().unwrap_or_default();
            slots = turns.code(next_plies(pipeline, slots, spare)?)?;
        }
        return Ok(true);
    }
    rayon::in_place_scope(|scope| {
        let prepare = |slots: Vec<Slot>, spare: Option<Vec<PlyEvidence>>| {
            let (sender, receiver) = sync_channel(1);
            scope.spawn(move |_| {
                // Nobody listens any more where coding has failed.
                let _ = sender.send(next_plies(pipeline, slots, spare.unwrap_or_default()));
            });
            receiver
        };
        // The chunks of lines under way, in order: those of this step, then those of the next.
        let mut chunks: VecDeque<Receiver<Result<Chunk>>> = VecDeque::new();
        let (mut waiting, mut under_way) = (0, 0);
        // Lines that wait for a chunk: they come after all in `chunks`.
        let mut open: Vec<Slot> = vec![];
        loop {
            // Whoever prepares the next chunks does so for nobody, which is no error.
            if turns.is_done() {
                return Ok(false);
            }
            // A step begins. Lines begin after those that are under way.
            while under_way < WINDOW && waiting < turns.jobs.len() {
                let line = turns.begin(waiting, pipeline);
                under_way += usize::from(line.is_some());
                open.extend(line);
                waiting += 1;
            }
            while !open.is_empty() {
                let count = open.len().min(CHUNK);
                chunks.push_back(prepare(open.drain(..count).collect(), turns.spare.pop()));
            }
            if chunks.is_empty() {
                return Ok(true);
            }
            under_way = 0;
            for _ in 0..chunks.len() {
                let Some(chunk) = chunks.pop_front() else { break };
                open.extend(turns.code(wait(&chunk)?)?);
                while open.len() >= CHUNK {
                    under_way += CHUNK;
                    chunks.push_back(prepare(open.drain(..CHUNK).collect(), turns.spare.pop()));
                }
            }
            under_way += open.len();
        }
    })
}

/// Reads all moves as [`code`] does, in the same order, with evidence that is known. Nobody watches.
fn code_known<C: Coder>(mut turns: Turns<'_, '_, C>, kept: &mut KeptEvidence) -> Result<bool> {
    let mut waiting = 0;
    // The lines under way: number of the job, plies coded.
    let mut lines: Vec<(usize, usize)> = vec![];
    loop {
        while lines.len() < WINDOW && waiting < turns.jobs.len() {
            let LineJob { history, context, length, .. } = &turns.jobs[waiting];
            if *length != Some(0) {
                kept.take_line(history, context)?;
                lines.push((waiting, 0));
            }
            waiting += 1;
        }
        if lines.is_empty() {
            return Ok(true);
        }
        let mut coded = 0;
        let mut left = Vec::with_capacity(WINDOW);
        for (job, ply) in lines {
            if let Some(keys) = kept.keys_ahead() {
                turns.predictor.prefetch(keys);
            }
            if let Some(played) = kept.with_next(|evidence| turns.code_ply(job, evidence, None))? {
                turns.read(job, played)?;
                coded += 1;
                if turns.goes_on(job, ply + 1) {
                    left.push((job, ply + 1));
                }
            }
        }
        turns.predictor.count(coded);
        lines = left;
    }
}

/// What a task sends when it is done; until then this thread does other tasks.
fn wait<T>(task: &Receiver<Result<T>>) -> Result<T> {
    let lost = || Error::Internal("a worker thread was lost".into());
    loop {
        match task.try_recv() {
            Ok(result) => return result,
            Err(TryRecvError::Disconnected) => return Err(lost()),
            Err(TryRecvError::Empty) => {}
        }
        match rayon::yield_now() {
            Some(rayon::Yield::Executed) => continue,
            // The task is under way; parts of it may be left for this thread later.
            Some(rayon::Yield::Idle) => match task.recv_timeout(NAP) {
                Ok(result) => return result,
                Err(RecvTimeoutError::Disconnected) => return Err(lost()),
                Err(RecvTimeoutError::Timeout) => {}
            },
            // A thread that does no tasks.
            None => return task.recv().unwrap_or_else(|_| Err(lost())),
        }
    }
}
