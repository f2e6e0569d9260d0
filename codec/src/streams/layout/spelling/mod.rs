//! The spelling of atoms: tag pairs, move numbers, moves and NAGs.

mod script;
mod walk;

pub(super) use self::script::Script;
use self::walk::{first_ply, walk};
use super::context::{Context, START};
use super::page::too_long;
use super::phrases::{LITERAL, PhraseDictionary, REGULAR, Topic};
use super::profile::Profile;
use super::visitor::{LayoutVisitor, Query};
use crate::pgn::{Atom, AtomKind, Game, SUFFIXES, San, SanForm, Tag, Token};
use crate::{Error, Result};

/// NAGs as `$n`, and as suffixes.
pub(super) const DOLLAR: &[u8] = b"$";
pub(super) const SUFFIX: &[u8] = b"!";

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
pub(super) fn kind(token: &Token) -> AtomKind {
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

/// A place where a move number may stand: before which token, and after which kind.
pub(super) struct NumberPlace {
    pub context: Context,
    pub black: bool,
    /// The number to be expected.
    pub number: u64,
}

/// The place of the number before `token`, which has `ply` half-moves before it and an atom of kind `before`.
pub(super) fn number_place(
    game: &Game,
    ply: u64,
    before: Option<AtomKind>,
    token: &Token,
) -> NumberPlace {
    let black = ply % 2 == 1;
    let before = match before {
        Some(kind) => kind as u8,
        None if game.tags.is_empty() => START,
        None => AtomKind::Tag as u8,
    };
    let context = Context::number(black, before, kind(token) as u8);
    NumberPlace { context, black, number: ply / 2 + 1 }
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
    dictionary: &mut PhraseDictionary,
    profile: &mut Profile,
    game: &Game,
    sans: &[San],
    limit: usize,
) -> Result<Atoms> {
    let mut out = Atoms::default();
    for (index, tag) in game.tags.iter().enumerate() {
        let query = Query::favourite(Topic::Tag, Context::tag(index == 0), profile);
        let phrase = visitor.pick(dictionary, profile, query, None)?;
        out.add(AtomKind::Tag, |text| fill_template(dictionary.get(phrase), tag, text));
        within(&out, limit)?;
    }
    let mut sans = sans.iter();
    let mut before = None;
    walk(game, first_ply(game.start().as_ref()), |step| {
        let place = number_place(game, step.ply, before, step.token);
        let query = Query::favourite(Topic::Number, place.context, profile);
        let phrase = visitor.pick(dictionary, profile, query, None)?;
        if let Some((&mark, dots)) = dictionary.get(phrase).split_first() {
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
                let phrase = visitor.pick(dictionary, profile, query, None)?;
                let spelling = spelling(dictionary.get(phrase))?;
                out.add(AtomKind::Move, |text| match spelling {
                    Ok(form) => san.write(form, text),
                    Err(literal) => text.extend_from_slice(literal),
                });
            }
            Token::Nag(number) => {
                let query = Query::favourite(Topic::Nag, Context::nag(*number), profile);
                let phrase = visitor.pick(dictionary, profile, query, None)?;
                let (kind, spelled) = spell_nag(*number, dictionary.get(phrase))?;
                out.add(kind, |text| text.extend(spelled));
            }
            token => out.add(kind(token), |text| write_plain(token, text)),
        }
        before = Some(kind(step.token));
        within(&out, limit)
    })?;
    Ok(out)
}

/// Appends a token that has one spelling.
fn write_plain(token: &Token, text: &mut Vec<u8>) {
    match token {
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
    }
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
