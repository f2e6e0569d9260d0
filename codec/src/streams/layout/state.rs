//! State of the layout model, which learns from game to game, and the coding of one game's layout.

use std::ops::Range;

use super::choices::{Choices, MAX_PROFILES, tag_set};
use super::fit::fit;
use super::gaps::{self, Gaps, Reflowed};
use super::page::Page;
use super::phrases::PhraseDictionary;
use super::profile::Profile;
use super::spelling::{self, Script};
use super::visitor::{LayoutVisitor, Matcher, MissModels, Transcriber, Trusting};
use super::wrap;
use crate::entropy::{BitModel, Coder, Decoder};
use crate::pgn::{Game, San};
use crate::{Error, Result};

/// A game with more surprisals than this gets a profile of its own.
const FORK: usize = 12;

/// A game as it was read.
pub(super) struct Original<'a> {
    pub script: Script,
    pub page: Page<'a>,
    pub range: Range<usize>,
}

impl Original<'_> {
    fn transcribe<S: LayoutVisitor>(
        &self,
        visitor: &mut S,
        dictionary: &mut PhraseDictionary,
        profile: &mut Profile,
    ) -> Result<Vec<Reflowed>> {
        let mut reflowed = Vec::new();
        self.script.transcribe(visitor, dictionary, profile)?;
        let gaps = Gaps::Read { game: self.range.clone(), reflowed: &mut reflowed };
        gaps::transcribe(visitor, dictionary, profile, self.page, gaps)?;
        Ok(reflowed)
    }
}

/// The state of the stream between games.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    /// No output may be longer.
    limit: usize,
    pub(super) dictionary: PhraseDictionary,
    pub(super) profiles: Vec<Profile>,
    surprisals: MissModels,
    pub(super) choices: Choices,
    as_expected: BitModel,
    fork: BitModel,
    pub(super) wrap_models: wrap::Models,
}

/// How a game's layout is coded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Choice {
    profile: usize,
    exact: bool,
    fork: bool,
}

impl Layout {
    pub fn new(limit: usize) -> Layout {
        let mut dictionary = PhraseDictionary::new(limit);
        let profiles = vec![Profile::new(&mut dictionary)];
        Layout {
            limit,
            dictionary,
            profiles,
            surprisals: MissModels::new(),
            choices: Choices::new(),
            as_expected: BitModel::with_limit(1023),
            fork: BitModel::default(),
            wrap_models: wrap::Models::new(),
        }
    }

    /// No output may be longer than this.
    pub fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
        self.dictionary.set_limit(limit);
    }

    /// The phrase to be expected with a profile in the context of this index.
    pub fn favourite(&self, profile: usize, context: usize) -> &[u8] {
        self.dictionary.get(self.profiles[profile].favourite(context))
    }

    pub fn write_game<C: Coder>(
        &mut self,
        encoder: &mut C,
        game: &Game,
        original: &Original,
    ) -> Result<Vec<Reflowed>> {
        let tag_set = tag_set(game);
        let choice = self.choose(original, self.choices.usual(tag_set));
        let choice = self.open(encoder, tag_set, choice)?;
        let Layout { dictionary, profiles, surprisals, wrap_models, .. } = self;
        let profile = &mut profiles[choice.profile];
        if choice.exact {
            return original.transcribe(&mut Trusting, dictionary, profile);
        }
        let fitting = fit(dictionary, profile, original.page, &original.range);
        profile.wrap = wrap_models.code(encoder, profile.wrap, fitting)?;
        original.transcribe(&mut Transcriber { coder: encoder, surprisals }, dictionary, profile)
    }

    pub fn read_game(
        &mut self,
        decoder: &mut Decoder,
        game: &Game,
        sans: &[San],
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let unknown = Choice { profile: 0, exact: false, fork: false };
        let choice = self.open(decoder, tag_set(game), unknown)?;
        let Layout { dictionary, profiles, surprisals, wrap_models, limit, .. } = self;
        let profile = &mut profiles[choice.profile];
        if choice.exact {
            return print(&mut Trusting, dictionary, profile, game, sans, out, *limit);
        }
        profile.wrap = wrap_models.code(decoder, profile.wrap, profile.wrap)?;
        let mut visitor = Transcriber { coder: decoder, surprisals };
        print(&mut visitor, dictionary, profile, game, sans, out, *limit)
    }

    /// The profile that fits a game best, preferably the `usual` one.
    fn choose(&mut self, original: &Original, usual: usize) -> Choice {
        let mut best = (usize::MAX, usual);
        let order = std::iter::once(usual).chain((0..self.profiles.len()).filter(|&p| p != usual));
        for index in order {
            let mut matcher = Matcher { misses: 0, limit: best.0 };
            // The only error is to be worse than the best so far.
            let better =
                original.transcribe(&mut matcher, &mut self.dictionary, &mut self.profiles[index]);
            if better.is_ok() {
                best = (matcher.misses, index);
            }
            if best.0 == 0 {
                break;
            }
        }
        let fork = best.0 > FORK && self.profiles.len() < MAX_PROFILES;
        Choice { profile: best.1, exact: best.0 == 0, fork }
    }

    /// Codes which profile a game has; with a fork, a new one that starts as a copy.
    fn open<C: Coder>(&mut self, coder: &mut C, tag_set: usize, choice: Choice) -> Result<Choice> {
        let profile = self.choices.code(coder, tag_set, choice.profile)?;
        if profile >= self.profiles.len() {
            return Err(Error::damaged("a layout profile that does not exist"));
        }
        let exact = self.as_expected.code(coder, choice.exact)?;
        let fork = !exact && self.fork.code(coder, choice.fork)?;
        let mut choice = Choice { profile, exact, fork };
        if fork {
            if self.profiles.len() >= MAX_PROFILES {
                return Err(Error::damaged("too many layout profiles"));
            }
            choice.profile = self.profiles.len();
            self.profiles.push(self.profiles[profile].clone());
        }
        self.choices.saw(tag_set, choice.profile);
        Ok(choice)
    }
}

fn print<S: LayoutVisitor>(
    visitor: &mut S,
    dictionary: &mut PhraseDictionary,
    profile: &mut Profile,
    game: &Game,
    sans: &[San],
    out: &mut Vec<u8>,
    limit: usize,
) -> Result<()> {
    let atoms =
        spelling::write(visitor, dictionary, profile, game, sans, limit - out.len().min(limit))?;
    let page = Page { text: &atoms.text, atoms: &atoms.atoms };
    gaps::transcribe(visitor, dictionary, profile, page, Gaps::Write { out, limit })
}
