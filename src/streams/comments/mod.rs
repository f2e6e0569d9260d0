//! Comments: clocks, evaluations, text.
//!
//! A comment is taken apart into a template, such as `[%eval <eval>] [%clk <time>]`, numbers and
//! texts. Templates repeat; a clock says how long a move took, which depends on the times left, the
//! player's habits and how surprising the move was; an evaluation is near the one before. Texts of
//! all comments are compressed together.

mod features;
mod forms;
mod numbers;
mod play;
mod template;
mod time_model;

use self::numbers::Numbers;
use self::play::Play;
use self::template::{Element, Habits, Parts, USUAL_TEMPLATES, elements};
use self::time_model::TimeModel;
pub use self::time_model::{Rates, WEIGHTS};
use std::borrow::{Borrow, BorrowMut};

use super::text::bytes;
use super::values::{Candidates, Interner, Setting, Spelling};
use crate::entropy::{Coder, Decoder, Encoder, hash};
use crate::pgn::{Game, Token};
use crate::predict::Surprisal;
use crate::{Error, Result, varint};

/// How the moves of each game's main line compared with their predictions; games, and moves at their
/// ends, may be missing.
pub type Surprisals = [Vec<Surprisal>];

fn surprisals_of(surprisals: &Surprisals, game: usize) -> &[Surprisal] {
    surprisals.get(game).map_or(&[], |surprisals| surprisals)
}

/// Codes all comments of `games`: the bytes of [`Token::Comment`], [`Token::LineComment`] and
/// [`Token::Escape`]. What the `surprisals` do not tell costs more.
///
/// # Errors
/// None that a caller could cause.
pub fn encode<G: Borrow<Game>>(games: &[G], surprisals: &Surprisals) -> Result<Vec<u8>> {
    let mut encoder = Encoder::new();
    let mut commenter = Commenter::new(games, usize::MAX, TimeModel::new());
    let mut prose = Vec::new();
    commenter.write(&mut encoder, games, surprisals, &mut prose)?;
    let structure = encoder.finish();
    let mut out = Vec::new();
    varint::put_length(&mut out, structure.len());
    out.extend(structure);
    if prose.is_empty() {
        // Nothing follows, and zeros at the end can be told from their absence.
        while out.last() == Some(&0) {
            out.pop();
        }
    } else {
        varint::put_length(&mut out, prose.len());
        out.extend(bytes::compress(&prose)?);
    }
    Ok(out)
}

/// What the model of times learns from the comments of `games` if it begins with `weights`, as many as
/// [`WEIGHTS`]; in the form of `models/clocks.bin`. Without weights it begins untrained.
///
/// # Errors
/// None that a caller could cause.
pub fn learn_times(
    games: &[Game],
    surprisals: &Surprisals,
    rates: Rates,
    weights: Option<&[i16]>,
) -> Result<Vec<i16>> {
    let untrained = TimeModel::untrained();
    let times = TimeModel::with(rates, weights.unwrap_or(&untrained).iter().copied());
    let mut commenter = Commenter::new(games, usize::MAX, times);
    commenter.write(&mut Encoder::new(), games, surprisals, &mut Vec::new())?;
    Ok(commenter.numbers.times().learned())
}

/// Fills in the comments that [`encode`] was given. The `surprisals` are the same, and the `games` have
/// everything else: tags, lines and tokens. The comments take at most `limit` bytes together.
///
/// # Errors
/// [`Error::Limit`] if they take more, [`Error::Damaged`] if `bytes` is not what was written.
pub fn decode<G: BorrowMut<Game>>(
    bytes: &[u8],
    games: &mut [G],
    surprisals: &Surprisals,
    limit: usize,
) -> Result<()> {
    let mut rest = bytes;
    // Zeros at the end were not written, be they of the structure or its length.
    let structure = if bytes.is_empty() { 0 } else { varint::take_length(&mut rest)? };
    let (structure, mut rest) = rest.split_at(structure.min(rest.len()));
    let mut prose = Vec::new();
    if !rest.is_empty() {
        let length = varint::take_length(&mut rest)?;
        // An escaped byte takes two, and every text one more to end.
        if length / 2 > limit.saturating_add(comments(games)) {
            return Err(Error::Limit("more comment text than announced".into()));
        }
        if length == 0 {
            return Err(Error::damaged("comment text of no length"));
        }
        prose = bytes::decompress(rest, length)?;
    } else if bytes.last() == Some(&0) {
        return Err(Error::damaged("comments that end in needless zeros"));
    }
    let mut prose = &prose[..];
    let mut decoder = Decoder::new(structure);
    let mut commenter = Commenter::new(games, limit, TimeModel::new());
    for (number, game) in games.iter_mut().enumerate() {
        let game: &mut Game = game.borrow_mut();
        let mut tokens = std::mem::take(&mut game.tokens);
        let mut play = Play::new(game, surprisals_of(surprisals, number));
        for token in &mut tokens {
            if comment(token).is_none() {
                play.pass(token);
                continue;
            }
            let parts = commenter.code(&mut decoder, &mut play, &Parts::default())?;
            let mut numbers = parts.numbers.into_iter();
            let mut text = Vec::new();
            for element in elements(&parts.template) {
                match element {
                    Element::Byte(byte) => text.push(byte),
                    Element::Prose => read_prose(&mut prose, &mut text)?,
                    number => number.spell(numbers.next().unwrap_or(0), &mut text),
                }
            }
            commenter.room = commenter
                .room
                .checked_sub(text.len())
                .ok_or_else(|| Error::Limit("longer comments than announced".into()))?;
            if let Token::Comment(place) | Token::LineComment(place) | Token::Escape(place) = token
            {
                *place = text;
            }
        }
        game.tokens = tokens;
    }
    Ok(())
}

fn comment(token: &Token) -> Option<&[u8]> {
    match token {
        Token::Comment(text) | Token::LineComment(text) | Token::Escape(text) => Some(text),
        _ => None,
    }
}

fn comments<G: Borrow<Game>>(games: &[G]) -> usize {
    games.iter().map(|game| game.borrow().tokens.iter().filter_map(comment).count()).sum()
}

/// Ends a text; does not occur in it unescaped.
const TEXT_END: u8 = 0;
/// Stands before a byte that would mean something else, which is then written one higher.
const ESCAPE: u8 = 1;

fn write_prose(text: &[u8], out: &mut Vec<u8>) {
    for &byte in text {
        match byte {
            TEXT_END | ESCAPE => out.extend([ESCAPE, byte + 1]),
            _ => out.push(byte),
        }
    }
    out.push(TEXT_END);
}

fn read_prose(prose: &mut &[u8], out: &mut Vec<u8>) -> Result<()> {
    let damaged = || Error::damaged("comment text that ends early");
    let mut next = || {
        let (&byte, rest) = prose.split_first().ok_or_else(damaged)?;
        *prose = rest;
        Ok::<u8, Error>(byte)
    };
    loop {
        match next()? {
            TEXT_END => return Ok(()),
            ESCAPE => out.push(next()?.wrapping_sub(1)),
            byte => out.push(byte),
        }
    }
}

/// Everything that is learned of comments.
#[derive(Debug)]
struct Commenter {
    templates: Interner,
    candidates: Candidates,
    spelling: Spelling,
    numbers: Numbers,
    /// Bytes that may still be read.
    room: usize,
}

/// How likely a new template is one of the usual ones, in units of 2<sup>-16</sup>.
const USUAL_ODDS: u32 = 48 << 10;
/// The column of templates in the models of candidates and spelling.
const COLUMN: u32 = 0;

impl Commenter {
    fn new<G: Borrow<Game>>(games: &[G], limit: usize, times: TimeModel) -> Commenter {
        let comments = comments(games);
        let slot_bits =
            |least, most| (usize::BITS - comments.leading_zeros() + 3).clamp(least, most);
        Commenter {
            templates: Interner::default(),
            candidates: Candidates::new(slot_bits(8, 14)),
            spelling: Spelling::new(slot_bits(10, 16)),
            numbers: Numbers::new(slot_bits(8, 20), times),
            room: limit,
        }
    }

    /// Codes the comments of `games`, but for their texts, which are appended to `prose`.
    fn write<G: Borrow<Game>>(
        &mut self,
        encoder: &mut Encoder,
        games: &[G],
        surprisals: &Surprisals,
        prose: &mut Vec<u8>,
    ) -> Result<()> {
        for (number, game) in games.iter().enumerate() {
            let game: &Game = game.borrow();
            let habits = Habits::of(game.tokens.iter().filter_map(comment));
            let mut play = Play::new(game, surprisals_of(surprisals, number));
            for token in &game.tokens {
                match comment(token) {
                    Some(text) => {
                        let parts = Parts::of(text, habits);
                        self.code(encoder, &mut play, &parts)?;
                        for text in &parts.prose {
                            write_prose(text, prose);
                        }
                    }
                    None => play.pass(token),
                }
            }
        }
        Ok(())
    }

    /// Codes the template and the numbers of a comment.
    fn code<C: Coder>(&mut self, coder: &mut C, play: &mut Play, parts: &Parts) -> Result<Parts> {
        let keys = [play.template_key(), play.last_template];
        let id = self.templates.find(&parts.template);
        let hint = hash(play.since_move(), play.last_template);
        let id = match self.candidates.code(coder, COLUMN, &keys, hint, id)? {
            Some(id) => id,
            None => {
                let template = self.new_template(coder, play, &parts.template)?;
                self.templates.intern(&template)
            }
        };
        self.candidates.learn(COLUMN, &keys, id);
        play.note_template(id);
        let template = self.templates.value(id).to_vec();
        let mut numbers = Vec::new();
        for element in elements(&template) {
            let number = parts.numbers.get(numbers.len()).copied().unwrap_or(0);
            match element {
                Element::Clock(form, on_clock) => {
                    numbers.push(self.numbers.clock(coder, play, form.unit(), on_clock, number)?);
                }
                Element::Eval(form) => {
                    numbers.push(self.numbers.eval(coder, play, form, number)?);
                }
                Element::Byte(_) | Element::Prose => {}
            }
        }
        Ok(Parts { template, numbers, prose: Vec::new() })
    }

    /// Codes a template that was not seen before: one of the usual ones by its place, others by
    /// their bytes.
    fn new_template<C: Coder>(
        &mut self,
        coder: &mut C,
        play: &Play,
        template: &[u8],
    ) -> Result<Vec<u8>> {
        let place = USUAL_TEMPLATES.iter().position(|usual| *usual == template);
        if coder.bit(USUAL_ODDS, place.is_some())? {
            let mut found = 0;
            for digit in (0..USUAL_TEMPLATES.len().ilog2()).rev() {
                let bit = coder.bit(1 << 15, place.unwrap_or(0) >> digit & 1 != 0)?;
                found = found << 1 | usize::from(bit);
            }
            return Ok(USUAL_TEMPLATES[found].to_vec());
        }
        let setting = Setting { column: COLUMN, key: play.last_template, guide: &[], words: None };
        self.spelling.code(coder, setting, template, self.room)
    }
}

#[cfg(test)]
mod tests;
