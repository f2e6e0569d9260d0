//! The search for the rule of line breaks that fits a game best.

use std::ops::Range;

use super::context::Context;
use super::page::{Page, is_blank};
use super::phrases::PhraseDictionary;
use super::profile::Profile;
use super::wrap::{NEVER, Spot, Wrap, advance, glued_len, spots, unit_len};
use crate::pgn::AtomKind;

/// How well rules of one kind, one for each width, fit a game.
struct Fit {
    /// How many breaks need a certain width to be avoided, and how many places without one.
    breaks: [u32; NEVER as usize + 1],
    stays: [u32; NEVER as usize + 1],
    /// Breaks where the rule knows none.
    misfits: u32,
}

impl Fit {
    fn add(&mut self, needed: usize, broken: bool) {
        let needed = needed.clamp(1, NEVER.into());
        let counts = if broken { &mut self.breaks } else { &mut self.stays };
        counts[needed] += 1;
    }

    /// For each width from 1 to [`NEVER`] how often the rule is wrong.
    fn errors(&self) -> impl Iterator<Item = (u16, u32)> {
        let mut errors = self.misfits + self.stays.iter().sum::<u32>();
        (1..=NEVER).map(move |width| {
            errors += self.breaks[usize::from(width)];
            errors -= self.stays[usize::from(width)];
            (width, errors)
        })
    }
}

/// The rule that fits a game best; the profile's own unless another is better.
pub(super) fn fit(
    dictionary: &PhraseDictionary,
    profile: &Profile,
    page: Page,
    game: &Range<usize>,
) -> Wrap {
    let kinds = (0..16u8).map(|bits| Wrap {
        after: bits & 1 != 0,
        together: bits >> 1 & 3,
        comments: bits & 8 == 0,
        width: 0,
    });
    let rank = |wrap: &Wrap, errors: u32| {
        let own = profile.wrap;
        let changes = u32::from(wrap.after != own.after)
            + u32::from(wrap.together != own.together)
            + u32::from(wrap.comments != own.comments)
            + u32::from(wrap.width != own.width);
        let likely = LIKELY.iter().position(|&width| width == wrap.width).unwrap_or(LIKELY.len());
        (errors, changes, likely, wrap.width)
    };
    let places = places(dictionary, profile, page, game);
    let mut best = (rank(&profile.wrap, u32::MAX), profile.wrap);
    for kind in kinds {
        for (width, errors) in measure(&kind, &places, page, game).errors() {
            if errors > best.0.0 {
                continue;
            }
            let wrap = Wrap { width, ..kind };
            let rank = rank(&wrap, errors);
            if rank < best.0 {
                best = (rank, wrap);
            }
        }
    }
    best.1
}

/// Widths to be assumed rather than others that would do as well.
const LIKELY: [u16; 9] = [80, 79, NEVER, 78, 75, 76, 72, 70, 100];

/// A place at which a line breaks or could.
struct Place {
    /// The atom behind, or the comment that it is in.
    atom: usize,
    /// Where the line is before it.
    column: usize,
    broken: bool,
    within: Within,
}

enum Within {
    /// Between two atoms of these kinds, with `len` bytes between them if no line breaks.
    Gap { kinds: (u8, u8), len: usize },
    /// In a comment, before a word of this length; whether it is the last.
    Comment { word: usize, last: bool },
}

/// What stands before an atom if no line breaks there.
fn unbroken<'a>(page: Page<'a>, behind: usize, game: &Range<usize>) -> &'a [u8] {
    match page.gap(behind, game) {
        gap if is_newline(gap) => b" ",
        gap => gap,
    }
}

/// All places of a game at which one rule or another would break lines.
fn places(
    dictionary: &PhraseDictionary,
    profile: &Profile,
    page: Page,
    game: &Range<usize>,
) -> Vec<Place> {
    let mut places = Vec::with_capacity(page.atoms.len());
    let mut column = 0;
    for behind in 0..page.atoms.len() {
        let gap = page.gap(behind, game);
        let kinds = page.kinds(behind);
        let broken = is_newline(gap);
        if broken || is_blank(gap) {
            let habit = dictionary.get(profile.guess(Context::gap(kinds.0, kinds.1)));
            if !habit.contains(&b'\n') && !habit.contains(&b'\r') {
                let len = unbroken(page, behind, game).len();
                places.push(Place {
                    atom: behind,
                    column,
                    broken,
                    within: Within::Gap { kinds, len },
                });
            }
        }
        column = advance(column, gap);
        let atom = page.atom(behind);
        let mut done = 0;
        if page.atoms[behind].kind == AtomKind::Comment {
            for Spot { range, word, last } in spots(atom) {
                let broken = atom[range.clone()] != *b" ";
                column = advance(column, &atom[done..range.start]);
                let within = Within::Comment { word, last };
                places.push(Place { atom: behind, column, broken, within });
                column = advance(column, &atom[range.clone()]);
                done = range.end;
            }
        }
        column = advance(column, &atom[done..]);
    }
    places
}

fn measure(kind: &Wrap, places: &[Place], page: Page, game: &Range<usize>) -> Fit {
    let unbroken = |behind| unbroken(page, behind, game);
    let mut fit = Fit { breaks: [0; _], stays: [0; _], misfits: 0 };
    for &Place { atom, column, broken, ref within } in places {
        match *within {
            Within::Gap { kinds: (before, next), len } if kind.allows(before, next) => {
                let unit = || unit_len(kind, page, atom, &unbroken);
                fit.add(kind.needed(column, len, unit), broken);
            }
            Within::Comment { word, last } if kind.comments => {
                let tail = || glued_len(kind, page, atom + 1, &unbroken);
                let unit = || if last { word + tail() } else { word };
                fit.add(kind.needed(column, 1, unit), broken);
            }
            _ => fit.misfits += u32::from(broken),
        }
    }
    fit
}

fn is_newline(gap: &[u8]) -> bool {
    matches!(gap, b"\n" | b"\r" | b"\r\n")
}
