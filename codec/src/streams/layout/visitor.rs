//! The ways to go through a layout: comparing, trusting, coding.

use super::context::Context;
use super::phrases::{PhraseDictionary, PhraseId, Topic};
use super::profile::Profile;
use crate::entropy::{BitModel, Coder};
use crate::{Error, Result};

/// A choice of a phrase.
#[derive(Debug, Clone, Copy)]
pub(super) struct Query {
    pub topic: Topic,
    pub context: Context,
    /// The phrase to be expected.
    pub guess: PhraseId,
    /// True if the guess is not the context's favourite, but comes from a rule.
    pub ruled: bool,
}

impl Query {
    /// The choice whose guess is the context's favourite.
    pub fn favourite(topic: Topic, context: Context, profile: &Profile) -> Query {
        Query { topic, context, guess: profile.guess(context), ruled: false }
    }
}

/// A way through a layout, which answers each query; `actual` is the answer as
/// the input has it, and `None` when decoding.
pub(super) trait LayoutVisitor {
    fn pick(
        &mut self,
        dictionary: &mut PhraseDictionary,
        profile: &mut Profile,
        query: Query,
        actual: Option<&[u8]>,
    ) -> Result<PhraseId>;
}

/// Counts how often the guess is wrong, and gives up when that is too often.
/// Nothing is learned.
pub(super) struct Matcher {
    pub misses: usize,
    pub limit: usize,
}

impl LayoutVisitor for Matcher {
    fn pick(
        &mut self,
        dictionary: &mut PhraseDictionary,
        _: &mut Profile,
        query: Query,
        actual: Option<&[u8]>,
    ) -> Result<PhraseId> {
        if actual != Some(dictionary.get(query.guess)) {
            self.misses += 1;
            if self.misses >= self.limit {
                return Err(Error::Usage("more surprisals than wanted".into()));
            }
        }
        Ok(query.guess)
    }
}

/// Takes every guess for right, and learns from it.
pub(super) struct Trusting;

impl LayoutVisitor for Trusting {
    fn pick(
        &mut self,
        _: &mut PhraseDictionary,
        profile: &mut Profile,
        query: Query,
        _: Option<&[u8]>,
    ) -> Result<PhraseId> {
        if !query.ruled {
            profile.saw(query.context, query.guess);
        }
        Ok(query.guess)
    }
}

/// Codes whether the guess is right, and the phrase if it is not.
pub(super) struct Transcriber<'a, C> {
    pub coder: &'a mut C,
    pub surprisals: &'a mut MissModels,
}

impl<C: Coder> LayoutVisitor for Transcriber<'_, C> {
    fn pick(
        &mut self,
        dictionary: &mut PhraseDictionary,
        profile: &mut Profile,
        query: Query,
        actual: Option<&[u8]>,
    ) -> Result<PhraseId> {
        let wrong = actual.is_some_and(|actual| actual != dictionary.get(query.guess));
        let wrong = self.surprisals.at(query.context, query.ruled).code(self.coder, wrong)?;
        let phrase = match wrong {
            true => dictionary.code(self.coder, query.topic, actual.unwrap_or_default())?,
            false => query.guess,
        };
        if wrong || !query.ruled {
            profile.saw(query.context, phrase);
        }
        Ok(phrase)
    }
}

/// For each context the models of two binary events: that its favourite is wrong, and that what a rule says instead is
/// wrong. Shared by all profiles.
#[derive(Debug, Clone)]
pub(super) struct MissModels(Vec<[BitModel; 2]>);

impl MissModels {
    pub fn new() -> MissModels {
        MissModels(vec![[BitModel::with_limit(1023); 2]; Context::COUNT])
    }

    pub fn at(&mut self, context: Context, ruled: bool) -> &mut BitModel {
        &mut self.0[context.index()][usize::from(ruled)]
    }
}
