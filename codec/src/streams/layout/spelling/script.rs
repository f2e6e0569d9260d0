//! The spellings of a game's atoms in the input, as phrases.

use std::ops::Range;

use super::walk::{first_ply, walk};
use super::{DOLLAR, SUFFIX, kind, number_place};
use crate::pgn::{Atom, Game, Tag, Token};
use crate::streams::layout::context::Context;
use crate::streams::layout::phrases::{LITERAL, PhraseDictionary, REGULAR, Topic, form_phrase};
use crate::streams::layout::profile::Profile;
use crate::streams::layout::visitor::{LayoutVisitor, Query};
use crate::{Error, Result};

/// The spellings of a game's atoms as the input has them: one phrase for each choice.
#[derive(Debug, Default)]
pub(in crate::streams::layout) struct Script {
    choices: Vec<(Topic, Context, Range<usize>)>,
    phrases: Vec<u8>,
}

impl Script {
    /// Reads the spellings of `atoms`, which lie in `input`.
    ///
    /// # Errors
    /// [`Error::Usage`] if the atoms are not those of the game.
    pub fn read(game: &Game, input: &[u8], atoms: &[Atom]) -> Result<Script> {
        let misfit = || Error::Usage("a document that was read from something else".into());
        let mut script = Script::default();
        let mut atoms = atoms.iter().peekable();
        let mut next = |number: bool| {
            match number {
                true => Ok(atoms.next_if(|atom| atom.kind.is_number())),
                false => atoms.next().ok_or_else(misfit).map(Some),
            }
            .map(|atom| atom.and_then(|atom| Some((atom, input.get(atom.range())?))))
        };
        for (index, tag) in game.tags.iter().enumerate() {
            let (_, spelled) = next(false)?.ok_or_else(misfit)?;
            script.add(Topic::Tag, Context::tag(index == 0), |phrase| {
                template(tag, spelled, phrase);
            });
        }
        let mut before = None;
        walk(game, first_ply(game.start().as_ref()), |step| {
            let place = number_place(game, step.ply, before, step.token);
            let number = next(true)?;
            script.add(Topic::Number, place.context, |phrase| {
                if let Some((_, spelled)) = number {
                    number_phrase(place.number, spelled, phrase);
                }
            });
            let (atom, spelled) = next(false)?.ok_or_else(misfit)?;
            match *step.token {
                Token::Move => {
                    let context = Context::san(atom.spelling().category);
                    script.add(Topic::San, context, |phrase| match atom.spelling().form {
                        Some(form) => phrase.extend(form_phrase(form)),
                        None => literal(spelled, phrase),
                    });
                }
                Token::Nag(number) => {
                    script.add(Topic::Nag, Context::nag(number), |phrase| {
                        nag_phrase(number, spelled, phrase);
                    });
                }
                _ => {}
            }
            before = Some(kind(step.token));
            Ok(())
        })?;
        Ok(script)
    }

    fn add(&mut self, topic: Topic, context: Context, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.phrases.len();
        write(&mut self.phrases);
        self.choices.push((topic, context, start..self.phrases.len()));
    }

    /// Answers the queries for all spellings.
    ///
    /// # Errors
    /// Those of the visitor.
    pub fn transcribe<S: LayoutVisitor>(
        &self,
        visitor: &mut S,
        dictionary: &mut PhraseDictionary,
        profile: &mut Profile,
    ) -> Result<()> {
        for (topic, context, phrase) in &self.choices {
            let query = Query::favourite(*topic, *context, profile);
            visitor.pick(dictionary, profile, query, Some(&self.phrases[phrase.clone()]))?;
        }
        Ok(())
    }
}

fn literal(spelled: &[u8], phrase: &mut Vec<u8>) {
    phrase.push(LITERAL);
    phrase.extend_from_slice(spelled);
}

/// The tag pair with `N` for its name and `V` for its value.
fn template(tag: &Tag, spelled: &[u8], phrase: &mut Vec<u8>) {
    let name = spelled.iter().skip(1).take_while(|byte| byte.is_ascii_whitespace()).count() + 1;
    let (open, rest) = spelled.split_at(name.min(spelled.len()));
    let rest = &rest[tag.name.len().min(rest.len())..];
    let quote = rest.iter().position(|&byte| byte == b'"').map_or(rest.len(), |quote| quote + 1);
    let (between, rest) = rest.split_at(quote);
    let close = &rest[tag.value.len().min(rest.len())..];
    for (part, mark) in [(open, &b"N"[..]), (between, b"V"), (close, b"")] {
        phrase.extend_from_slice(part);
        phrase.extend_from_slice(mark);
    }
}

fn number_phrase(expected: u64, spelled: &[u8], phrase: &mut Vec<u8>) {
    let expected = expected.to_string();
    match spelled.strip_prefix(expected.as_bytes()) {
        Some(dots) if !dots.first().is_some_and(u8::is_ascii_digit) => {
            phrase.push(REGULAR);
            phrase.extend_from_slice(dots);
        }
        _ => literal(spelled, phrase),
    }
}

fn nag_phrase(number: u8, spelled: &[u8], phrase: &mut Vec<u8>) {
    if spelled.first() != Some(&b'$') {
        phrase.extend_from_slice(SUFFIX);
    } else if spelled[1..] == *number.to_string().as_bytes() {
        phrase.extend_from_slice(DOLLAR);
    } else {
        literal(spelled, phrase);
    }
}
