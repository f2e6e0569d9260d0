//! Which rule breaks the lines of a game.

use std::ops::Range;

use super::{NEVER, Wrap, advance, glued_len, spots, unit_len};
use crate::pgn::AtomKind;
use crate::streams::layout::context::Context;
use crate::streams::layout::page::{Page, is_blank};
use crate::streams::layout::phrases::PhraseDictionary;
use crate::streams::layout::profile::Profile;

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
pub(in crate::streams::layout) fn fit(
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
    let mut best = (rank(&profile.wrap, u32::MAX), profile.wrap);
    for kind in kinds {
        for (width, errors) in measure(&kind, dictionary, profile, page, game).errors() {
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

fn measure(
    kind: &Wrap,
    dictionary: &PhraseDictionary,
    profile: &Profile,
    page: Page,
    game: &Range<usize>,
) -> Fit {
    let unbroken = |behind| match page.gap(behind, game) {
        gap if is_newline(gap) => b" ",
        gap => gap,
    };
    let mut fit = Fit { breaks: [0; _], stays: [0; _], misfits: 0 };
    let mut column = 0;
    for behind in 0..page.atoms.len() {
        let gap = page.gap(behind, game);
        let (before, next) = page.kinds(behind);
        let broken = is_newline(gap);
        let habit = dictionary.get(profile.guess(Context::gap(before, next)));
        if (broken || is_blank(gap)) && !habit.contains(&b'\n') && !habit.contains(&b'\r') {
            if kind.allows(before, next) {
                let unit = || unit_len(kind, page, behind, &unbroken);
                fit.add(kind.needed(column, unbroken(behind).len(), unit), broken);
            } else {
                fit.misfits += u32::from(broken);
            }
        }
        column = advance(column, gap);
        let atom = page.atom(behind);
        if page.atoms[behind].kind == AtomKind::Comment {
            let tail = || glued_len(kind, page, behind + 1, &unbroken);
            let mut done = 0;
            for spot in spots(atom) {
                let broken = atom[spot.range.clone()] != *b" ";
                column = advance(column, &atom[done..spot.range.start]);
                if kind.comments {
                    let unit = || if spot.last { spot.word + tail() } else { spot.word };
                    fit.add(kind.needed(column, 1, unit), broken);
                } else {
                    fit.misfits += u32::from(broken);
                }
                column = advance(column, &atom[spot.range.clone()]);
                done = spot.range.end;
            }
            column = advance(column, &atom[done..]);
        } else {
            column = advance(column, atom);
        }
    }
    fit
}

fn is_newline(gap: &[u8]) -> bool {
    matches!(gap, b"\n" | b"\r" | b"\r\n")
}
