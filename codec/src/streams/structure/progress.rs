//! Progress in a game's tokens: the context of the next one.

use crate::entropy::hash;
use crate::pgn::{Branch, Game, MAX_DEPTH, MAX_LINES, Outcome, Token};
use crate::{Error, Result};

/// A token without its bytes, or the end of a game that just stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BareToken {
    pub(super) kind: u32,
    /// The number of a NAG or an outcome; 0 for all others.
    pub(super) value: u32,
}

pub(super) const MOVE: u32 = 0;
pub(super) const NAG: u32 = 1;
pub(super) const COMMENT: u32 = 2;
pub(super) const LINE_COMMENT: u32 = 3;
pub(super) const ESCAPE: u32 = 4;
pub(super) const OPEN: u32 = 5;
pub(super) const CLOSE: u32 = 6;
pub(super) const OUTCOME: u32 = 7;
pub(super) const TEXT: u32 = 8;
pub(super) const END: u32 = 9;
/// The token before the first one.
pub(super) const START: u32 = 10;
/// Number of bits of [`Progress::history`] that the guess looks at: three tokens.
pub(super) const GUESS_BITS: u32 = 12;
pub(super) const NO_HISTORY: u32 = START * 0x1111_1111;

/// Games that were played on a server have clocks, as a rule, and others have not.
pub(super) const SOURCES: usize = 2;
pub(super) const CONTEXTS: usize = 5 << GUESS_BITS;
pub(super) const CONTEXTS_MIXED: usize = 6;

pub(super) const OUTCOMES: [Outcome; 4] =
    [Outcome::White, Outcome::Black, Outcome::Draw, Outcome::Unknown];

pub(super) fn outcome_index(outcome: Outcome) -> u32 {
    match outcome {
        Outcome::White => 0,
        Outcome::Black => 1,
        Outcome::Draw => 2,
        Outcome::Unknown => 3,
    }
}

/// The tokens of a game without their bytes, and its end.
pub(super) fn bare_tokens(game: &Game) -> Vec<BareToken> {
    let bare = |token: &Token| match *token {
        Token::Move => BareToken { kind: MOVE, value: 0 },
        Token::Nag(number) => BareToken { kind: NAG, value: u32::from(number) },
        Token::Comment(_) => BareToken { kind: COMMENT, value: 0 },
        Token::LineComment(_) => BareToken { kind: LINE_COMMENT, value: 0 },
        Token::Escape(_) => BareToken { kind: ESCAPE, value: 0 },
        Token::Open => BareToken { kind: OPEN, value: 0 },
        Token::Close => BareToken { kind: CLOSE, value: 0 },
        Token::Outcome(outcome) => BareToken { kind: OUTCOME, value: outcome_index(outcome) },
        Token::Text(_) => BareToken { kind: TEXT, value: 0 },
    };
    let end = BareToken { kind: END, value: 0 };
    game.tokens.iter().map(bare).chain([end]).collect()
}

/// A game as far as the stream knows it: tokens without bytes, lines without moves.
#[derive(Debug, Default)]
pub(super) struct Skeleton {
    pub(super) tokens: Vec<Token>,
    pub(super) branches: Vec<Branch>,
    pub(super) lengths: Vec<u32>,
}

/// A game's tokens as far as they are known.
pub(super) struct Progress {
    /// Moves of line 0 that are still to come.
    pub(super) remaining: usize,
    /// The lines that are open, the innermost last: index and moves so far.
    pub(super) open: Vec<(u32, u32)>,
    /// The last eight kinds of token, four bits each, the latest lowest.
    pub(super) history: u32,
    /// Wrong guesses.
    pub(super) surprisals: u32,
    pub(super) done: bool,
    /// The kind of source.
    pub(super) source: usize,
    pub(super) skeleton: Skeleton,
}

impl Progress {
    pub(super) fn new(remaining: usize, source: usize) -> Progress {
        Progress {
            source,
            remaining,
            open: vec![(0, 0)],
            history: NO_HISTORY,
            surprisals: 0,
            done: false,
            skeleton: Skeleton::default(),
        }
    }

    pub(super) fn place(&self) -> u32 {
        match (&self.open[..], self.remaining) {
            ([_], 0) => 0,
            ([_], _) => 1,
            ([.., (_, 0)], _) => 2,
            ([.., (_, 1)], _) => 3,
            _ => 4,
        }
    }

    pub(super) fn context(&self) -> usize {
        let context = self.place() << GUESS_BITS | self.history & ((1 << GUESS_BITS) - 1);
        self.source * CONTEXTS + context as usize
    }

    /// Ever more of the past, and where in its line the token stands.
    pub(super) fn contexts(&self) -> [u32; CONTEXTS_MIXED] {
        let place = self.place();
        let (depth, played) = (self.open.len() as u32, self.open.last().map_or(0, |open| open.1));
        let past = |tokens: u32| self.history & (u32::MAX >> (32 - 4 * tokens));
        [
            hash(place, past(1)),
            hash(place | 1 << 8, past(2)),
            hash(place | 2 << 8, past(3)),
            hash(place | 5 << 8 | past(1) << 12, played.min(8) << 4 | depth.min(15)),
            hash(place | 6 << 8 | past(2) << 12, (played % 2) << 4 | depth.min(3)),
            hash(place | 7 << 8 | past(2) << 12, self.surprisals.min(20)),
        ]
    }

    /// Adds a token.
    pub(super) fn take(&mut self, bare: BareToken) -> Result<()> {
        let ends = matches!(bare.kind, OUTCOME | TEXT | END);
        let depth = self.open.len() - 1;
        let Some((line, played)) = self.open.last_mut() else {
            return Err(Error::damaged("a token outside of all lines"));
        };
        let fits = match bare.kind {
            MOVE => depth > 0 || self.remaining > 0,
            OPEN => {
                *played > 0 && depth < MAX_DEPTH && self.skeleton.branches.len() + 1 < MAX_LINES
            }
            CLOSE => depth > 0,
            OUTCOME | TEXT | END => self.remaining == 0,
            _ => true,
        };
        if !fits {
            return Err(Error::damaged("a token that cannot stand where it does"));
        }
        match bare.kind {
            MOVE => {
                *played += 1;
                if depth == 0 {
                    self.remaining -= 1;
                } else {
                    self.skeleton.lengths[*line as usize - 1] += 1;
                }
            }
            OPEN => {
                self.skeleton.branches.push(Branch { line: *line, ply: *played - 1 });
                self.skeleton.lengths.push(0);
                self.open.push((self.skeleton.branches.len() as u32, 0));
            }
            CLOSE => drop(self.open.pop()),
            _ => {}
        }
        let token = match bare.kind {
            MOVE => Token::Move,
            NAG => Token::Nag(bare.value as u8),
            COMMENT => Token::Comment(Vec::new()),
            LINE_COMMENT => Token::LineComment(Vec::new()),
            ESCAPE => Token::Escape(Vec::new()),
            OPEN => Token::Open,
            CLOSE => Token::Close,
            OUTCOME => Token::Outcome(OUTCOMES[bare.value as usize & 3]),
            TEXT => Token::Text(Vec::new()),
            _ => {
                self.done = true;
                return Ok(());
            }
        };
        self.skeleton.tokens.push(token);
        self.history = self.history << 4 | bare.kind;
        self.done = ends;
        Ok(())
    }
}
