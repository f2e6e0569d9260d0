//! How atoms are spelled: tag pairs, move numbers, moves and NAGs.

use std::ops::Range;

use super::context::{Context, START};
use super::page::too_long;
use super::phrases::{LITERAL, PhraseDictionary, REGULAR, Topic, form_phrase};
use super::profile::Profile;
use super::visitor::{LayoutVisitor, Query};
use super::walk::{first_ply, walk};
use crate::pgn::{Atom, AtomKind, Game, SUFFIXES, San, SanForm, Tag, Token};
use crate::{Error, Result};

/// NAGs as `$n`, and as suffixes.
const DOLLAR: &[u8] = b"$";
const SUFFIX: &[u8] = b"!";

/// The canonical spellings of all moves, in the order of the tokens.
///
/// # Errors
/// [`Error::Damaged`] if a move is illegal, or if tokens and moves do not fit each other.
pub(super) fn canonical(game: &Game) -> Result<Vec<San>> {
    let mut now = game.start().unwrap_or_default();
    let mut before = now.clone();
    let mut outer = Vec::new();
    let mut spelled = Vec::with_capacity(game.plies());
    walk(game, 0, |step| {
        match step.token {
            Token::Open => {
                outer.push((before.clone(), now.clone()));
                now = before.clone();
            }
            Token::Close => {
                (before, now) =
                    outer.pop().ok_or_else(|| Error::damaged("a variation that never opened"))?;
            }
            _ => {}
        }
        if let Some(m) = step.m {
            let previous = now.clone();
            let san = San::play(&mut now, m).ok_or_else(|| Error::damaged("an illegal move"))?;
            before = previous;
            spelled.push(san);
        }
        Ok(())
    })?;
    Ok(spelled)
}

/// The kind of atom that a token becomes, as far as its kind alone tells.
fn kind(token: &Token) -> AtomKind {
    match token {
        Token::Move => AtomKind::Move,
        Token::Nag(_) => AtomKind::Suffix,
        Token::Comment(_) => AtomKind::Comment,
        Token::LineComment(_) => AtomKind::LineComment,
        Token::Escape(_) => AtomKind::Escape,
        Token::Open => AtomKind::Open,
        Token::Close => AtomKind::Close,
        Token::Outcome(_) => AtomKind::Outcome,
        Token::Text(_) => AtomKind::Text,
    }
}

/// Where a move number may stand: before which token, and after which kind.
struct NumberPlace {
    context: Context,
    black: bool,
    /// The number to be expected.
    number: u64,
}

fn number_place(game: &Game, ply: u64, before: Option<AtomKind>, token: &Token) -> NumberPlace {
    let black = ply % 2 == 1;
    let before = match before {
        Some(kind) => kind as u8,
        None if game.tags.is_empty() => START,
        None => AtomKind::Tag as u8,
    };
    let context = Context::number(black, before, kind(token) as u8);
    NumberPlace { context, black, number: ply / 2 + 1 }
}

/// The spellings of a game's atoms as the input has them: one phrase for each choice.
#[derive(Debug, Default)]
pub(super) struct Script {
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
        book: &mut PhraseDictionary,
        profile: &mut Profile,
    ) -> Result<()> {
        for (topic, context, phrase) in &self.choices {
            let query = Query::favourite(*topic, *context, profile);
            visitor.pick(book, profile, query, Some(&self.phrases[phrase.clone()]))?;
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

/// Atoms being written one after the other.
#[derive(Debug, Default)]
pub(super) struct Atoms {
    pub text: Vec<u8>,
    pub atoms: Vec<Atom>,
}

impl Atoms {
    fn add(&mut self, kind: AtomKind, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.text.len();
        write(&mut self.text);
        let range = start..self.text.len();
        self.atoms.push(Atom::new(kind, range));
    }
}

/// Writes the atoms of a game, whose moves in the order of the tokens are `sans`.
///
/// # Errors
/// [`Error::Damaged`] if there is no such spelling, or if the atoms take more than `limit` bytes.
pub(super) fn write<S: LayoutVisitor>(
    visitor: &mut S,
    book: &mut PhraseDictionary,
    profile: &mut Profile,
    game: &Game,
    sans: &[San],
    limit: usize,
) -> Result<Atoms> {
    let mut out = Atoms::default();
    for (index, tag) in game.tags.iter().enumerate() {
        let query = Query::favourite(Topic::Tag, Context::tag(index == 0), profile);
        let phrase = visitor.pick(book, profile, query, None)?;
        out.add(AtomKind::Tag, |text| fill_template(book.get(phrase), tag, text));
        within(&out, limit)?;
    }
    let mut sans = sans.iter();
    let mut before = None;
    walk(game, first_ply(game.start().as_ref()), |step| {
        let place = number_place(game, step.ply, before, step.token);
        let query = Query::favourite(Topic::Number, place.context, profile);
        let phrase = visitor.pick(book, profile, query, None)?;
        if let Some((&mark, dots)) = book.get(phrase).split_first() {
            let kind = if place.black { AtomKind::BlackNumber } else { AtomKind::WhiteNumber };
            out.add(kind, |text| {
                if mark == REGULAR {
                    text.extend_from_slice(place.number.to_string().as_bytes());
                }
                text.extend_from_slice(dots);
            });
        }
        match step.token {
            Token::Move => {
                let san = sans.next().ok_or_else(|| Error::damaged("a move that is missing"))?;
                let context = Context::san(san.category() as u8);
                let query = Query::favourite(Topic::San, context, profile);
                let phrase = visitor.pick(book, profile, query, None)?;
                let spelling = spelling(book.get(phrase))?;
                out.add(AtomKind::Move, |text| match spelling {
                    Ok(form) => san.write(form, text),
                    Err(literal) => text.extend_from_slice(literal),
                });
            }
            Token::Nag(number) => {
                let query = Query::favourite(Topic::Nag, Context::nag(*number), profile);
                let phrase = visitor.pick(book, profile, query, None)?;
                let (kind, spelled) = spell_nag(*number, book.get(phrase))?;
                out.add(kind, |text| text.extend(spelled));
            }
            token => out.add(kind(token), |text| match token {
                Token::Comment(bytes) => {
                    text.push(b'{');
                    text.extend_from_slice(bytes);
                    text.push(b'}');
                }
                Token::LineComment(bytes) => {
                    text.push(b';');
                    text.extend_from_slice(bytes);
                }
                Token::Escape(bytes) => {
                    text.push(b'%');
                    text.extend_from_slice(bytes);
                }
                Token::Open => text.push(b'('),
                Token::Close => text.push(b')'),
                Token::Outcome(outcome) => text.extend_from_slice(outcome.as_str().as_bytes()),
                Token::Text(bytes) => text.extend_from_slice(bytes),
                Token::Move | Token::Nag(_) => {}
            }),
        }
        before = Some(kind(step.token));
        within(&out, limit)
    })?;
    Ok(out)
}

fn within(out: &Atoms, limit: usize) -> Result<()> {
    match out.text.len() <= limit {
        true => Ok(()),
        false => Err(too_long()),
    }
}

fn fill_template(template: &[u8], tag: &Tag, text: &mut Vec<u8>) {
    for &byte in template {
        match byte {
            b'N' => text.extend_from_slice(&tag.name),
            b'V' => text.extend_from_slice(&tag.value),
            byte => text.push(byte),
        }
    }
}

/// The form that a phrase stands for, or the spelling itself.
fn spelling(phrase: &[u8]) -> Result<Result<SanForm, &[u8]>> {
    match *phrase {
        [REGULAR, high, low] => SanForm::from_bits(u16::from_be_bytes([high, low])).map(Ok),
        [LITERAL, ref literal @ ..] => Some(Err(literal)),
        _ => None,
    }
    .ok_or_else(|| Error::damaged("an impossible spelling of a move"))
}

fn spell_nag(number: u8, phrase: &[u8]) -> Result<(AtomKind, Vec<u8>)> {
    match phrase {
        DOLLAR => Ok((AtomKind::Dollar, format!("${number}").into_bytes())),
        SUFFIX => {
            let suffix = usize::from(number).checked_sub(1).and_then(|index| SUFFIXES.get(index));
            suffix.map(|suffix| (AtomKind::Suffix, suffix.to_vec()))
        }
        .ok_or_else(|| Error::damaged("a NAG without a suffix")),
        [LITERAL, literal @ ..] => Ok((AtomKind::Dollar, literal.to_vec())),
        _ => Err(Error::damaged("an impossible spelling of a NAG")),
    }
}
