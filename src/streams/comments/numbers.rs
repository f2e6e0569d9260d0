//! Clocks and evaluations in the course of a game.

use shakmaty::Move;

use super::template::EvalForm;
use crate::Result;
use crate::entropy::{Coder, ContextMixer, hash};
use crate::pgn::{Game, Token};
use crate::streams::interner::Id;

/// Where in a game a comment stands, and what its comments have said so far.
#[derive(Debug)]
pub(super) struct Play<'a> {
    game: &'a Game,
    /// The lines that are open: which, and how many of its moves are played.
    open: Vec<(usize, usize)>,
    lines_seen: usize,
    control: Control,
    sides: [Thinking; 2],
    eval: Eval,
    /// Comments and annotations since the last move.
    comments: u32,
    annotation: u8,
    /// The template of the comment before.
    pub last_template: Id,
    templates: [Id; 2],
}

/// What `TimeControl` says, in seconds.
#[derive(Debug, Clone, Copy, Default)]
struct Control {
    start: i64,
    increment: i64,
}

/// One side's clock.
#[derive(Debug, Clone, Copy, Default)]
struct Thinking {
    /// The clock after the side's last move, if known.
    clock: Option<i64>,
    /// What the last moves took, the last first.
    took: [i64; 2],
    /// Their running mean, in units of 1/8.
    mean: i64,
}

#[derive(Debug, Clone, Copy, Default)]
struct Eval {
    /// The last evaluation in hundredths, or moves to mate.
    last: i64,
    mate: bool,
    /// How it differed from the one before.
    deltas: [i64; 2],
}

impl<'a> Play<'a> {
    pub fn new(game: &'a Game) -> Play<'a> {
        let control = game.tag("TimeControl").and_then(Control::read).unwrap_or_default();
        Play {
            game,
            open: vec![(0, 0)],
            lines_seen: 1,
            control,
            sides: [Thinking::default(); 2],
            eval: Eval::default(),
            comments: 0,
            annotation: 0,
            last_template: Id::MAX,
            templates: [Id::MAX; 2],
        }
    }

    /// Steps over a token that is no comment.
    pub fn pass(&mut self, token: &Token) {
        match token {
            Token::Move => {
                if let Some((_, ply)) = self.open.last_mut() {
                    *ply += 1;
                }
                (self.comments, self.annotation) = (0, 0);
            }
            Token::Nag(nag) => self.annotation = *nag,
            Token::Open => {
                let line = self.lines_seen;
                self.lines_seen += 1;
                let branch = self.game.lines.get(line).and_then(|line| line.branch);
                self.open.push((line, branch.map_or(0, |branch| branch.ply as usize)));
            }
            Token::Close if self.open.len() > 1 => drop(self.open.pop()),
            _ => {}
        }
    }

    fn ply(&self) -> usize {
        self.open.last().map_or(0, |&(_, ply)| ply)
    }

    /// The last move and the one before it, as far as they are of one line.
    fn moves(&self) -> [Option<Move>; 2] {
        let Some(&(line, ply)) = self.open.last() else { return [None; 2] };
        let Some(line) = self.game.lines.get(line) else { return [None; 2] };
        let start = line.branch.map_or(0, |branch| branch.ply as usize);
        [1, 2].map(|back| line.moves.get(ply.checked_sub(start + back)?).copied())
    }

    /// The kind of the last move: piece, capture, recapture, castling, promotion.
    fn move_kind(&self) -> u32 {
        let [last, before] = self.moves();
        let Some(last) = last else { return 0 };
        let recapture = last.is_capture()
            && before.is_some_and(|before| before.is_capture() && before.to() == last.to());
        1 + last.role() as u32
            + 8 * u32::from(last.is_capture())
            + 16 * u32::from(recapture)
            + 32 * u32::from(last.is_castle())
            + 64 * u32::from(last.is_promotion())
    }

    /// What the template may depend on.
    pub fn template_key(&self) -> u32 {
        let depth = self.open.len().min(2) as u32;
        let mate = u32::from(self.eval.mate) << 1 | u32::from(self.eval.last.abs() > 700);
        let key = hash(self.templates[0], self.templates[1]);
        hash(key, depth << 16 | mate << 8 | self.since_move())
    }

    /// Comments since the last move, whether an annotation is among them, and whether a move
    /// was made at all.
    pub fn since_move(&self) -> u32 {
        let annotated = u32::from(self.annotation != 0);
        self.comments.min(3) << 2 | annotated << 1 | u32::from(self.ply() == 0)
    }

    /// Takes note of a comment's template.
    pub fn note_template(&mut self, id: Id) {
        self.templates = [id, self.templates[0]];
        self.last_template = id;
        self.comments += 1;
    }
}

impl Control {
    /// Reads `300+3`, `600`, `40/7200:3600+30` (of which the first period counts).
    fn read(value: &[u8]) -> Option<Control> {
        let text = std::str::from_utf8(value).ok()?;
        let first = text.split(':').next()?;
        let first = first.rsplit('/').next()?;
        let (start, increment) = first.split_once('+').unwrap_or((first, "0"));
        // Increments may have a fraction, of which whole seconds are enough here.
        let increment = increment.split('.').next()?;
        Some(Control {
            start: start.parse::<u32>().ok()?.into(),
            increment: increment.parse::<u16>().ok()?.into(),
        })
    }
}

/// Codes times and evaluations.
#[derive(Debug)]
pub(super) struct Numbers {
    mixing: ContextMixer,
}

/// No clock shows more; damaged archives may claim it.
const LONGEST: i64 = 1 << 40;

const CLOCK: usize = 0;
const FIRST_CLOCK: usize = 1;
const TIME: usize = 2;
const EVAL: usize = 3;
const MATE: usize = 4;
const FAMILIES: usize = 5;

/// The size of a number: its sign, its binary length and its foremost digits, `fine` of them.
fn rough(number: i64, fine: u32) -> u32 {
    let size = number.unsigned_abs();
    let length = 64 - size.leading_zeros();
    let shift = length.saturating_sub(fine + 1);
    (length << 8 | (size >> shift) as u32) << 1 | u32::from(number < 0)
}

impl Numbers {
    /// A model that needs about 8 × 2<sup>`slot_bits`</sup> bytes.
    pub fn new(slot_bits: u32) -> Numbers {
        Numbers { mixing: ContextMixer::new(slot_bits, 10, FAMILIES, 256) }
    }

    /// Codes a time in units of 1/`unit` second: what the mover's clock shows, or
    /// what the last move took.
    ///
    /// # Errors
    /// Those of [`Coder::bit`].
    pub fn clock<C: Coder>(
        &mut self,
        coder: &mut C,
        play: &mut Play<'_>,
        unit: i64,
        on_clock: bool,
        time: i64,
    ) -> Result<i64> {
        let ply = play.ply();
        let side = ply & 1;
        let Control { start, increment } = play.control;
        let control = hash(start as u32, increment as u32);
        let own = play.sides[side];
        let other = play.sides[1 - side];
        let moved = play.move_kind();
        let stage = (ply / 2).min(12) as u32;
        let unit_kind = unit as u32;
        let left = own.clock.unwrap_or(start * unit).clamp(-LONGEST, LONGEST);
        let share = if start > 0 { (left * 16 / (start * unit)).clamp(0, 20) as u32 } else { 99 };
        let contexts = [
            hash(control, hash(share, stage)),
            hash(rough(left, 1), increment as u32),
            hash(rough(own.took[0], 2), hash(rough(left, 0), control)),
            hash(rough(own.mean, 2), rough(left, 1)),
            hash(rough(other.took[0], 2), hash(rough(own.mean, 1), 1)),
            hash(moved, rough(own.mean, 1)),
            hash(hash(rough(own.took[0], 1), rough(own.took[1], 1)), rough(other.took[0], 1)),
            hash(ply.min(60) as u32, control),
            hash(moved, hash(share, stage.min(6))),
            hash(rough(left, 3), rough(other.clock.unwrap_or(0), 0)),
        ];
        let contexts = contexts.map(|context| hash(context, unit_kind));
        let detail = (rough(left, 0) >> 9 & 15) as usize * 16 + share.min(15) as usize;
        if !on_clock {
            let time = self.mixing.number(coder, &contexts, TIME, detail, time)?;
            play.sides[side].take(time);
            return Ok(time);
        }
        let Some(before) = own.clock else {
            let expected = match other.clock {
                Some(clock) => clock,
                None => start * unit,
            };
            let contexts = [
                hash(control, ply.min(4) as u32),
                hash(unit_kind, ply.min(4) as u32),
                hash(u32::from(other.clock.is_some()), 1),
            ];
            let delta = self.mixing.number(coder, &contexts, FIRST_CLOCK, side, expected - time)?;
            let time = expected.saturating_sub(delta);
            play.sides[side].clock = Some(time);
            return Ok(time);
        };
        let expected = before.saturating_add(increment * unit);
        let took =
            self.mixing.number(coder, &contexts, CLOCK, detail, expected.saturating_sub(time))?;
        play.sides[side].take(took);
        let time = expected.saturating_sub(took);
        play.sides[side].clock = Some(time);
        Ok(time)
    }

    /// Codes an evaluation: hundredths of a pawn or moves to mate.
    ///
    /// # Errors
    /// Those of [`Coder::bit`].
    pub fn eval<C: Coder>(
        &mut self,
        coder: &mut C,
        play: &mut Play<'_>,
        form: EvalForm,
        eval: i64,
    ) -> Result<i64> {
        let side = (play.ply() & 1) as u32;
        let Eval { last, mate, deltas } = play.eval;
        let is_mate = form == EvalForm::Mate;
        let annotation = u32::from(play.annotation);
        let moved = play.move_kind();
        let took = play.sides[side as usize].took[0];
        // A mate has nothing to do with hundredths of a pawn, except who gives it.
        let base = match mate == is_mate {
            true => last,
            false => 0,
        };
        let was = hash(u32::from(mate), rough(last, 1));
        let contexts = [
            hash(was, side),
            hash(hash(side, annotation), rough(last, 0)),
            hash(rough(deltas[0], 2), side),
            hash(hash(rough(deltas[0], 1), rough(deltas[1], 1)), side),
            hash(moved, hash(side, rough(deltas[0], 1))),
            hash(last.clamp(-3000, 3000) as u32, side),
            hash(rough(took, 1), rough(last, 1)),
            hash(play.ply().min(16) as u32, side),
            hash(annotation, hash(side, rough(deltas[0], 1))),
            side,
        ];
        let family = if is_mate { MATE } else { EVAL };
        let kind = u32::from(mate == is_mate);
        let contexts = contexts.map(|context| hash(context, kind));
        let detail = (side * 2 + kind) as usize * 16 + (rough(last, 0) >> 9) as usize % 16;
        let delta =
            self.mixing.number(coder, &contexts, family, detail, eval.saturating_sub(base))?;
        let eval = base.saturating_add(delta);
        play.eval = Eval { last: eval, mate: is_mate, deltas: [delta, deltas[0]] };
        Ok(eval)
    }
}

impl Thinking {
    fn take(&mut self, time: i64) {
        self.took = [time, self.took[0]];
        self.mean += time.clamp(-LONGEST, LONGEST) - self.mean / 8;
    }
}
