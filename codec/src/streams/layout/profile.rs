//! One style of layout: the favourite phrase of every context, and where lines break.

use super::context::{CONTEXTS, Context, END, START};
use super::phrases::{PhraseDictionary, PhraseId, form_phrase};
use super::wrap::Wrap;
use crate::pgn::{AtomKind, San, SanForm};
use crate::streams::values::TopSymbols;

#[derive(Debug, Clone)]
pub(super) struct Profile {
    favourites: Vec<TopSymbols>,
    pub wrap: Wrap,
}

impl Profile {
    /// The export format of the PGN standard.
    pub fn new(dictionary: &mut PhraseDictionary) -> Profile {
        use AtomKind as A;
        let mut favourites = vec![TopSymbols::new(dictionary.id(b" ")); CONTEXTS];
        let mut set = |context: Context, phrase: &[u8]| {
            favourites[context.index()] = TopSymbols::new(dictionary.id(phrase));
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
            set(Context::san(category as u8), &form_phrase(SanForm::default()));
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
        self.favourites[context.index()].guess()
    }

    /// The phrase to be expected in the context of this index.
    pub fn favourite(&self, context: usize) -> PhraseId {
        self.favourites[context].guess()
    }

    /// Expects a phrase in the context of this index from now on.
    pub fn set(&mut self, context: usize, phrase: PhraseId) {
        self.favourites[context] = TopSymbols::with_habit(phrase);
    }

    /// Learns which phrase it was.
    pub fn saw(&mut self, context: Context, phrase: PhraseId) {
        self.favourites[context.index()].saw(phrase);
    }
}
