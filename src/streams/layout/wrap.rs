//! Where lines break.

use std::ops::Range;

use super::book::PhraseDictionary;
use super::gaps::{Page, is_blank};
use super::profile::{Context, Profile};
use crate::Result;
use crate::entropy::{BitModel, Coder, SymbolModel};
use crate::pgn::AtomKind;

/// A rule by which a program breaks lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wrap {
    /// Whether a line ends once it is longer than `width`, rather than before it would become
    /// longer.
    after: bool,
    /// What stays together: 0 nothing, 1 a number and its move, 2 a full move as well,
    /// 3 everything up to the next move number.
    together: u8,
    /// Whether lines also break within comments.
    comments: bool,
    width: u16,
}

/// With this width lines never break.
const NEVER: u16 = 256;

impl Default for Wrap {
    /// The export format of the PGN standard, as most programs understand it.
    fn default() -> Wrap {
        Wrap { after: false, together: 0, comments: true, width: 80 }
    }
}

const WHITE_NUMBER: u8 = AtomKind::WhiteNumber as u8;
const BLACK_NUMBER: u8 = AtomKind::BlackNumber as u8;
const MOVE: u8 = AtomKind::Move as u8;

fn is_number(kind: u8) -> bool {
    matches!(kind, WHITE_NUMBER | BLACK_NUMBER)
}

impl Wrap {
    /// Whether lines can break within comments.
    pub fn breaks_comments(&self) -> bool {
        self.comments && self.width != NEVER
    }

    /// Whether a line may break between these kinds of atom.
    pub fn allows(&self, before: u8, behind: u8) -> bool {
        match self.together {
            0 => true,
            1 => !is_number(before),
            2 => !(is_number(before) || before == MOVE && behind == MOVE),
            _ => is_number(behind) && !is_number(before),
        }
    }

    /// Whether a line that is `column` long breaks before `gap` spaces and a word as long as `unit`
    /// says.
    pub fn breaks(&self, column: usize, gap: usize, unit: impl FnOnce() -> usize) -> bool {
        self.width != NEVER && self.needed(column, gap, unit) > usize::from(self.width)
    }

    /// The least width with which a line does not break here.
    fn needed(&self, column: usize, gap: usize, unit: impl FnOnce() -> usize) -> usize {
        match self.after {
            true => column,
            false => column + gap + unit(),
        }
    }

    /// Breaks the lines of a comment that starts in `column` and is followed by
    /// as many bytes without a gap as `tail` says; `None` if no line breaks.
    pub fn reflow(
        &self,
        text: &[u8],
        column: usize,
        newline: &[u8],
        tail: impl Fn() -> usize,
    ) -> Option<Vec<u8>> {
        let mut flowed: Option<Vec<u8>> = None;
        let mut column = column;
        let mut done = 0;
        for spot in spots(text).filter(|spot| text[spot.range.clone()] == *b" ") {
            column = advance(column, &text[done..spot.range.start]);
            let unit = || if spot.last { spot.word + tail() } else { spot.word };
            let separator = match self.breaks(column, 1, unit) {
                true => {
                    flowed.get_or_insert_with(|| text[..done].to_vec());
                    newline
                }
                false => b" ",
            };
            if let Some(flowed) = &mut flowed {
                flowed.extend_from_slice(&text[done..spot.range.start]);
                flowed.extend_from_slice(separator);
            }
            column = advance(column, separator);
            done = spot.range.end;
        }
        if let Some(flowed) = &mut flowed {
            flowed.extend_from_slice(&text[done..]);
        }
        flowed
    }
}

/// One space or one line break between two words.
struct Spot {
    range: Range<usize>,
    /// Length of the word behind.
    word: usize,
    /// Whether that is the last.
    last: bool,
}

fn spots(text: &[u8]) -> impl Iterator<Item = Spot> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + word_len(&text[at..]);
            let end = start
                + match text.get(start..)? {
                    [] => return None,
                    [b'\r', b'\n', ..] => 2,
                    _ => 1,
                };
            let word = word_len(&text[end..]);
            let between_words = start > at && word > 0;
            at = end;
            if between_words {
                return Some(Spot { range: start..end, word, last: end + word == text.len() });
            }
        }
    })
}

/// Bytes up to the next space or line break.
fn word_len(text: &[u8]) -> usize {
    text.iter().position(|byte| matches!(byte, b' ' | b'\n' | b'\r')).unwrap_or(text.len())
}

/// The column after `text`.
pub(super) fn advance(column: usize, text: &[u8]) -> usize {
    match text.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')) {
        Some(newline) => text.len() - newline - 1,
        None => column + text.len(),
    }
}

/// No rule looks further ahead, neither in bytes nor in atoms.
const HORIZON: usize = NEVER as usize;

/// Length of what stays together from the atom with index `first` on, if `usual` says what
/// stands before an atom unless a line breaks there.
pub(super) fn unit_len<'a>(
    wrap: &Wrap,
    page: Page,
    first: usize,
    usual: &impl Fn(usize) -> &'a [u8],
) -> usize {
    let mut len = 0;
    for index in first..page.atoms.len().min(first + HORIZON) {
        let atom = page.atom(index);
        let head = match page.atoms[index].kind {
            AtomKind::Comment if wrap.comments => word_len(atom),
            _ => line_len(atom),
        };
        len += head;
        if head < atom.len() || len > HORIZON {
            break;
        }
        match glue(wrap, page, index + 1, usual) {
            Some(gap) => len += gap,
            None => break,
        }
    }
    len
}

/// Length of what stays together with what is before the atom with index `first`.
pub(super) fn glued_len<'a>(
    wrap: &Wrap,
    page: Page,
    first: usize,
    usual: &impl Fn(usize) -> &'a [u8],
) -> usize {
    match glue(wrap, page, first, usual) {
        Some(gap) if first < page.atoms.len() => gap + unit_len(wrap, page, first, usual),
        _ => 0,
    }
}

/// Length of the gap before the atom with index `behind`, if no line may break there.
fn glue<'a>(
    wrap: &Wrap,
    page: Page,
    behind: usize,
    usual: &impl Fn(usize) -> &'a [u8],
) -> Option<usize> {
    let (before, next) = page.kinds(behind);
    match usual(behind) {
        b"" => Some(0),
        blank if is_blank(blank) => (!wrap.allows(before, next)).then_some(blank.len()),
        _ => None,
    }
}

fn line_len(text: &[u8]) -> usize {
    let head = &text[..text.len().min(HORIZON + 1)];
    head.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(text.len())
}

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
    book: &PhraseDictionary,
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
        for (width, errors) in measure(&kind, book, profile, page, game).errors() {
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
    book: &PhraseDictionary,
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
        let habit = book.get(profile.guess(Context::gap(before, next)));
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

/// How a change of the rule is coded.
#[derive(Debug)]
pub(super) struct Models {
    changes: BitModel,
    flags: [BitModel; 2],
    together: SymbolModel,
    width: SymbolModel,
}

impl Models {
    pub fn new() -> Models {
        Models {
            changes: BitModel::default(),
            flags: [BitModel::default(); 2],
            together: SymbolModel::new(2),
            width: SymbolModel::new(8),
        }
    }

    /// Codes the rule `new` for what was `old` before.
    ///
    /// # Errors
    /// Those of the coder.
    pub fn code<C: Coder>(&mut self, coder: &mut C, old: Wrap, new: Wrap) -> Result<Wrap> {
        if !self.changes.code(coder, old != new)? {
            return Ok(old);
        }
        Ok(Wrap {
            after: self.flags[0].code(coder, new.after)?,
            together: self.together.code(coder, u32::from(new.together))? as u8,
            comments: self.flags[1].code(coder, new.comments)?,
            width: 1 + self.width.code(coder, u32::from(new.width) - 1)? as u16,
        })
    }
}
