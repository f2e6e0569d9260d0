//! What python-chess's reader of PGN would tell of a game, one event after the other.

use plyzip::pgn::{self, Outcome, Token};
use pyo3::prelude::*;
use shakmaty::{CastlingMode, Move};

use super::move_code::code;

/// A token of a game, as Python takes it: the kind, a number and a text.
#[derive(Debug, Clone, IntoPyObject)]
pub enum Event {
    /// From, to and the piece of a promotion, each of them as python-chess has it.
    Move((u8, u8, Option<u8>)),
    /// A comment without its braces.
    Comment(String),
    /// 0 and more: a NAG. Negative: `OPEN` and those behind it in `plyzip/_chess.py`.
    Sign(i32),
}

const OPEN: i32 = -1;
const CLOSE: i32 = -2;
/// The results follow.
const RESULT: i32 = -3;

/// Names and values of tags.
pub type Tags = Vec<(String, String)>;

/// Names and values of the tags as they are spelled, and the events. `None` if python-chess might read the game in
/// another way than plyzip: where lines are laid out in another way than usual, where something is neither a move nor a
/// comment, and where the game starts elsewhere.
pub fn of(bytes: &[u8]) -> Option<(Tags, Vec<Event>)> {
    let text = str::from_utf8(bytes).ok()?;
    let game = pgn::parse(bytes).into_games().next()?;
    if game.tag("FEN").is_some() || game.tag("Variant").is_some() {
        return None;
    }
    let (tags, movetext) = header(text, &game)?;
    is_one_paragraph(movetext).then_some(())?;
    let mut lines = Lines::of(&game);
    let mut events = vec![];
    for token in &game.tokens {
        events.push(match token {
            Token::Move => {
                let (squares, promotion) = code(lines.next()?, CastlingMode::Standard);
                let promotion = (promotion > 0).then_some(promotion);
                Event::Move(((squares / 64) as u8, (squares % 64) as u8, promotion))
            }
            Token::Nag(nag) => Event::Sign(i32::from(*nag)),
            Token::Comment(comment) => {
                let comment = str::from_utf8(comment).ok()?;
                let comment = comment.strip_prefix(' ').unwrap_or(comment);
                Event::Comment(comment.strip_suffix(' ').unwrap_or(comment).to_owned())
            }
            Token::Open => {
                lines.open()?;
                Event::Sign(OPEN)
            }
            Token::Close => {
                lines.close()?;
                Event::Sign(CLOSE)
            }
            Token::Outcome(outcome) if lines.open.len() == 1 => {
                let outcomes = [Outcome::White, Outcome::Black, Outcome::Draw, Outcome::Unknown];
                let place = outcomes.iter().position(|known| known == outcome)?;
                Event::Sign(RESULT - i32::try_from(place).ok()?)
            }
            _ => return None,
        });
    }
    Some((tags, events))
}

/// The tags, and what follows the empty line behind them; if each tag has a line as it is usual.
fn header<'a>(text: &'a str, game: &pgn::Game) -> Option<(Tags, &'a str)> {
    let mut rest = text;
    let mut tags = vec![];
    for tag in &game.tags {
        let (name, value) = (str::from_utf8(&tag.name).ok()?, str::from_utf8(&tag.value).ok()?);
        let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        (is_name && !name.is_empty() && !value.contains(['\r', '\n'])).then_some(())?;
        rest = rest.strip_prefix('[')?.strip_prefix(name)?.strip_prefix(" \"")?;
        rest = rest.strip_prefix(value)?.strip_prefix("\"]")?;
        rest = line_end(rest)?;
        tags.push((name.to_owned(), value.to_owned()));
    }
    let rest = if tags.is_empty() { rest } else { line_end(rest)? };
    Some((tags, rest))
}

fn line_end(text: &str) -> Option<&str> {
    text.strip_prefix('\n').or_else(|| text.strip_prefix("\r\n"))
}

/// Whether there is something, and no empty line in it.
fn is_one_paragraph(movetext: &str) -> bool {
    let mut lines = movetext.trim_end().lines();
    !movetext.trim().is_empty() && lines.all(|line| !line.trim().is_empty())
}

/// The lines of a game, as the tokens go through them.
struct Lines<'a> {
    game: &'a pgn::Game,
    /// Each with the number of its moves that have come; the one that is open last.
    open: Vec<(usize, usize)>,
    /// The line that the next variation has.
    next: usize,
}

impl Lines<'_> {
    fn of(game: &pgn::Game) -> Lines<'_> {
        Lines { game, open: vec![(0, 0)], next: 1 }
    }

    fn next(&mut self) -> Option<Move> {
        let (line, ply) = self.open.last_mut()?;
        let played = *self.game.lines.get(*line)?.moves.get(*ply)?;
        *ply += 1;
        Some(played)
    }

    fn open(&mut self) -> Option<()> {
        // A variation replaces the move before it.
        let (line, ply) = *self.open.last()?;
        let branch = self.game.lines.get(self.next)?.branch?;
        let is_usual = (branch.line as usize, branch.ply as usize + 1) == (line, ply);
        is_usual.then(|| self.open.push((self.next, 0)))?;
        self.next += 1;
        Some(())
    }

    fn close(&mut self) -> Option<()> {
        (self.open.len() > 1).then(|| self.open.pop()).flatten().map(|_| ())
    }
}
