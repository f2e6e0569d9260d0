//! Model of the tokens of games.

use super::followers::Followers;
use super::progress::{
    BareToken, CONTEXTS_MIXED, END, NAG, OUTCOME, Progress, SOURCES, Skeleton, bare_tokens,
    outcome_index,
};
use crate::entropy::{BitModel, Coder, ContextMixer, Silent, SymbolModel, hash};
use crate::pgn::{Game, Outcome};
use crate::streams::values::TopSymbols;
use crate::streams::warm::{self, MadeOnce};
use crate::{Error, Result};

/// Everything that is learned of tokens.
pub(super) struct Models {
    habits: Habits,
    /// Whether the guess is right, and what it is otherwise, a binary tree of depth 4. Made for the first game that does
    /// not go as expected.
    mixing: Option<ContextMixer>,
}

/// What usually follows, and how often it does not.
#[derive(Debug, Clone)]
struct Habits {
    /// By the kind of source.
    as_expected: [BitModel; SOURCES],
    /// For each kind of source and context, what follows.
    kinds: Followers,
    /// For each value of the tag Result, and for its absence, the outcome.
    outcomes: Vec<TopSymbols>,
    outcome_models: Vec<SymbolModel>,
    nag: TopSymbols,
    /// NAGs behind NAGs, and others.
    nag_models: [SymbolModel; 2],
}

/// How often each form is seen before the first game.
const PRIMED_TIMES: usize = 3;

fn source(game: &Game) -> usize {
    usize::from(game.tag("UTCTime").is_some())
}

/// Kinds of binary events for [`ContextMixer`].
const RIGHT: usize = 0;
const KIND: usize = 1;
const FAMILIES: usize = 2;

/// The habits after games in the forms of the common sources.
static PRIMED: MadeOnce<Habits> = MadeOnce::new();

impl Habits {
    fn new() -> Habits {
        Habits {
            as_expected: [BitModel::with_limit(1023); SOURCES],
            kinds: Followers::new(),
            outcomes: (0..5).map(|result| TopSymbols::new(result.min(3))).collect(),
            outcome_models: vec![SymbolModel::new(2); 5],
            nag: TopSymbols::new(1),
            nag_models: [SymbolModel::new(8), SymbolModel::new(8)],
        }
    }

    /// What is to be expected in a context.
    fn guess(&self, context: usize, result: usize) -> BareToken {
        let kind = self.kinds.guess(context);
        let value = match kind {
            OUTCOME => self.outcomes[result].guess(),
            NAG => self.nag.guess(),
            _ => 0,
        };
        BareToken { kind, value }
    }
}

impl Models {
    fn new(habits: Habits) -> Models {
        Models { habits, mixing: None }
    }

    /// Models that have seen games in the forms of the common sources.
    pub(super) fn primed() -> Result<Models> {
        let habits = PRIMED.get(|| {
            let mut models = Models::new(Habits::new());
            for game in warm::layouts()?.games() {
                let tokens = bare_tokens(game);
                let mut budget = usize::MAX;
                for _ in 0..PRIMED_TIMES {
                    models.code_game(&mut Silent, game, &tokens, &mut budget)?;
                }
            }
            Ok(models.habits)
        })?;
        Ok(Models::new(habits.clone()))
    }

    /// Codes one game; `tokens` are its tokens, and empty when decoding.
    pub(super) fn code_game<C: Coder>(
        &mut self,
        coder: &mut C,
        game: &Game,
        tokens: &[BareToken],
        budget: &mut usize,
    ) -> Result<Skeleton> {
        let moves = game.lines.first().map_or(0, |line| line.moves.len());
        let result = game
            .tag("Result")
            .and_then(Outcome::from_bytes)
            .map_or(4, |outcome| outcome_index(outcome) as usize);
        let expected = !C::DECODING && self.expects(tokens, moves, source(game), result);
        let expected = self.habits.as_expected[source(game)].code(coder, expected)?;
        let mut progress = Progress::new(moves, source(game));
        let mut tokens = tokens.iter();
        while !progress.done {
            *budget =
                budget.checked_sub(1).ok_or_else(|| Error::damaged("more tokens than bytes"))?;
            let context = progress.context();
            let token = if expected {
                self.habits.guess(context, result)
            } else {
                let token = tokens.next().copied().unwrap_or(BareToken { kind: END, value: 0 });
                self.code_token(coder, context, result, &progress, token)?
            };
            progress.surprisals += u32::from(token.kind != self.habits.kinds.guess(context));
            self.habits.kinds.saw(context, token.kind);
            match token.kind {
                OUTCOME => self.habits.outcomes[result].saw(token.value),
                NAG => self.habits.nag.saw(token.value),
                _ => {}
            }
            progress.take(token)?;
        }
        Ok(progress.skeleton)
    }

    fn code_token<C: Coder>(
        &mut self,
        coder: &mut C,
        context: usize,
        result: usize,
        progress: &Progress,
        token: BareToken,
    ) -> Result<BareToken> {
        let kind = self.code_kind(coder, self.habits.kinds.guess(context), progress, token.kind)?;
        let value = match kind {
            OUTCOME => self.habits.outcome_models[result].code(coder, token.value)?,
            NAG => {
                let behind_nag = usize::from(progress.history & 15 == NAG);
                self.habits.nag_models[behind_nag].code(coder, token.value)?
            }
            _ => 0,
        };
        if kind > END {
            return Err(Error::damaged("an unknown kind of token"));
        }
        Ok(BareToken { kind, value })
    }

    fn code_kind<C: Coder>(
        &mut self,
        coder: &mut C,
        guess: u32,
        progress: &Progress,
        kind: u32,
    ) -> Result<u32> {
        if !C::LEARNING {
            return Ok(kind);
        }
        let contexts = progress.contexts();
        let mixing =
            self.mixing.get_or_insert_with(|| ContextMixer::new(16, CONTEXTS_MIXED, FAMILIES, 16));
        let detail = guess as usize;
        let of_guess = contexts.map(|context| hash(context, guess));
        if mixing.code(coder, &of_guess, RIGHT, detail, kind == guess)? {
            return Ok(guess);
        }
        let mut node = 1;
        for shift in (0..4).rev() {
            let at_node = contexts.map(|context| hash(context, 16 + node));
            let bit = kind >> shift & 1 != 0;
            let bit = mixing.code(coder, &at_node, KIND, node as usize, bit)?;
            node = node << 1 | u32::from(bit);
        }
        Ok(node - 16)
    }

    /// Whether every guess is right. A right guess changes no later one, so
    /// nothing needs to be learned on the way.
    fn expects(&self, tokens: &[BareToken], moves: usize, source: usize, result: usize) -> bool {
        let mut progress = Progress::new(moves, source);
        tokens.iter().all(|&token| {
            progress.done
                || self.habits.guess(progress.context(), result) == token
                    && progress.take(token).is_ok()
        })
    }
}
