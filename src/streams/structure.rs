//! Which tokens stand between the moves.

use super::top_symbols::TopSymbols;
use crate::entropy::{BitModel, Coder, ContextMixer, Decoder, Encoder, SymbolModel, hash};
use crate::pgn::{Branch, Game, Line, MAX_DEPTH, MAX_LINES, Outcome, Token};
use crate::{Error, Result};

/// Codes the tokens of `games`, without the bytes of comments and text, and with
/// that the lengths of variations.
///
/// A game that goes as expected, be it without comments or with one after every
/// move, takes one binary event that is next to free.
///
/// # Errors
/// [`Error::Usage`] for games that [`parse`](crate::pgn::parse) does not make.
pub fn encode(games: &[Game]) -> Result<Vec<u8>> {
    let mut encoder = Encoder::new();
    let mut models = Models::new();
    for game in games {
        let steps = steps(game);
        let mut budget = usize::MAX;
        let skeleton = models
            .code_game(&mut encoder, game, &steps, &mut budget)
            .map_err(|_| Error::Usage("a game whose tokens do not fit its moves".into()))?;
        if skeleton.tokens.len() != game.tokens.len() {
            return Err(Error::Usage("a game that goes on after its end".into()));
        }
    }
    Ok(encoder.finish())
}

/// Reads what [`encode`] wrote into `games`, which have their tags and the moves of line 0:
/// fills in `tokens`, with empty comments and texts, and adds the variations,
/// still without moves. For each game, returns how many moves each variation has.
///
/// # Errors
/// [`Error::Damaged`] if `bytes` do not fit `games`, or if there are more than `limit`
/// tokens: every token takes at least one byte of its block.
pub fn decode(bytes: &[u8], games: &mut [Game], limit: usize) -> Result<Vec<Vec<u32>>> {
    let mut decoder = Decoder::new(bytes);
    let mut models = Models::new();
    let mut budget = limit;
    games
        .iter_mut()
        .map(|game| {
            game.lines.truncate(1);
            let skeleton = models.code_game(&mut decoder, game, &[], &mut budget)?;
            game.tokens = skeleton.tokens;
            let variations = skeleton.branches.iter();
            game.lines
                .extend(variations.map(|&branch| Line { branch: Some(branch), moves: Vec::new() }));
            Ok(skeleton.lengths)
        })
        .collect()
}

/// A token without its bytes, or the end of a game that just stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Step {
    kind: u32,
    /// The number of a NAG or an outcome; 0 for all others.
    value: u32,
}

const MOVE: u32 = 0;
const NAG: u32 = 1;
const COMMENT: u32 = 2;
const LINE_COMMENT: u32 = 3;
const ESCAPE: u32 = 4;
const OPEN: u32 = 5;
const CLOSE: u32 = 6;
const OUTCOME: u32 = 7;
const TEXT: u32 = 8;
const END: u32 = 9;
/// What stands before the first token.
const START: u32 = 10;
/// How many bits of [`Progress::history`] the guess looks at: three tokens.
const GUESS_BITS: u32 = 12;
const NO_HISTORY: u32 = START * 0x1111_1111;

const OUTCOMES: [Outcome; 4] = [Outcome::White, Outcome::Black, Outcome::Draw, Outcome::Unknown];

fn outcome_index(outcome: Outcome) -> u32 {
    match outcome {
        Outcome::White => 0,
        Outcome::Black => 1,
        Outcome::Draw => 2,
        Outcome::Unknown => 3,
    }
}

fn steps(game: &Game) -> Vec<Step> {
    let step = |token: &Token| match *token {
        Token::Move => Step { kind: MOVE, value: 0 },
        Token::Nag(number) => Step { kind: NAG, value: u32::from(number) },
        Token::Comment(_) => Step { kind: COMMENT, value: 0 },
        Token::LineComment(_) => Step { kind: LINE_COMMENT, value: 0 },
        Token::Escape(_) => Step { kind: ESCAPE, value: 0 },
        Token::Open => Step { kind: OPEN, value: 0 },
        Token::Close => Step { kind: CLOSE, value: 0 },
        Token::Outcome(outcome) => Step { kind: OUTCOME, value: outcome_index(outcome) },
        Token::Text(_) => Step { kind: TEXT, value: 0 },
    };
    let end = Step { kind: END, value: 0 };
    game.tokens.iter().map(step).chain([end]).collect()
}

/// What the stream knows of a game: tokens without bytes, lines without moves.
#[derive(Debug, Default)]
struct Skeleton {
    tokens: Vec<Token>,
    branches: Vec<Branch>,
    lengths: Vec<u32>,
}

/// A game's tokens as far as they are known.
struct Progress {
    /// Moves of line 0 that are still to come.
    remaining: usize,
    /// The lines that are open, the innermost last: index and moves so far.
    open: Vec<(u32, u32)>,
    /// The last eight kinds of token, four bits each, the latest lowest.
    history: u32,
    /// Wrong guesses.
    surprises: u32,
    done: bool,
    skeleton: Skeleton,
}

impl Progress {
    fn new(remaining: usize) -> Progress {
        Progress {
            remaining,
            open: vec![(0, 0)],
            history: NO_HISTORY,
            surprises: 0,
            done: false,
            skeleton: Skeleton::default(),
        }
    }

    fn place(&self) -> u32 {
        match (&self.open[..], self.remaining) {
            ([_], 0) => 0,
            ([_], _) => 1,
            ([.., (_, 0)], _) => 2,
            ([.., (_, 1)], _) => 3,
            _ => 4,
        }
    }

    fn context(&self) -> usize {
        (self.place() << GUESS_BITS | self.history & ((1 << GUESS_BITS) - 1)) as usize
    }

    /// Ever more of the past, and where in its line the token stands.
    fn contexts(&self) -> [u32; CONTEXTS_MIXED] {
        let place = self.place();
        let (depth, played) = (self.open.len() as u32, self.open.last().map_or(0, |open| open.1));
        let past = |tokens: u32| self.history & (u32::MAX >> (32 - 4 * tokens));
        [
            hash(place, past(1)),
            hash(place | 1 << 8, past(2)),
            hash(place | 2 << 8, past(3)),
            hash(place | 5 << 8 | past(1) << 12, played.min(8) << 4 | depth.min(15)),
            hash(place | 6 << 8 | past(2) << 12, (played % 2) << 4 | depth.min(3)),
            hash(place | 7 << 8 | past(2) << 12, self.surprises.min(20)),
        ]
    }

    /// Adds a token.
    fn take(&mut self, step: Step) -> Result<()> {
        let ends = matches!(step.kind, OUTCOME | TEXT | END);
        let depth = self.open.len() - 1;
        let Some((line, played)) = self.open.last_mut() else {
            return Err(Error::damaged("a token outside of all lines"));
        };
        let fits = match step.kind {
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
        match step.kind {
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
        let token = match step.kind {
            MOVE => Token::Move,
            NAG => Token::Nag(step.value as u8),
            COMMENT => Token::Comment(Vec::new()),
            LINE_COMMENT => Token::LineComment(Vec::new()),
            ESCAPE => Token::Escape(Vec::new()),
            OPEN => Token::Open,
            CLOSE => Token::Close,
            OUTCOME => Token::Outcome(OUTCOMES[step.value as usize & 3]),
            TEXT => Token::Text(Vec::new()),
            _ => {
                self.done = true;
                return Ok(());
            }
        };
        self.skeleton.tokens.push(token);
        self.history = self.history << 4 | step.kind;
        self.done = ends;
        Ok(())
    }
}

struct Models {
    as_expected: BitModel,
    /// For each context, what follows.
    kinds: Vec<TopSymbols>,
    /// Whether the guess is right, and what it is otherwise, a binary tree of depth 4.
    mixing: ContextMixer,
    /// For each value of the tag Result, and for its absence, the outcome.
    outcomes: Vec<TopSymbols>,
    outcome_models: Vec<SymbolModel>,
    nag: TopSymbols,
    /// NAGs behind NAGs, and others.
    nag_models: [SymbolModel; 2],
}

const CONTEXTS: usize = 5 << GUESS_BITS;
const CONTEXTS_MIXED: usize = 6;
/// Kinds of binary events for [`ContextMixer`].
const RIGHT: usize = 0;
const KIND: usize = 1;
const FAMILIES: usize = 2;

impl Models {
    fn new() -> Models {
        let guess = |context: usize| match context >> GUESS_BITS {
            0 if context as u32 & 15 == START => END,
            0 => OUTCOME,
            _ => MOVE,
        };
        Models {
            as_expected: BitModel::with_limit(1023),
            kinds: (0..CONTEXTS).map(|context| TopSymbols::new(guess(context))).collect(),
            mixing: ContextMixer::new(16, CONTEXTS_MIXED, FAMILIES, 16),
            outcomes: (0..5).map(|result| TopSymbols::new(result.min(3))).collect(),
            outcome_models: vec![SymbolModel::new(2); 5],
            nag: TopSymbols::new(1),
            nag_models: [SymbolModel::new(8), SymbolModel::new(8)],
        }
    }

    /// Codes one game; `steps` are its tokens, and empty when decoding.
    fn code_game<C: Coder>(
        &mut self,
        coder: &mut C,
        game: &Game,
        steps: &[Step],
        budget: &mut usize,
    ) -> Result<Skeleton> {
        let moves = game.lines.first().map_or(0, |line| line.moves.len());
        let result = game
            .tag("Result")
            .and_then(Outcome::from_bytes)
            .map_or(4, |outcome| outcome_index(outcome) as usize);
        let expected = !C::DECODING && self.expects(steps, moves, result);
        let expected = self.as_expected.code(coder, expected)?;
        let mut progress = Progress::new(moves);
        let mut steps = steps.iter();
        while !progress.done {
            *budget =
                budget.checked_sub(1).ok_or_else(|| Error::damaged("more tokens than bytes"))?;
            let context = progress.context();
            let step = if expected {
                self.guess(context, result)
            } else {
                let step = steps.next().copied().unwrap_or(Step { kind: END, value: 0 });
                self.code_step(coder, context, result, &progress, step)?
            };
            progress.surprises += u32::from(step.kind != self.kinds[context].guess());
            self.kinds[context].saw(step.kind);
            match step.kind {
                OUTCOME => self.outcomes[result].saw(step.value),
                NAG => self.nag.saw(step.value),
                _ => {}
            }
            progress.take(step)?;
        }
        Ok(progress.skeleton)
    }

    fn code_step<C: Coder>(
        &mut self,
        coder: &mut C,
        context: usize,
        result: usize,
        progress: &Progress,
        step: Step,
    ) -> Result<Step> {
        let kind = self.code_kind(coder, self.kinds[context].guess(), progress, step.kind)?;
        let value = match kind {
            OUTCOME => self.outcome_models[result].code(coder, step.value)?,
            NAG => {
                let behind_nag = usize::from(progress.history & 15 == NAG);
                self.nag_models[behind_nag].code(coder, step.value)?
            }
            _ => 0,
        };
        if kind > END {
            return Err(Error::damaged("an unknown kind of token"));
        }
        Ok(Step { kind, value })
    }

    fn code_kind<C: Coder>(
        &mut self,
        coder: &mut C,
        guess: u32,
        progress: &Progress,
        kind: u32,
    ) -> Result<u32> {
        let contexts = progress.contexts();
        let detail = guess as usize;
        let of_guess = contexts.map(|context| hash(context, guess));
        if self.mixing.code(coder, &of_guess, RIGHT, detail, kind == guess)? {
            return Ok(guess);
        }
        let mut node = 1;
        for shift in (0..4).rev() {
            let at_node = contexts.map(|context| hash(context, 16 + node));
            let bit = kind >> shift & 1 != 0;
            let bit = self.mixing.code(coder, &at_node, KIND, node as usize, bit)?;
            node = node << 1 | u32::from(bit);
        }
        Ok(node - 16)
    }

    fn guess(&self, context: usize, result: usize) -> Step {
        let kind = self.kinds[context].guess();
        let value = match kind {
            OUTCOME => self.outcomes[result].guess(),
            NAG => self.nag.guess(),
            _ => 0,
        };
        Step { kind, value }
    }

    /// Whether every guess is right. A right guess changes no later one, so
    /// nothing needs to be learned on the way.
    fn expects(&self, steps: &[Step], moves: usize, result: usize) -> bool {
        let mut progress = Progress::new(moves);
        steps.iter().all(|&step| {
            progress.done
                || self.guess(progress.context(), result) == step && progress.take(step).is_ok()
        })
    }
}
