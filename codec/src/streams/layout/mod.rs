//! Layout: everything between the tokens, and unusual spellings. With it, games become the exact bytes that they were
//! read from.
//!
//! Every detail is a phrase (a gap, a move number's dots, the form of a
//! spelling) chosen in a context, and every context has a favourite. A game in
//! which all favourites are right, line breaks included, costs one binary event.
//! The most frequent symbols are kept in several profiles, so that an archive
//! put together from several sources does not have to learn again and again.

mod choices;
mod context;
mod fit;
mod gaps;
mod page;
mod phrases;
mod primed;
mod prior;
mod profile;
mod spelling;
mod state;
mod visitor;
mod wrap;

use std::ops::Range;

use rayon::prelude::*;

use self::page::{Page, too_long};
pub use self::prior::LayoutPrior;
use self::spelling::Script;
use self::state::{Layout, Original};
use crate::entropy::{Decoder, Encoder};
use crate::pgn::{Atom, Item, San, Token};
use crate::{Error, Result};

/// A comment whose line breaks the layout has.
#[derive(Debug)]
pub struct ReflowedComment {
    /// The index of its game among the items.
    item: usize,
    /// Its index among the game's tokens.
    token: usize,
    /// The comment with spaces in place of these line breaks.
    text: Vec<u8>,
}

impl ReflowedComment {
    /// Puts the comment into its place among `items`.
    pub fn put_into(self, items: &mut [Item]) {
        if let Item::Game(game) = &mut items[self.item] {
            game.tokens[self.token] = Token::Comment(self.text);
        }
    }
}

/// Codes the layout of items, which were read from these ranges of `input`, with these atoms; it begins with `prior`.
///
/// Line breaks in comments that follow the rule by which the rest of the game is broken are part of the layout. Such a
/// comment is coded with spaces in their place, as the second result has it.
///
/// # Errors
/// [`Error::Usage`] if the items were not read from this input.
pub fn encode(
    input: &[u8],
    items: &[Item],
    ranges: &[Range<usize>],
    atoms: &[Vec<Atom>],
    prior: &LayoutPrior,
) -> Result<(Vec<u8>, Vec<ReflowedComment>)> {
    let mut encoder = Encoder::new();
    let mut reflowed_comments = vec![];
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
    let items = items.iter().enumerate();
    for ((((number, item), script), range), atoms) in items.zip(scripts).zip(ranges).zip(atoms) {
        let Item::Game(game) = item else { continue };
        let original =
            Original { script: script?, page: Page { text: input, atoms }, range: range.clone() };
        let reflowed = layout.write_game(&mut encoder, game, &original)?;
        // Behind the tags every atom that is no number belongs to a token.
        let atoms = atoms.iter().enumerate().skip(game.tags.len());
        let places = atoms.filter(|(_, atom)| !atom.kind.is_number()).map(|(index, _)| index);
        let mut places = places.zip(0..game.tokens.len());
        for (index, text) in reflowed {
            if let Some((_, token)) = places.find(|&(place, _)| place == index) {
                reflowed_comments.push(ReflowedComment { item: number, token, text });
            }
        }
    }
    Ok((encoder.finish(), reflowed_comments))
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
    // While a page is made up, what comes out says how long it is.
    #[cfg(test)]
    let len = if crate::forge::is_active() { out.len() } else { len };
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
