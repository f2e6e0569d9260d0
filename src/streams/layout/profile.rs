//! One style of layout: the favourite phrase of every context, and where lines break.

use super::super::favourite::TopSymbols;
use super::book::{PhraseDictionary, PhraseId};
use super::wrap::Wrap;
use crate::pgn::{AtomKind, San, SanForm};

/// Kinds of atoms as contexts; after [`AtomKind`]'s own come the ends of a game.
pub(super) const START: u8 = AtomKind::Text as u8 + 1;
pub(super) const END: u8 = START + 1;
const KINDS: usize = END as usize + 1;

/// A situation in which a phrase is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Context(usize);

const NEWLINE: usize = KINDS * KINDS;
const REFLOW: usize = NEWLINE + 1;
const TAG: usize = REFLOW + 1;
const NAG: usize = TAG + 2;
const SAN: usize = NAG + 7;
const NUMBER: usize = SAN + San::CATEGORIES;
const CONTEXTS: usize = NUMBER + 2 * KINDS * KINDS;

impl Context {
    pub const COUNT: usize = CONTEXTS;
    /// How a line break within a game is written.
    pub const NEWLINE: Context = Context(NEWLINE);
    /// Whether the breaks in a comment follow the rule: a space if they do, else nothing.
    pub const REFLOW: Context = Context(REFLOW);

    /// The gap between two kinds of atom.
    pub fn gap(before: u8, behind: u8) -> Context {
        Context(usize::from(before) * KINDS + usize::from(behind))
    }

    /// The form of the first tag pair, or of another.
    pub fn tag(first: bool) -> Context {
        Context(TAG + usize::from(first))
    }

    /// The spelling of a NAG.
    pub fn nag(number: u8) -> Context {
        Context(NAG + usize::from(if number <= 6 { number } else { 0 }))
    }

    /// The spelling of a move of some [`San::category`].
    pub fn san(category: u8) -> Context {
        Context(SAN + usize::from(category) % San::CATEGORIES)
    }

    /// The move number, or its absence, between two kinds of atom.
    pub fn number(black: bool, before: u8, behind: u8) -> Context {
        let between = usize::from(before) * KINDS + usize::from(behind);
        Context(NUMBER + usize::from(black) * KINDS * KINDS + between)
    }

    pub fn index(self) -> usize {
        self.0
    }
}

#[derive(Debug, Clone)]
pub(super) struct Profile {
    favourites: Vec<TopSymbols>,
    pub wrap: Wrap,
}

impl Profile {
    /// The export format of the PGN standard.
    pub fn new(book: &mut PhraseDictionary) -> Profile {
        use AtomKind as A;
        let mut favourites = vec![TopSymbols::new(book.id(b" ")); CONTEXTS];
        let mut set = |context: Context, phrase: &[u8]| {
            favourites[context.0] = TopSymbols::new(book.id(phrase));
        };
        for kind in 0..=END {
            set(Context::gap(START, kind), b"");
            set(Context::gap(A::Tag as u8, kind), b"\n\n");
            set(Context::gap(kind, END), b"\n\n");
            set(Context::gap(A::LineComment as u8, kind), b"\n");
            set(Context::gap(A::Escape as u8, kind), b"\n");
            set(Context::gap(A::Open as u8, kind), b"");
            set(Context::gap(kind, A::Close as u8), b"");
            set(Context::gap(kind, A::Suffix as u8), b"");
            set(Context::gap(kind, A::Escape as u8), b"\n");
        }
        set(Context::gap(A::Tag as u8, A::Tag as u8), b"\n");
        set(Context::NEWLINE, b"\n");
        set(Context::tag(true), b"[N \"V\"]");
        set(Context::tag(false), b"[N \"V\"]");
        for number in 0..=6 {
            set(Context::nag(number), b"$");
        }
        for category in 0..San::CATEGORIES {
            set(Context::san(category as u8), &super::spelling::form_phrase(SanForm::default()));
        }
        for before in 0..=END {
            for behind in 0..=END {
                let is_move = behind == A::Move as u8;
                set(Context::number(false, before, behind), if is_move { b"=." } else { b"" });
                let apart = is_move && before != A::Move as u8;
                set(Context::number(true, before, behind), if apart { b"=..." } else { b"" });
            }
        }
        Profile { favourites, wrap: Wrap::default() }
    }

    /// The phrase to be expected.
    pub fn guess(&self, context: Context) -> PhraseId {
        self.favourites[context.0].guess()
    }

    /// Learns which phrase it was.
    pub fn saw(&mut self, context: Context, phrase: PhraseId) {
        self.favourites[context.0].saw(phrase);
    }
}
