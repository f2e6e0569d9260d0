//! Gaps: the white space between atoms, line breaks included.

use std::ops::Range;

use super::context::Context;
use super::page::{Page, is_blank, too_long};
use super::phrases::{PhraseDictionary, Topic};
use super::profile::Profile;
use super::visitor::{LayoutVisitor, Query};
use super::wrap::{advance, glued_len, unit_len};
use crate::Result;
use crate::pgn::AtomKind;

/// A comment whose line breaks have become spaces, and the index of its atom.
pub(super) type Reflowed = (usize, Vec<u8>);

/// The source or the destination of the gaps.
pub(super) enum Gaps<'a> {
    /// They are in the page, in a game that lies here.
    Read { game: Range<usize>, reflowed: &'a mut Vec<Reflowed> },
    /// They are written here together with the atoms, up to `limit` bytes.
    Write { out: &'a mut Vec<u8>, limit: usize },
}

/// Goes through the gaps of a game.
///
/// # Errors
/// Those of the visitor, and [`Error::Damaged`](crate::Error::Damaged) if the output gets too long.
pub(super) fn transcribe<S: LayoutVisitor>(
    visitor: &mut S,
    dictionary: &mut PhraseDictionary,
    profile: &mut Profile,
    page: Page,
    mut gaps: Gaps,
) -> Result<()> {
    let mut column = 0;
    for behind in 0..=page.atoms.len() {
        let (before, next) = page.kinds(behind);
        let context = Context::gap(before, next);
        let mut query = Query::favourite(Topic::Gap, context, profile);
        let gap = dictionary.get(query.guess);
        if is_blank(gap) && profile.wrap.allows(before, next) {
            let usual = |behind| habit(dictionary, profile, page, behind);
            let unit = || unit_len(&profile.wrap, page, behind, &usual);
            if profile.wrap.breaks(column, gap.len(), unit) {
                query.guess = profile.guess(Context::NEWLINE);
                query.ruled = true;
            }
        }
        match &mut gaps {
            Gaps::Read { game, .. } => {
                let gap = page.gap(behind, game);
                visitor.pick(dictionary, profile, query, Some(gap))?;
                column = advance(column, gap);
            }
            Gaps::Write { out, limit } => {
                let phrase = visitor.pick(dictionary, profile, query, None)?;
                let gap = dictionary.get(phrase);
                out.extend_from_slice(gap);
                column = advance(column, gap);
                if out.len() > *limit {
                    return Err(too_long());
                }
            }
        }
        if behind == page.atoms.len() {
            break;
        }
        let atom = page.atom(behind);
        if page.atoms[behind].kind == AtomKind::Comment && profile.wrap.breaks_comments() {
            column = comment(visitor, dictionary, profile, page, behind, column, &mut gaps)?;
        } else {
            if let Gaps::Write { out, .. } = &mut gaps {
                out.extend_from_slice(atom);
            }
            column = advance(column, atom);
        }
    }
    Ok(())
}

/// What usually stands before the atom with index `behind`.
fn habit<'a>(
    dictionary: &'a PhraseDictionary,
    profile: &Profile,
    page: Page,
    behind: usize,
) -> &'a [u8] {
    let (before, next) = page.kinds(behind);
    dictionary.get(profile.guess(Context::gap(before, next)))
}

/// A comment in which lines may break; returns the column after it.
fn comment<S: LayoutVisitor>(
    visitor: &mut S,
    dictionary: &mut PhraseDictionary,
    profile: &mut Profile,
    page: Page,
    index: usize,
    column: usize,
    gaps: &mut Gaps,
) -> Result<usize> {
    let atom = page.atom(index);
    let newline = dictionary.get(profile.guess(Context::NEWLINE)).to_vec();
    let wrap = profile.wrap;
    let flow = |text: &[u8]| {
        let usual = |behind| habit(dictionary, profile, page, behind);
        wrap.reflow(text, column, &newline, || glued_len(&wrap, page, index + 1, &usual))
    };
    // What the stream of comments has, whether it stays as it is, and whether that is a question.
    let query = Query::favourite(Topic::Gap, Context::REFLOW, profile);
    match gaps {
        Gaps::Read { reflowed, .. } => {
            let joined = replace(atom, &newline, b" ");
            let flowed = flow(&joined);
            let by_rule = flowed.as_deref().unwrap_or(&joined) == atom;
            let asks = if by_rule { flowed.is_some() } else { flow(atom).is_some() };
            if asks {
                let answer: &[u8] = if by_rule { b" " } else { b"" };
                visitor.pick(dictionary, profile, query, Some(answer))?;
            }
            if by_rule && flowed.is_some() {
                reflowed.push((index, joined[1..joined.len() - 1].to_vec()));
            }
            Ok(advance(column, atom))
        }
        Gaps::Write { out, limit } => {
            let flowed = match flow(atom) {
                Some(flowed) => {
                    let answer = visitor.pick(dictionary, profile, query, None)?;
                    (!dictionary.get(answer).is_empty()).then_some(flowed)
                }
                None => None,
            };
            let text = flowed.as_deref().unwrap_or(atom);
            out.extend_from_slice(text);
            match out.len() > *limit {
                true => Err(too_long()),
                false => Ok(advance(column, text)),
            }
        }
    }
}

fn replace(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut replaced = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, behind)) = rest.split_first() {
        match rest.strip_prefix(from).filter(|_| !from.is_empty()) {
            Some(stripped) => {
                replaced.extend_from_slice(to);
                rest = stripped;
            }
            None => {
                replaced.push(byte);
                rest = behind;
            }
        }
    }
    replaced
}
