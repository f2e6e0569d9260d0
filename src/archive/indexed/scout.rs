//! Reading the moves of a page no farther than somebody wants to know them.

use plyzip_codec::block::{CodedPly, PlyObserver};
use shakmaty::{Chess, Move, Position};

use super::selection::{Follower, Selection, Verdict};
use crate::pgn::{Game, Tag};

/// What is wanted of the games that are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// No more than what tells whether they are wanted.
    Nothing,
    /// So many of the first moves.
    Moves(usize),
    /// All tags, and how many plies there are.
    Tags,
    /// All that they say.
    Game,
    /// Their bytes.
    Text,
    /// Both.
    Whole,
}

impl Extent {
    /// Whether pages are decoded to their end, whatever an index has.
    pub fn includes_text(self) -> bool {
        matches!(self, Extent::Game | Extent::Text | Extent::Whole)
    }
}

/// Watches the moves of a page, and decides about its games.
pub(super) struct Scout<'a> {
    extent: Extent,
    games: Vec<Watched<'a>>,
    /// For each line that is coded, the number of its game. Others have no moves.
    lines: Vec<usize>,
    /// Games without a verdict, and those that are wanted.
    open: usize,
    found: usize,
    /// Games whose moves are not yet all that `extent` wants.
    behind: usize,
}

/// A game of the page.
struct Watched<'a> {
    verdict: Verdict,
    follower: Option<(Box<dyn Follower + 'a>, Chess)>,
    moves: usize,
    ended: bool,
}

impl<'a> Scout<'a> {
    /// A scout of games, each with its number and what its tags have told.
    pub fn new<'g, S: Selection>(
        games: impl Iterator<Item = (u64, &'g Game, Verdict)>,
        selection: &'a S,
        extent: Extent,
    ) -> Scout<'a> {
        let mut scout =
            Scout { extent, games: vec![], lines: vec![], open: 0, found: 0, behind: 0 };
        for (number, game, verdict) in games {
            scout.add(number, game, verdict, selection);
        }
        scout
    }

    fn add<S: Selection>(&mut self, number: u64, game: &Game, verdict: Verdict, selection: &'a S) {
        let start = game.start();
        let (place, is_played) = (self.games.len(), start.is_some());
        let tags: &[Tag] = &game.tags;
        let follower = match verdict {
            Verdict::Open => selection.follow(number, tags).map(|follower| (follower, start)),
            _ => None,
        };
        self.open += usize::from(verdict.is_open());
        self.found += usize::from(verdict == Verdict::Wanted);
        self.games.push(Watched { verdict, follower: None, moves: 0, ended: !is_played });
        if is_played {
            self.lines.push(place);
            self.behind += usize::from(matches!(self.extent, Extent::Moves(1..)));
        }
        let Some((mut follower, start)) = follower else { return };
        match start {
            None => self.decide(place, follower.end()),
            Some(start) => match follower.see(&start, None) {
                Verdict::Open => self.games[place].follower = Some((follower, start)),
                verdict => self.decide(place, verdict),
            },
        }
    }

    fn decide(&mut self, place: usize, verdict: Verdict) {
        if !verdict.is_open() {
            let game = &mut self.games[place];
            game.verdict = verdict;
            game.follower = None;
            self.open -= 1;
            self.found += usize::from(verdict == Verdict::Wanted);
        }
    }

    /// The next move of a line.
    fn played(&mut self, line: usize, played: Move) {
        let Some(&place) = self.lines.get(line) else { return };
        let game = &mut self.games[place];
        game.moves += 1;
        self.behind -= usize::from(self.extent == Extent::Moves(game.moves));
        let Some((follower, position)) = &mut game.follower else { return };
        position.play_unchecked(played);
        let verdict = follower.see(position, Some(played));
        self.decide(place, verdict);
    }

    /// A line has ended.
    fn ended(&mut self, line: usize) {
        let Some(&place) = self.lines.get(line) else { return };
        let game = &mut self.games[place];
        if std::mem::replace(&mut game.ended, true) {
            return;
        }
        if let Extent::Moves(wanted) = self.extent {
            self.behind -= usize::from(game.moves < wanted);
        }
        let Some((mut follower, _)) = game.follower.take() else { return };
        let verdict = follower.end();
        self.decide(place, verdict);
    }

    /// For each game, whether it is wanted, if its tags and moves have told.
    pub fn verdicts(self) -> Vec<Verdict> {
        self.games.into_iter().map(|game| game.verdict).collect()
    }
}

impl PlyObserver for Scout<'_> {
    fn coded(&mut self, ply: &CodedPly<'_>) {
        match ply.played.and_then(|(_, place)| ply.legal.get(place)) {
            Some(&played) => self.played(ply.job, played),
            None => self.ended(ply.job),
        }
    }

    fn is_done(&self) -> bool {
        let enough = match self.extent {
            Extent::Nothing => true,
            Extent::Moves(_) => self.behind == 0,
            Extent::Tags | Extent::Game | Extent::Text | Extent::Whole => false,
        };
        self.open == 0 && (enough || self.found == 0)
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::Verdict::{Open, Unwanted, Wanted};
    use super::*;
    use crate::pgn::{self, Item};

    /// Games that begin with 1. e4, as far as three plies tell; game 9 needs all of it.
    struct Kings;

    /// Whether 1. e4 was seen, which is told with the third ply.
    struct King(usize, bool);

    impl Selection for Kings {
        fn by_tags(&self, _: u64, _: &[Tag]) -> Verdict {
            Open
        }

        fn follow<'a>(&'a self, number: u64, _: &[Tag]) -> Option<Box<dyn Follower + 'a>> {
            (number != 9).then(|| Box::new(King(0, false)) as _)
        }

        fn by_game(&self, _: u64, _: &Game) -> bool {
            unreachable!("nobody asks")
        }
    }

    impl Follower for King {
        fn see(&mut self, position: &Chess, _: Option<Move>) -> Verdict {
            self.1 |= position.board().piece_at(shakmaty::Square::E4).is_some();
            self.0 += 1;
            if self.0 == 4 { self.1.into() } else { Open }
        }

        fn end(&mut self) -> Verdict {
            Unwanted
        }
    }

    /// Plays games side by side, a ply of each in each step. The verdicts, and after how many steps the scout was done.
    fn played(texts: &[&str], extent: Extent, numbers: Range<u64>) -> (Vec<Verdict>, usize) {
        let parsed: Vec<_> = texts.iter().map(|text| pgn::parse(text.as_bytes())).collect();
        let games: Vec<&Game> = parsed
            .iter()
            .map(|document| document.items.first().and_then(Item::game).unwrap())
            .collect();
        let numbered = numbers.zip(&games).map(|(number, game)| (number, *game, Open));
        let mut scout = Scout::new(numbered, &Kings, extent);
        let lines: Vec<&Vec<Move>> = games
            .iter()
            .filter(|game| game.start().is_some())
            .map(|game| &game.lines[0].moves)
            .collect();
        let mut step = 0;
        while !scout.is_done() && step < 20 {
            for (line, moves) in lines.iter().enumerate() {
                match moves.get(step) {
                    Some(&next) => scout.played(line, next),
                    None => scout.ended(line),
                }
            }
            step += 1;
        }
        (scout.verdicts(), step)
    }

    const LONG: &str = "[Event \"?\"]\n\n1. d4 d5 2. c4 c6 3. e4 e6 *\n";
    const KING: &str = "[Event \"?\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n";
    const SHORT: &str = "[Event \"?\"]\n\n1. e4 *\n";
    const OTHER: &str = "[Variant \"Atomic\"]\n\n1. e4 e5 2. f3 *\n";

    #[test]
    fn a_page_is_read_no_farther_than_needed() {
        // Without a game that is found, its text is not needed.
        for extent in [Extent::Nothing, Extent::Moves(5), Extent::Text] {
            assert_eq!(played(&[LONG, OTHER, LONG], extent, 0..3), (vec![Unwanted; 3], 3));
        }
        let (verdicts, steps) = played(&[LONG, OTHER, KING, SHORT], Extent::Nothing, 0..4);
        assert_eq!(verdicts, [Unwanted, Unwanted, Wanted, Unwanted]);
        assert_eq!(steps, 3);
        assert_eq!(played(&[LONG, KING], Extent::Moves(2), 0..2).1, 3);
        assert_eq!(played(&[LONG, KING], Extent::Moves(5), 0..2).1, 5);
        assert_eq!(played(&[SHORT, KING], Extent::Moves(9), 0..2).1, 6);
        assert_eq!(played(&[LONG, KING], Extent::Moves(0), 0..2).1, 3);
        assert_eq!(played(&[LONG, KING], Extent::Text, 0..2).1, 20);
        // All of game 9 is needed.
        assert_eq!(played(&[LONG, LONG], Extent::Nothing, 8..10), (vec![Unwanted, Open], 20));
    }
}
