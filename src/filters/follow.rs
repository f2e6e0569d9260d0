//! Conditions on the moves of a game, followed together.

use shakmaty::{Chess, Move, Position};

use super::{Condition, Span};
use crate::archive::{Follower, GameSummary, Verdict};
use crate::pgn::Game;

/// All conditions on the moves of a game that meets those on its tags.
pub(super) struct Followers<'a> {
    /// Each with its verdict.
    conditions: Vec<(Box<dyn Follower + 'a>, Verdict)>,
    /// Whether other conditions wait for all of the game.
    others: bool,
    /// Whether games are wanted that do not meet them all.
    not: bool,
}

/// Counts plies.
struct Plies {
    wanted: Span,
    seen: u64,
}

impl Follower for Plies {
    fn see_summary(&mut self, summary: &GameSummary) -> Verdict {
        self.wanted.contains(summary.plies).into()
    }

    fn see(&mut self, _: &Chess, played: Option<Move>) -> Verdict {
        self.seen += u64::from(played.is_some());
        if self.wanted.is_below(self.seen) { Verdict::Unwanted } else { Verdict::Open }
    }

    fn end(&mut self) -> Verdict {
        self.wanted.contains(self.seen).into()
    }
}

/// What follows the plies of a game.
pub(super) fn plies(wanted: Span) -> Box<dyn Follower> {
    Box::new(Plies { wanted, seen: 0 })
}

impl<'a> Followers<'a> {
    /// The conditions that wait for moves; `None` if there are none. `others` says whether others wait for more.
    pub fn new(
        conditions: impl Iterator<Item = &'a Condition>,
        others: bool,
        not: bool,
    ) -> Option<Followers<'a>> {
        let followers = conditions.filter_map(Condition::follower);
        let conditions: Vec<_> = followers.map(|follower| (follower, Verdict::Open)).collect();
        (!conditions.is_empty()).then_some(Followers { conditions, others, not })
    }

    fn verdict(&self) -> Verdict {
        if self.conditions.iter().any(|(_, verdict)| *verdict == Verdict::Unwanted) {
            return self.not.into();
        }
        let all = self.conditions.iter().all(|(_, verdict)| *verdict == Verdict::Wanted);
        if all && !self.others { (!self.not).into() } else { Verdict::Open }
    }
}

impl Follower for Followers<'_> {
    fn see_summary(&mut self, summary: &GameSummary) -> Verdict {
        for (follower, verdict) in &mut self.conditions {
            *verdict = follower.see_summary(summary);
        }
        self.verdict()
    }

    fn see(&mut self, position: &Chess, played: Option<Move>) -> Verdict {
        for (follower, verdict) in &mut self.conditions {
            if verdict.is_open() {
                *verdict = follower.see(position, played);
            }
        }
        self.verdict()
    }

    fn end(&mut self) -> Verdict {
        for (follower, verdict) in &mut self.conditions {
            if verdict.is_open() {
                *verdict = follower.end();
            }
        }
        self.verdict()
    }
}

/// What `follower` says of a game that is at hand.
pub(super) fn verdict_on(game: &Game, mut follower: Box<dyn Follower + '_>) -> Verdict {
    let Some(mut position) = game.start() else { return follower.end() };
    let mut verdict = follower.see(&position, None);
    for &played in game.lines.first().map_or(&[][..], |line| &line.moves) {
        if !verdict.is_open() {
            break;
        }
        position.play_unchecked(played);
        verdict = follower.see(&position, Some(played));
    }
    verdict.or_else(|| follower.end())
}
