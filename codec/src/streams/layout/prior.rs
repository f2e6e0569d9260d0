//! The prior of a block's layouts: the state that each of its pages begins with.
//!
//! The favourites of each profile, the rules by which lines break, and which profile games with certain tags have, as
//! far as they differ from what is known of the common sources. They are learned from games all over the block, and
//! coded with its columns.

use std::ops::Range;
use std::sync::Arc;

use super::choices::MAX_PROFILES;
use super::context::CONTEXTS;
use super::page::Page;
use super::phrases::Topic;
use super::primed::primed;
use super::spelling::Script;
use super::{Layout, Original};
use crate::entropy::{BitModel, Coder, Decoder, Encoder, NumberModel, Silent};
use crate::pgn::{Atom, Item};
use crate::{Error, Result};

/// The state that the layouts of a block's pages begin with.
#[derive(Debug, Clone)]
pub struct LayoutPrior(pub(super) Arc<Layout>);

/// From so many games of a block at most, and twice as many at that, is learned.
const SAMPLE: usize = 512;

impl LayoutPrior {
    /// The state without a block: what is known of the common sources.
    ///
    /// # Errors
    /// None, but for a build with damaged tables.
    pub fn usual() -> Result<LayoutPrior> {
        Ok(LayoutPrior(primed()?))
    }

    /// Learns the state from items that were read from these ranges of `input`, and codes it: in no bytes if it is
    /// the [usual](LayoutPrior::usual) one.
    ///
    /// # Errors
    /// [`Error::Usage`] if the items were not read from this input.
    // Atoms are not stable.
    #[doc(hidden)]
    pub fn encode(
        input: &[u8],
        items: &[Item],
        ranges: &[Range<usize>],
        atoms: &[Vec<Atom>],
    ) -> Result<(Vec<u8>, LayoutPrior)> {
        let mut learned = Layout::clone(&*primed()?);
        let every = (items.len() / SAMPLE).max(1);
        for ((item, range), atoms) in items.iter().zip(ranges).zip(atoms).step_by(every) {
            let Item::Game(game) = item else { continue };
            let script = Script::read(game, input, atoms)?;
            let original =
                Original { script, page: Page { text: input, atoms }, range: range.clone() };
            learned.write_game(&mut Silent, game, &original)?;
        }
        let mut encoder = Encoder::new();
        let mut state = Layout::clone(&*primed()?);
        code(&mut encoder, &mut state, Some(&learned))?;
        // The columns have no bytes of a prior that is as usual, and coding it has taught `state` something.
        match encoder.finish() {
            coded if coded.is_empty() => Ok((coded, LayoutPrior::usual()?)),
            coded => Ok((coded, LayoutPrior(state.into()))),
        }
    }

    /// The state that was coded, for a block of `limit` bytes.
    ///
    /// # Errors
    /// [`Error::Damaged`] if `bytes` is not what [`LayoutPrior::encode`] writes.
    pub fn decode(bytes: &[u8], limit: usize) -> Result<LayoutPrior> {
        let mut state = Layout::clone(&*primed()?);
        state.set_limit(limit);
        code(&mut Decoder::new(bytes), &mut state, None)?;
        Ok(LayoutPrior(state.into()))
    }
}

/// Codes how `state` differs from what was learned, which is unknown when decoding, and makes it so.
fn code<C: Coder>(coder: &mut C, state: &mut Layout, learned: Option<&Layout>) -> Result<()> {
    let mut numbers = NumberModel::new();
    let mut number = |coder: &mut C, number: usize, limit: usize| {
        let number = numbers.code(coder, number as u64)?;
        let found = usize::try_from(number).ok().filter(|&number| number < limit);
        found.ok_or_else(|| Error::damaged("a layout that cannot be"))
    };
    let known = state.profiles.len();
    let further = learned.map_or(0, |learned| learned.profiles.len() - known);
    let further = number(coder, further, MAX_PROFILES - known + 1)?;
    for index in 0..known + further {
        if index >= known {
            let base = learned.map_or(0, |learned| nearest(state, learned, index));
            let base = number(coder, base, index)?;
            state.profiles.push(state.profiles[base].clone());
        }
        let changed =
            learned.map_or_else(Vec::new, |learned| differences(state, index, learned, index));
        let count = number(coder, changed.len(), CONTEXTS + 1)?;
        let mut next = 0;
        for place in 0..count {
            let context = changed.get(place).map_or(0, |&context| context - next);
            let context = next + number(coder, context, CONTEXTS - next)?;
            let favourite = learned.map_or(&b""[..], |learned| learned.favourite(index, context));
            let phrase = state.dictionary.code(coder, Topic::Gap, favourite)?;
            state.profiles[index].set(context, phrase);
            next = (context + 1).min(CONTEXTS - 1);
        }
        let wrap = state.profiles[index].wrap;
        let learned = learned.map_or(wrap, |learned| learned.profiles[index].wrap);
        state.profiles[index].wrap = state.wrap_models.code(coder, wrap, learned)?;
    }
    let mut differs = BitModel::default();
    for tag_set in 0..state.choices.habits.len() {
        let usual = state.choices.usual(tag_set);
        let learned = learned.map_or(usual, |learned| learned.choices.usual(tag_set));
        if differs.code(coder, learned != usual)? {
            let profile = number(coder, learned, state.profiles.len())?;
            state.choices.saw(tag_set, profile);
        }
    }
    Ok(())
}

/// The profile of `state` that is most like a profile of `learned`.
fn nearest(state: &Layout, learned: &Layout, index: usize) -> usize {
    let distance = |base: &usize| differences(state, *base, learned, index).len();
    (0..state.profiles.len()).min_by_key(distance).unwrap_or(0)
}

/// The contexts whose favourites are not the same in a profile of `state` and one of `learned`.
fn differences(state: &Layout, base: usize, learned: &Layout, index: usize) -> Vec<usize> {
    let differs =
        |&context: &usize| state.favourite(base, context) != learned.favourite(index, context);
    (0..CONTEXTS).filter(differs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn;
    use crate::streams::{layout, warm};

    #[test]
    fn pages_come_back_with_the_prior_that_is_read() {
        let mut usual = 0;
        for range in pgn::parse(warm::LAYOUTS).ranges {
            let game = std::str::from_utf8(&warm::LAYOUTS[range]).unwrap();
            // Layouts that take some bits, after those that take none.
            let others: String =
                (1..30).map(|lines| game.to_owned() + &"\n".repeat(lines)).collect();
            let text = game.repeat(20) + &others;
            let text = text.as_bytes();
            let pgn::Document { items, ranges, atoms } = pgn::parse(text);
            let (bytes, prior) =
                LayoutPrior::encode(text, &items[..20], &ranges[..20], &atoms[..20]).unwrap();
            let mut items = items;
            let (layout, reflowed) = layout::encode(text, &items, &ranges, &atoms, &prior).unwrap();
            reflowed.into_iter().for_each(|comment| comment.put_into(&mut items));
            let prior = if bytes.is_empty() {
                usual += 1;
                LayoutPrior::usual()
            } else {
                LayoutPrior::decode(&bytes, text.len())
            };
            let (found, _) = layout::decode(&layout, &items, text.len(), &prior.unwrap()).unwrap();
            assert!(found == text);
        }
        assert!(usual > 0);
    }
}
