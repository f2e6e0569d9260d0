//! Rules of line breaks.

use std::ops::Range;

use super::page::{Page, is_blank};
use crate::Result;
use crate::entropy::{BitModel, Coder, SymbolModel};
use crate::pgn::AtomKind;

/// A rule by which a program breaks lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wrap {
    /// True if a line ends once it is longer than `width`, rather than before it would become
    /// longer.
    pub(super) after: bool,
    /// Atoms that stay together: 0 none, 1 a number and its move, 2 a full move as well,
    /// 3 everything up to the next move number.
    pub(super) together: u8,
    /// True if lines also break within comments.
    pub(super) comments: bool,
    pub(super) width: u16,
}

/// With this width lines never break.
pub(super) const NEVER: u16 = 256;

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
    /// True if lines can break within comments.
    pub fn breaks_comments(&self) -> bool {
        self.comments && self.width != NEVER
    }

    /// True if a line may break between these kinds of atom.
    pub fn allows(&self, before: u8, behind: u8) -> bool {
        match self.together {
            0 => true,
            1 => !is_number(before),
            2 => !(is_number(before) || before == MOVE && behind == MOVE),
            _ => is_number(behind) && !is_number(before),
        }
    }

    /// True if a line that is `column` long breaks before `gap` spaces and a word as long as `unit`
    /// says.
    pub fn breaks(&self, column: usize, gap: usize, unit: impl FnOnce() -> usize) -> bool {
        self.width != NEVER && self.needed(column, gap, unit) > usize::from(self.width)
    }

    /// The least width with which a line does not break here.
    pub(super) fn needed(&self, column: usize, gap: usize, unit: impl FnOnce() -> usize) -> usize {
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
pub(super) struct Spot {
    pub(super) range: Range<usize>,
    /// Length of the word behind.
    pub(super) word: usize,
    /// True if that is the last.
    pub(super) last: bool,
}

pub(super) fn spots(text: &[u8]) -> impl Iterator<Item = Spot> {
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

/// Models of the changes of the rule.
#[derive(Debug, Clone)]
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
