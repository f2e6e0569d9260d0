//! Bytes to games, with the places of everything.

use std::ops::Range;

use rayon::prelude::*;
use shakmaty::{Chess, Color, Position as _};

use super::tag::{TagFinder, line_len};
use super::{Branch, Game, Item, Line, Outcome, San, SanForm, Tag, Token, game_starts};

/// How deep variations may be nested; what is deeper is text.
pub const MAX_DEPTH: usize = 200;

/// How many lines a game may have, itself included; further variations are text.
pub const MAX_LINES: usize = 1 << 16;

/// The input as items, and where each atom of each game lies.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Document {
    /// Games and text. They follow each other without gaps: the white space
    /// after a game belongs to it. No text follows another.
    pub items: Vec<Item>,
    /// For each item, the bytes that it was made from.
    pub ranges: Vec<Range<usize>>,
    /// For each item, its atoms in the order of the input; none for text.
    pub atoms: Vec<Vec<Atom>>,
}

impl Document {
    /// The games, without the text between them.
    ///
    /// ```
    /// let document = plyzip::pgn::parse(b"% no game\n\n[Event \"?\"]\n\n1. e4 *\n");
    /// assert_eq!(document.games().count(), 1);
    /// ```
    pub fn games(&self) -> impl Iterator<Item = &Game> {
        self.items.iter().filter_map(Item::game)
    }

    /// The games themselves, without the text between them.
    pub fn into_games(self) -> impl Iterator<Item = Game> {
        self.items.into_iter().filter_map(|item| match item {
            Item::Game(game) => Some(game),
            Item::Text(_) => None,
        })
    }
}

/// An indivisible piece of a game's text. Between atoms stand gaps: white space, or nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Atom {
    /// What it is.
    pub kind: AtomKind,
    /// Where it lies.
    pub range: Range<usize>,
    /// How it is spelled, if it is a move.
    pub spelling: Spelling,
}

/// How a move is spelled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spelling {
    /// The move's [`San::category`].
    pub category: u8,
    /// The form that gives the spelling; `None` if there is none.
    pub form: Option<SanForm>,
}

/// Kinds of [`Atom`]s.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum AtomKind {
    /// A tag pair.
    Tag,
    /// A move number where White is to move.
    WhiteNumber,
    /// A move number where Black is to move.
    BlackNumber,
    /// A move.
    Move,
    /// A NAG spelled as a suffix, such as `!?`.
    Suffix,
    /// A NAG spelled `$n`.
    Dollar,
    /// `{...}`
    Comment,
    /// `;...`
    LineComment,
    /// `%...`
    Escape,
    /// `(`
    Open,
    /// `)`
    Close,
    /// A termination marker.
    Outcome,
    /// What makes no sense.
    Text,
}

impl AtomKind {
    /// Whether this is a move number.
    pub fn is_number(self) -> bool {
        matches!(self, AtomKind::WhiteNumber | AtomKind::BlackNumber)
    }
}

/// Reads any bytes. What is no PGN becomes text, so that nothing is lost; what
/// is wrong in one game does not touch the others.
///
/// Games are read in parallel, one by one, so the result does not depend on
/// the number of threads.
///
/// ```
/// use plyzip::pgn::{self, Item};
/// let document = pgn::parse(b"1. e4 e5 2. Ke2 *\n");
/// let Item::Game(game) = &document.items[0] else { panic!() };
/// assert_eq!(game.lines[0].moves.len(), 3);
/// ```
pub fn parse(input: &[u8]) -> Document {
    let mut bounds = vec![0];
    bounds.extend(game_starts(input).filter(|&start| start > 0));
    bounds.push(input.len());
    let chunks: Vec<Document> = bounds
        .par_windows(2)
        .map(|bounds| {
            let mut document = Document::default();
            // Offsets stay those of the whole input; only its end moves.
            read_chunk(&input[..bounds[1]], bounds[0], &mut document);
            document
        })
        .collect();
    let mut document = Document::default();
    for mut chunk in chunks {
        if let (Some(Item::Text(text)), Some(Item::Text(more))) =
            (document.items.last_mut(), chunk.items.first_mut())
        {
            text.append(more);
            if let (Some(range), Some(further)) = (document.ranges.last_mut(), chunk.ranges.first())
            {
                range.end = further.end;
            }
            chunk = Document {
                items: chunk.items.split_off(1),
                ranges: chunk.ranges.split_off(1),
                atoms: chunk.atoms.split_off(1),
            };
        }
        document.items.append(&mut chunk.items);
        document.ranges.append(&mut chunk.ranges);
        document.atoms.append(&mut chunk.atoms);
    }
    document
}

/// Reads `input[start..]`, in which no game starts with a tag section except perhaps at `start`.
fn read_chunk(input: &[u8], start: usize, document: &mut Document) {
    let mut at = start;
    // One for all games: a line may hold many.
    let mut tags = TagFinder::new(input);
    while at < input.len() {
        let mut reader = Reader::new(input, at);
        reader.tags(&mut tags);
        let is_game = reader.movetext() || !reader.game.tags.is_empty();
        if !is_game {
            document.items.push(Item::Text(input[at..].to_vec()));
            document.ranges.push(at..input.len());
            document.atoms.push(Vec::new());
            return;
        }
        let end = skip_space(input, reader.at);
        document.items.push(Item::Game(reader.game));
        document.ranges.push(at..end);
        document.atoms.push(reader.atoms);
        at = end;
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

fn skip_space(input: &[u8], start: usize) -> usize {
    start + input[start..].iter().take_while(|&&byte| is_space(byte)).count()
}

/// A state of the reader to which it can go back.
struct Mark {
    tokens: usize,
    atoms: usize,
}

/// A line of play while it is open.
struct Open {
    /// What was before it.
    mark: Mark,
    line: u32,
    depth: usize,
    played: u32,
    /// The position before the last move; that of the line's start if there is none.
    before: Chess,
    now: Chess,
}

struct Reader<'a> {
    input: &'a [u8],
    at: usize,
    game: Game,
    atoms: Vec<Atom>,
}

impl<'a> Reader<'a> {
    fn new(input: &'a [u8], at: usize) -> Reader<'a> {
        Reader { input, at, game: Game::default(), atoms: Vec::new() }
    }

    fn tags(&mut self, finder: &mut TagFinder<'_>) {
        loop {
            let start = skip_space(self.input, self.at);
            let Some(tag) = finder.tag_at(start) else { return };
            self.game.tags.push(Tag {
                name: self.input[tag.name].to_vec(),
                value: self.input[tag.value].to_vec(),
            });
            self.atom(AtomKind::Tag, start..tag.end);
        }
    }

    fn atom(&mut self, kind: AtomKind, range: Range<usize>) {
        self.at = range.end;
        self.atoms.push(Atom { kind, range, spelling: Spelling::default() });
    }

    /// Reads up to the end of the game; whether there was a move.
    fn movetext(&mut self) -> bool {
        self.game.lines.push(Line::default());
        let start = self.game.start();
        let playable = start.is_some();
        let start = start.unwrap_or_default();
        let mark = Mark { tokens: 0, atoms: self.atoms.len() };
        let before = start.clone();
        let mut current = Open { mark, line: 0, depth: 0, played: 0, before, now: start };
        let mut outer: Vec<Open> = Vec::new();
        loop {
            let start = skip_space(self.input, self.at);
            let number = number_len(&self.input[start..]);
            let at = if number == 0 { start } else { skip_space(self.input, start + number) };
            let Some(lexeme) = self.lexeme(at, &current, playable) else {
                if let Some(parent) = outer.pop_if(|_| self.skip_variation(&current, start)) {
                    current = parent;
                    continue;
                }
                if start < self.input.len() {
                    let end = self.input.trim_ascii_end().len().max(start + 1);
                    self.game.tokens.push(Token::Text(self.input[start..end].to_vec()));
                    self.atom(AtomKind::Text, start..end);
                }
                break;
            };
            let mark = Mark { tokens: self.game.tokens.len(), atoms: self.atoms.len() };
            if number > 0 {
                let kind = match current.now.turn() {
                    Color::White => AtomKind::WhiteNumber,
                    Color::Black => AtomKind::BlackNumber,
                };
                self.atom(kind, start..start + number);
            }
            self.atom(lexeme.kind, at..at + lexeme.len);
            match lexeme.token {
                Token::Open => {
                    let branch = Branch { line: current.line, ply: current.played - 1 };
                    let inner = Open {
                        mark,
                        line: self.game.lines.len() as u32,
                        depth: current.depth + 1,
                        played: 0,
                        before: current.before.clone(),
                        now: current.before.clone(),
                    };
                    self.game.lines.push(Line { branch: Some(branch), moves: Vec::new() });
                    outer.push(std::mem::replace(&mut current, inner));
                }
                Token::Close => {
                    if let Some(parent) = outer.pop() {
                        current = parent;
                    }
                }
                _ => {}
            }
            if let Some((san, form, after)) = lexeme.played {
                if let Some(atom) = self.atoms.last_mut() {
                    atom.spelling = Spelling { category: san.category() as u8, form };
                }
                self.game.lines[current.line as usize].moves.push(san.to_move());
                current.before = std::mem::replace(&mut current.now, after);
                current.played += 1;
            }
            let done = matches!(lexeme.token, Token::Outcome(_));
            self.game.tokens.push(lexeme.token);
            if done {
                break;
            }
        }
        self.game.lines.iter().any(|line| !line.moves.is_empty())
    }

    /// Takes a variation, of which what begins at `at` makes no sense, for something between the
    /// tokens, so that the rest of the game is not lost with it; unless it never ends.
    fn skip_variation(&mut self, variation: &Open, at: usize) -> bool {
        let Some(end) = variation_end(self.input, at) else { return false };
        self.game.tokens.truncate(variation.mark.tokens);
        self.atoms.truncate(variation.mark.atoms);
        self.game.lines.truncate(variation.line as usize);
        self.at = end;
        true
    }

    /// What stands at `at`, if it makes sense there.
    fn lexeme(&self, at: usize, line: &Open, playable: bool) -> Option<Lexeme> {
        let nested = line.depth > 0;
        let rest = &self.input[at..];
        let simple = |token, kind, len| Some(Lexeme { token, kind, len, played: None });
        match *rest.first()? {
            b'{' => {
                let len = rest.iter().position(|&byte| byte == b'}')?;
                simple(Token::Comment(rest[1..len].to_vec()), AtomKind::Comment, len + 1)
            }
            b';' => {
                let len = line_len(rest);
                simple(Token::LineComment(rest[1..len].to_vec()), AtomKind::LineComment, len)
            }
            b'%' if begins_line(self.input, at) => {
                let len = line_len(rest);
                simple(Token::Escape(rest[1..len].to_vec()), AtomKind::Escape, len)
            }
            b'(' if line.played > 0
                && line.depth < MAX_DEPTH
                && self.game.lines.len() < MAX_LINES =>
            {
                simple(Token::Open, AtomKind::Open, 1)
            }
            b')' if nested => simple(Token::Close, AtomKind::Close, 1),
            b'*' if !nested => simple(Token::Outcome(Outcome::Unknown), AtomKind::Outcome, 1),
            b'$' => {
                let digits = rest[1..].iter().take(4).take_while(|byte| byte.is_ascii_digit());
                let len = 1 + digits.count();
                let number = std::str::from_utf8(&rest[1..len]).ok()?.parse().ok()?;
                let ends = !rest.get(len).is_some_and(u8::is_ascii_digit);
                ends.then_some(())?;
                simple(Token::Nag(number), AtomKind::Dollar, len)
            }
            b'!' | b'?' => {
                let (number, len) = (1..)
                    .zip(SUFFIXES)
                    .filter(|(_, suffix)| rest.starts_with(suffix))
                    .map(|(number, suffix)| (number, suffix.len()))
                    .max_by_key(|&(_, len)| len)?;
                simple(Token::Nag(number), AtomKind::Suffix, len)
            }
            _ => {
                let len = rest.iter().take(MAX_WORD + 1).take_while(|&&byte| in_word(byte)).count();
                let word = &rest[..len];
                if let Some(outcome) = Outcome::from_bytes(word) {
                    return match nested {
                        true => None,
                        false => simple(Token::Outcome(outcome), AtomKind::Outcome, len),
                    };
                }
                if !playable || len > MAX_WORD {
                    return None;
                }
                let mut after = line.now.clone();
                let (san, form) = San::read(&mut after, word)?;
                let played = Some((san, form, after));
                Some(Lexeme { token: Token::Move, kind: AtomKind::Move, len, played })
            }
        }
    }
}

/// A token before it belongs to the game.
struct Lexeme {
    token: Token,
    kind: AtomKind,
    len: usize,
    /// For a move: how it is spelled, and the position after it.
    played: Option<(San, Option<SanForm>, Chess)>,
}

/// The spellings of NAGs 1 to 6.
pub(crate) const SUFFIXES: [&[u8]; 6] = [b"!", b"?", b"!!", b"??", b"!?", b"?!"];

/// No usual spelling of a move is longer.
const MAX_WORD: usize = 15;

fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'#' | b'=' | b'-' | b'/' | b':')
}

/// The offset after the parenthesis that closes the variation in which `at` lies, between two of its tokens.
///
/// Comments and escapes are those that the reader finds. So the end lies behind `at`, and no byte is read twice by way
/// of variations that make no sense.
fn variation_end(input: &[u8], at: usize) -> Option<usize> {
    let mut depth = 1;
    let mut at = at;
    loop {
        match *input.get(at)? {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(at + 1),
            b')' => depth -= 1,
            b'{' => at += input[at..].iter().position(|&byte| byte == b'}')?,
            b';' => at += line_len(&input[at..]),
            b'%' if begins_line(input, at) => at += line_len(&input[at..]),
            _ => {}
        }
        at += 1;
    }
}

/// Whether the byte at `at` is the first of a line.
fn begins_line(input: &[u8], at: usize) -> bool {
    at == 0 || matches!(input[at - 1], b'\n' | b'\r')
}

/// Length of the move number at the start of `rest`, its dots included; 0 if there is none.
/// `12.`, `12...`, `12. ...`, `...` and a bare `12` are numbers.
fn number_len(rest: &[u8]) -> usize {
    let count = |start: usize, wanted: fn(u8) -> bool| {
        rest[start..].iter().take_while(|&&byte| wanted(byte)).count()
    };
    let digits = count(0, |byte| byte.is_ascii_digit());
    let dots = count(digits, |byte| byte == b'.');
    if dots == 0 {
        let bare =
            rest.get(digits).is_some_and(|&byte| is_space(byte) || byte.is_ascii_alphabetic());
        return if bare { digits } else { 0 };
    }
    let mut len = digits + dots;
    loop {
        let blanks = count(len, |byte| byte == b' ');
        match count(len + blanks, |byte| byte == b'.') {
            0 => return len,
            more => len += blanks + more,
        }
    }
}
