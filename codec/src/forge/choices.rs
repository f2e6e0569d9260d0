//! The source of events for a forged stream.

use std::cell::RefCell;

use super::Below;
use crate::entropy::{Coder, Encoder};
use crate::split_mix::SplitMix;
use crate::streams::text::{self, EncodedTexts};
use crate::{Error, Result};

/// How a marked stream begins; its number follows.
const MARK: [u8; 8] = *b"\xF0\x0Fforge\0";

/// What texts and names are made of.
const PIECES: [&[u8]; 16] = [
    b"1. e4 ",
    b" ",
    b"\n",
    b"*",
    b"[A \"b\"]\n",
    b"Morphy, Paul",
    b"}",
    b"(",
    b"\"",
    b"\\",
    b"\0",
    b"\xff",
    b"%",
    b";",
    b"\r\n",
    b"1-0",
];

/// A plan by which the events of a stream are chosen.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// A stream whose events are taken, as long as it has some; after them come random ones, as likely as models say.
    pub base: Vec<u8>,
    /// Number of events in 65,536 that are chosen regardless of how likely they are.
    pub wild: u32,
    /// The most events.
    pub most: u32,
}

/// Streams that are being made on this thread.
struct Forging {
    random: SplitMix,
    plans: Vec<Plan>,
    made: Made,
}

/// A forged stream.
#[derive(Debug, Default)]
pub struct Made {
    /// By number; `None` of those that nobody decoded.
    pub streams: Vec<Option<Vec<u8>>>,
    /// The names of new players.
    pub names: Vec<u8>,
    /// The texts.
    pub texts: Option<EncodedTexts<Vec<u8>>>,
}

thread_local! {
    static FORGING: RefCell<Option<Forging>> = const { RefCell::new(None) };
}

fn with<T>(work: impl FnOnce(&mut Forging) -> T) -> Option<T> {
    FORGING.with_borrow_mut(|forging| forging.as_mut().map(work))
}

/// A stream that stands for the one with this number.
pub fn marked(number: usize) -> Vec<u8> {
    [&MARK[..], &[number as u8]].concat()
}

/// The result of `work`, while which marked streams on this thread are chosen as `plans` say, and what was chosen.
pub fn forging<T>(random: SplitMix, plans: Vec<Plan>, work: impl FnOnce() -> T) -> (T, Made) {
    let made = Made { streams: vec![None; plans.len()], ..Made::default() };
    FORGING.set(Some(Forging { random, plans, made }));
    let result = work();
    let made = FORGING.take().map_or_else(Made::default, |forging| forging.made);
    (result, made)
}

/// True if streams are being made on this thread.
pub fn is_active() -> bool {
    with(|_| ()).is_some()
}

/// A text of a few pieces.
pub fn piece(random: &mut SplitMix) -> Vec<u8> {
    let count = random.below(4);
    (0..count).flat_map(|_| PIECES[random.below(PIECES.len())]).copied().collect()
}

/// The name of a new player.
pub fn name() -> Vec<u8> {
    with(|forging| piece(&mut forging.random)).unwrap_or_default()
}

/// Keeps the names of new players, coded.
pub fn keep_names(names: Vec<u8>) {
    with(|forging| forging.made.names = names);
}

/// Fills in texts.
pub fn fill_texts<'a>(places: impl Iterator<Item = &'a mut Vec<u8>>) -> Result<()> {
    let mut texts = vec![];
    for place in places {
        *place = name();
        texts.push(place.clone());
    }
    let coded = text::encode(texts.iter().map(|text| &text[..]))?;
    with(|forging| forging.made.texts = Some(coded));
    Ok(())
}

/// The events of a marked stream.
#[derive(Debug)]
pub struct Choices {
    number: usize,
    random: SplitMix,
    plan: Plan,
    encoder: Encoder,
}

impl Choices {
    /// The choices that `bytes` stand for, if they are marked.
    pub fn of(bytes: &[u8]) -> Option<Choices> {
        let number = usize::from(*bytes.strip_prefix(&MARK)?.first()?);
        with(|forging| {
            let plan = forging.plans.get(number)?.clone();
            let random = SplitMix(forging.random.next());
            Some(Choices { number, random, plan, encoder: Encoder::new() })
        })?
    }

    /// The stream whose events are taken.
    pub fn base(&self) -> &[u8] {
        &self.plan.base
    }

    /// The next event of the base, which `read` gives; from its end on there are none.
    pub fn based<T>(&mut self, read: impl FnOnce() -> Option<T>) -> Option<T> {
        if self.plan.base.is_empty() {
            return None;
        }
        let event = read();
        if event.is_none() {
            self.plan.base.clear();
        }
        event
    }

    fn next(&mut self) -> Result<(bool, usize)> {
        let left = self.plan.most.checked_sub(1);
        self.plan.most = left.ok_or_else(|| Error::damaged("as much as was to be made"))?;
        Ok(((self.random.next() & 0xffff) < self.plan.wild.into(), self.random.below(1 << 30)))
    }

    /// Chooses a bit; `based` is what the base has.
    pub fn bit(&mut self, p_true: u32, based: Option<bool>) -> Result<bool> {
        let (wild, random) = self.next()?;
        let bit = match based {
            _ if wild => random & 1 != 0,
            Some(bit) => bit,
            None => ((random & 0xffff) as u32) < p_true,
        };
        self.encoder.bit(p_true, bit)
    }

    /// Chooses a symbol; `based` is what the base has.
    pub fn symbol(&mut self, cumulative: &[u32], based: Option<usize>) -> Result<usize> {
        let (wild, random) = self.next()?;
        let symbol = match based {
            _ if wild => random % (cumulative.len() - 1),
            Some(symbol) => symbol,
            None => {
                let target = (random & 0xff_ffff) as u32;
                cumulative.partition_point(|&left| left <= target) - 1
            }
        };
        self.encoder.symbol(cumulative, symbol)
    }
}

impl Drop for Choices {
    fn drop(&mut self) {
        let stream = std::mem::take(&mut self.encoder).finish();
        with(|forging| forging.made.streams[self.number] = Some(stream));
    }
}
