//! Conditions on the moves of a game, followed together.

use shakmaty::{Chess, Move, Position};

use super::{Condition, Span};
use crate::archive::{Follower, GameSummary};
use crate::pgn::Game;

/// All conditions on the moves of a game that meets those on its tags.
pub(super) struct Followers<'a> {
    /// Each with its verdict.
    conditions: Vec<(Box<dyn Follower + 'a>, Option<bool>)>,
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
    fn see_summary(&mut self, summary: &GameSummary) -> Option<bool> {
        Some(self.wanted.contains(summary.plies))
    }

    fn see(&mut self, _: &Chess, played: Option<Move>) -> Option<bool> {
        self.seen += u64::from(played.is_some());
        self.wanted.is_below(self.seen).then_some(false)
    }

    fn end(&mut self) -> Option<bool> {
        Some(self.wanted.contains(self.seen))
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
        let conditions: Vec<_> = followers.map(|follower| (follower, None)).collect();
        (!conditions.is_empty()).then_some(Followers { conditions, others, not })
    }

    fn verdict(&self) -> Option<bool> {
        if self.conditions.iter().any(|(_, verdict)| *verdict == Some(false)) {
            return Some(self.not);
        }
        let all = self.conditions.iter().all(|(_, verdict)| *verdict == Some(true));
        (all && !self.others).then_some(!self.not)
    }
}

impl Follower for Followers<'_> {
    fn see_summary(&mut self, summary: &GameSummary) -> Option<bool> {
        for (follower, verdict) in &mut self.conditions {
            *verdict = follower.see_summary(summary);
        }
        self.verdict()
    }

    fn see(&mut self, position: &Chess, played: Option<Move>) -> Option<bool> {
        for (follower, verdict) in &mut self.conditions {
            if verdict.is_none() {
                *verdict = follower.see(position, played);
            }
        }
        self.verdict()
    }

    fn end(&mut self) -> Option<bool> {
        for (follower, verdict) in &mut self.conditions {
            if verdict.is_none() {
                *verdict = follower.end();
            }
        }
        self.verdict()
    }
}

/// What `follower` says of a game that is at hand.
pub(super) fn verdict_on(game: &Game, mut follower: Box<dyn Follower + '_>) -> Option<bool> {
    let Some(mut position) = game.start() else { return follower.end() };
    let mut verdict = follower.see(&position, None);
    for &played in game.lines.first().map_or(&[][..], |line| &line.moves) {
        if verdict.is_some() {
            break;
        }
        position.play_unchecked(played);
        verdict = follower.see(&position, Some(played));
    }
    verdict.or_else(|| follower.end())
}
