//! Model of comments, and the coding of one.

use std::borrow::Borrow;

use super::numbers::Numbers;
use super::play::{Play, Surprisals, comment, comments, surprisals_of};
use super::prose::write_prose;
use super::template::{Element, Habits, Parts, USUAL_TEMPLATES, elements};
use super::time_model::TimeModel;
use crate::Result;
use crate::entropy::{Coder, Encoder, hash};
use crate::pgn::Game;
use crate::streams::values::{Candidates, Interner, Setting, Spelling};
use crate::streams::warm::WarmTables;

/// Everything that is learned of comments.
#[derive(Debug)]
pub(super) struct Commenter {
    templates: Interner,
    candidates: Candidates,
    spelling: Spelling,
    pub(super) numbers: Numbers,
    /// Bytes that may still be read.
    pub(super) room: usize,
}

/// How likely a new template is one of the usual ones, in units of 2<sup>-16</sup>.
const USUAL_ODDS: u32 = 48 << 10;
/// The column of templates in the models of candidates and spelling.
const COLUMN: u32 = 0;

impl Commenter {
    pub(super) fn new<G: Borrow<Game>>(
        games: &[G],
        limit: usize,
        times: TimeModel,
    ) -> Result<Commenter> {
        let comments = comments(games);
        let slot_bits =
            |least, most| (usize::BITS - comments.leading_zeros() + 3).clamp(least, most);
        let codes = WarmTables::shipped()?.letter_codes()?;
        Ok(Commenter {
            templates: Interner::default(),
            candidates: Candidates::new(slot_bits(8, 14)),
            spelling: Spelling::new(slot_bits(10, 16), Spelling::CONTEXTS, codes),
            numbers: Numbers::new(slot_bits(8, 20), times),
            room: limit,
        })
    }

    /// Codes the comments of `games`, but for their texts, which are appended to `prose`.
    pub(super) fn write<G: Borrow<Game>>(
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
    pub(super) fn code<C: Coder>(
        &mut self,
        coder: &mut C,
        play: &mut Play,
        parts: &Parts,
    ) -> Result<Parts> {
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
