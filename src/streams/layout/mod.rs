//! Everything between the tokens, and unusual spellings: what turns games back
//! into the exact bytes they were read from.
//!
//! Every detail is a phrase (a gap, a move number's dots, the form of a
//! spelling) chosen in a context, and every context has a favourite. A game in
//! which all favourites are right, line breaks included, costs one binary event.
//! The most frequent symbols are kept in several profiles, so that an archive
//! put together from several sources does not have to learn again and again.

mod context;
mod gaps;
mod page;
mod phrases;
mod prior;
mod profile;
mod spelling;
mod visitor;
mod wrap;

use std::ops::Range;

use rayon::prelude::*;

use self::gaps::{Gaps, Reflowed};
use self::page::{Page, too_long};
use self::phrases::PhraseDictionary;
pub use self::prior::LayoutPrior;
use self::profile::{Choices, MAX_PROFILES, Profile, tag_set};
use self::spelling::Script;
use self::visitor::{LayoutVisitor, Matcher, MissModels, Transcriber, Trusting};
use crate::entropy::{BitModel, Coder, Decoder, Encoder};
use crate::pgn::{Atom, Game, Item, San, Token};
use crate::{Error, Result};

/// Codes the layout of items, which were read from these ranges of `input`, with these atoms; it begins with `prior`.
///
/// Line breaks in comments that follow the rule by which the rest of the game is
/// broken are part of the layout: they become spaces in `items`. So code
/// the comments after this.
///
/// # Errors
/// [`Error::Usage`] if the items were not read from this input.
pub fn encode(
    input: &[u8],
    items: &mut [Item],
    ranges: &[Range<usize>],
    atoms: &[Vec<Atom>],
    prior: &LayoutPrior,
) -> Result<Vec<u8>> {
    let mut encoder = Encoder::new();
    let mut layout = Layout::clone(&prior.0);
    let scripts: Vec<Result<Script>> = items
        .par_iter()
        .zip(atoms)
        .zip(ranges)
        .map(|((item, atoms), range)| match item {
            Item::Game(_) if !lie_in(atoms, range, input.len()) => {
                Err(Error::Usage("a document that was read from something else".into()))
            }
            Item::Game(game) => Script::read(game, input, atoms),
            Item::Text(_) => Ok(Script::default()),
        })
        .collect();
    for (((item, script), range), atoms) in items.iter_mut().zip(scripts).zip(ranges).zip(atoms) {
        let Item::Game(game) = item else { continue };
        let original =
            Original { script: script?, page: Page { text: input, atoms }, range: range.clone() };
        let reflowed = layout.write_game(&mut encoder, game, &original)?;
        // Behind the tags every atom that is no number belongs to a token.
        let atoms = atoms.iter().enumerate().skip(game.tags.len());
        let places = atoms.filter(|(_, atom)| !atom.kind.is_number()).map(|(index, _)| index);
        let mut places = places.zip(&mut game.tokens);
        for (index, bytes) in reflowed {
            if let Some((_, token)) = places.find(|&(place, _)| place == index) {
                *token = Token::Comment(bytes);
            }
        }
    }
    Ok(encoder.finish())
}

/// Prints `items`, which are complete but for their layout, as the bytes they
/// were read from; `len` is how many they are. With them comes where each item ends.
///
/// # Errors
/// [`Error::Damaged`] if `bytes` are not what [`encode`] wrote for these items.
pub fn decode(
    bytes: &[u8],
    items: &[Item],
    len: usize,
    prior: &LayoutPrior,
) -> Result<(Vec<u8>, Vec<usize>)> {
    // Replaying the moves is most of the work, and needs nothing of the stream.
    let spelled: Vec<Result<Vec<San>>> = items
        .par_iter()
        .map(|item| match item {
            Item::Game(game) => spelling::canonical(game),
            Item::Text(_) => Ok(Vec::new()),
        })
        .collect();
    let mut decoder = Decoder::new(bytes);
    let mut layout = Layout::clone(&prior.0);
    layout.set_limit(len);
    let mut out = Vec::new();
    let mut ends = Vec::with_capacity(items.len());
    for (item, spelled) in items.iter().zip(spelled) {
        match item {
            Item::Text(text) => out.extend_from_slice(text),
            Item::Game(game) => layout.read_game(&mut decoder, game, &spelled?, &mut out)?,
        }
        if out.len() > len {
            return Err(too_long());
        }
        ends.push(out.len());
    }
    match out.len() == len {
        true => Ok((out, ends)),
        false => Err(Error::damaged("less text than there should be")),
    }
}

/// Whether the atoms of a game follow each other in its range, and that in an input of `len` bytes.
fn lie_in(atoms: &[Atom], game: &Range<usize>, len: usize) -> bool {
    let starts = atoms.iter().map(|atom| atom.range().start).chain([game.end, len]);
    let ends = atoms.iter().map(|atom| atom.range().end).chain([game.end]);
    [game.start].into_iter().chain(ends).zip(starts).all(|(end, start)| end <= start)
}

/// A game with more surprisals than this gets a profile of its own.
const FORK: usize = 12;
/// A game as it was read.
struct Original<'a> {
    script: Script,
    page: Page<'a>,
    range: Range<usize>,
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
struct Layout {
    /// No output may be longer.
    limit: usize,
    dictionary: PhraseDictionary,
    profiles: Vec<Profile>,
    surprisals: MissModels,
    choices: Choices,
    as_expected: BitModel,
    fork: BitModel,
    wrap_models: wrap::Models,
}

/// How a game's layout is coded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Choice {
    profile: usize,
    exact: bool,
    fork: bool,
}

impl Layout {
    fn new(limit: usize) -> Layout {
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
    fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
        self.dictionary.set_limit(limit);
    }

    /// The phrase to be expected with a profile in the context of this index.
    fn favourite(&self, profile: usize, context: usize) -> &[u8] {
        self.dictionary.get(self.profiles[profile].favourite(context))
    }

    fn write_game<C: Coder>(
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
        let fitting = wrap::fit(dictionary, profile, original.page, &original.range);
        profile.wrap = wrap_models.code(encoder, profile.wrap, fitting)?;
        original.transcribe(&mut Transcriber { coder: encoder, surprisals }, dictionary, profile)
    }

    fn read_game(
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
