//! A game as the compressor sees it: what a PGN means, apart from how it is laid out.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, FromSetup, Move, PositionError};

/// A stretch of the input. There is no third kind: what is no game is text.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// A game, or as much of one as makes sense.
    Game(Game),
    /// Bytes that belong to no game.
    Text(Vec<u8>),
}

/// A game: tags, lines of play and what stands between the moves.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Game {
    /// The tag pairs in the order of the input.
    pub tags: Vec<Tag>,
    /// Line 0 is the game as played; variations follow in the order in which they open.
    pub lines: Vec<Line>,
    /// The movetext. Empty only if the game has none at all.
    pub tokens: Vec<Token>,
}

/// One tag pair, `[Name "Value"]`, with its value as it is spelled (escapes untouched).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tag {
    /// The tag's name.
    pub name: Vec<u8>,
    /// The bytes between the quotes.
    pub value: Vec<u8>,
}

/// Moves in sequence.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Line {
    /// The branch at which the line leaves another; `None` for the game as played.
    pub branch: Option<Branch>,
    /// The moves, each legal in the position before it.
    pub moves: Vec<Move>,
}

/// The place where a variation leaves its parent line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Branch {
    /// Index of the parent in [`Game::lines`], always lower than the variation's own.
    pub line: u32,
    /// Number of the parent's moves that are played before the variation's first:
    /// the variation replaces the parent's move with this index.
    pub ply: u32,
}

/// A token of a movetext. Move numbers and white space are layout and no tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Token {
    /// The next move of the line that is open here.
    Move,
    /// `$n`, or the same as a suffix: `!`, `?`, `!!`, `??`, `!?`, `?!` are 1 to 6.
    Nag(u8),
    /// `{...}`: the bytes between the braces.
    Comment(Vec<u8>),
    /// `;...`: the bytes up to the end of the line.
    LineComment(Vec<u8>),
    /// `%...` at the start of a line: the bytes up to its end.
    Escape(Vec<u8>),
    /// `(`: opens the next line of [`Game::lines`].
    Open,
    /// `)`: back to the line in which the variation was opened.
    Close,
    /// The game's termination marker.
    Outcome(Outcome),
    /// What makes no sense as movetext, from there to the end of the game.
    Text(Vec<u8>),
}

/// A termination marker: PGN has these four.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// `1-0`
    White,
    /// `0-1`
    Black,
    /// `1/2-1/2`
    Draw,
    /// `*`
    Unknown,
}

impl Item {
    /// The game, if it is one.
    pub fn game(&self) -> Option<&Game> {
        match self {
            Item::Game(game) => Some(game),
            Item::Text(_) => None,
        }
    }

    /// The game, if it is one, to be filled in.
    pub fn game_mut(&mut self) -> Option<&mut Game> {
        match self {
            Item::Game(game) => Some(game),
            Item::Text(_) => None,
        }
    }

    /// The bytes, if they belong to no game.
    pub fn text(&self) -> Option<&[u8]> {
        match self {
            Item::Text(text) => Some(text),
            Item::Game(_) => None,
        }
    }

    /// The bytes, if they belong to no game, to be filled in.
    pub fn text_mut(&mut self) -> Option<&mut Vec<u8>> {
        match self {
            Item::Text(text) => Some(text),
            Item::Game(_) => None,
        }
    }
}

impl Token {
    /// The bytes, if they make no sense as movetext.
    pub fn text(&self) -> Option<&[u8]> {
        match self {
            Token::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The bytes, if they make no sense as movetext, to be filled in.
    pub fn text_mut(&mut self) -> Option<&mut Vec<u8>> {
        match self {
            Token::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl Outcome {
    /// The marker of a spelling, if it is one.
    pub fn from_bytes(spelling: &[u8]) -> Option<Outcome> {
        match spelling {
            b"1-0" => Some(Outcome::White),
            b"0-1" => Some(Outcome::Black),
            b"1/2-1/2" => Some(Outcome::Draw),
            b"*" => Some(Outcome::Unknown),
            _ => None,
        }
    }

    /// The marker as PGN spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::White => "1-0",
            Outcome::Black => "0-1",
            Outcome::Draw => "1/2-1/2",
            Outcome::Unknown => "*",
        }
    }
}

impl Game {
    /// The value of the first tag with this name.
    pub fn tag(&self, name: &str) -> Option<&[u8]> {
        self.tags.iter().find(|tag| tag.name == name.as_bytes()).map(|tag| &tag.value[..])
    }

    /// Number of moves in all lines.
    pub fn plies(&self) -> usize {
        self.lines.iter().map(|line| line.moves.len()).sum()
    }

    /// The position before the first move of line 0, as the tags `FEN` and `Variant`
    /// have it; `None` for variants that plyzip does not play and for positions
    /// that are not legal. Depends on nothing but the tags.
    pub fn start(&self) -> Option<Chess> {
        let mode = match self.tag("Variant") {
            None => CastlingMode::Standard,
            Some(variant) => match &variant.to_ascii_lowercase()[..] {
                b"standard" | b"chess" | b"from position" | b"normal" => CastlingMode::Standard,
                b"chess960" | b"chess 960" | b"fischerandom" | b"fischerrandom" => {
                    CastlingMode::Chess960
                }
                _ => return None,
            },
        };
        match self.tag("FEN") {
            None if mode.is_chess960() => None,
            None => Some(Chess::default()),
            Some(fen) => {
                let setup = Fen::from_ascii(fen).ok()?.into_setup();
                Chess::from_setup(setup, mode)
                    .or_else(PositionError::ignore_too_much_material)
                    .or_else(PositionError::ignore_impossible_check)
                    .ok()
            }
        }
    }
}
