//! What the games of a page repeat of others, filled in.

use std::borrow::Borrow;
use std::sync::Arc;

use crate::pgn::{Game, Token};
use crate::{Error, Result};

/// What the games of a page repeat of others; nothing by default.
#[derive(Debug, Clone, Default)]
pub struct Repeated {
    /// For each game; empty if none repeats anything.
    games: Vec<Option<RepeatedGame>>,
}

/// A game that repeats another.
#[derive(Debug, Clone)]
pub struct RepeatedGame {
    /// Whether variations, comments and all else that stands between the moves are repeated, too.
    pub has_tokens: bool,
    /// The game that is repeated.
    pub source: RepeatSource,
}

/// A game that another one repeats.
#[derive(Debug, Clone)]
pub enum RepeatSource {
    /// One of the same page, earlier, by its number from 0 on.
    SamePage(usize),
    /// One of another page: its moves, and what else is repeated.
    Content(Arc<Game>),
    /// One that is not looked for, since nobody needs what is repeated.
    NotNeeded,
}

impl Repeated {
    /// These games, one for each of the page.
    pub fn new(games: Vec<Option<RepeatedGame>>) -> Repeated {
        Repeated { games }
    }

    /// What a game repeats.
    pub fn game(&self, number: usize) -> Option<&RepeatedGame> {
        self.games.get(number).and_then(Option::as_ref)
    }

    /// Of a value for each game those of games that have tokens of their own.
    pub(super) fn own<T>(&self, of_games: impl IntoIterator<Item = T>) -> Vec<T> {
        numbered(of_games, |number| self.game(number).is_none_or(|game| !game.has_tokens))
    }

    /// Gives games the moves of the main lines that they repeat, at most `most` together; how many these are.
    pub(super) fn fill_lines(&self, games: &mut [&mut Game], most: usize) -> Result<usize> {
        let mut left = most;
        for (number, game) in self.games.iter().enumerate().take(games.len()) {
            let Some(RepeatedGame { source, .. }) = game else { continue };
            let Some(source) = source.among(&games[..number])? else { continue };
            let moves = source.lines.first().map_or(&[][..], |line| &line.moves).to_vec();
            let too_many = || Error::damaged("more moves than announced");
            left = left.checked_sub(moves.len()).ok_or_else(too_many)?;
            games[number].lines[0].moves = moves;
        }
        Ok(most - left)
    }

    /// Gives games all else that they repeat: what takes at most `limit` bytes of text.
    pub(super) fn fill_tokens(&self, games: &mut [&mut Game], limit: usize) -> Result<()> {
        let mut left = limit;
        for (number, game) in self.games.iter().enumerate().take(games.len()) {
            let Some(RepeatedGame { source, has_tokens: true }) = game else { continue };
            let Some(source) = source.among(&games[..number])? else { continue };
            // Each token takes a byte at least.
            let bytes = source.tokens.iter().map(|token| 1 + token.bytes().len());
            let too_many = || Error::Limit("more text is repeated than announced".into());
            left = left.checked_sub(bytes.sum()).ok_or_else(too_many)?;
            let (lines, tokens) = (source.lines.clone(), source.tokens.clone());
            (games[number].lines, games[number].tokens) = (lines, tokens);
        }
        Ok(())
    }
}

impl RepeatSource {
    /// The game that is repeated, if it is needed: it may be one of those `before` in the page.
    fn among<'a, G: Borrow<Game>>(&'a self, before: &'a [G]) -> Result<Option<&'a Game>> {
        match self {
            RepeatSource::NotNeeded => Ok(None),
            RepeatSource::Content(game) => Ok(Some(game)),
            RepeatSource::SamePage(number) => {
                let game = before.get(*number).map(Borrow::borrow);
                game.map(Some).ok_or_else(|| Error::damaged("a game that repeats none"))
            }
        }
    }
}

/// Of a value for each game those of games whose numbers are wanted.
pub(super) fn numbered<T>(
    of_games: impl IntoIterator<Item = T>,
    is_wanted: impl Fn(usize) -> bool,
) -> Vec<T> {
    let all = of_games.into_iter().enumerate();
    all.filter(|&(number, _)| is_wanted(number)).map(|(_, value)| value).collect()
}

/// What games repeat of a game, without its tags.
pub(super) fn content(game: &Game) -> Arc<Game> {
    Arc::new(Game { tags: vec![], lines: game.lines.clone(), tokens: game.tokens.clone() })
}

impl Token {
    /// The bytes that the token has of the text.
    fn bytes(&self) -> &[u8] {
        match self {
            Token::Comment(text)
            | Token::LineComment(text)
            | Token::Escape(text)
            | Token::Text(text) => text,
            Token::Move | Token::Nag(_) | Token::Open | Token::Close | Token::Outcome(_) => &[],
        }
    }
}
