//! One game: its tag section and its movetext.

use std::ops::Range;

use shakmaty::{Chess, Color, Position as _};

use super::tag::{TagFinder, line_len};
use super::{Atom, AtomKind, Branch, Game, Line, Outcome, San, SanForm, Spelling, Tag, Token};

/// The deepest nesting of variations; what is deeper is text.
pub const MAX_DEPTH: usize = 200;

/// The most lines of a game, itself included; further variations are text.
pub const MAX_LINES: usize = 1 << 16;

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

/// Reads one game.
pub(super) struct Reader<'a> {
    input: &'a [u8],
    /// The place where the next token is looked for.
    pub at: usize,
    pub game: Game,
    atoms: Vec<Atom>,
}

impl<'a> Reader<'a> {
    /// A reader of the game at `at`, and no further than the end of `input`.
    pub fn new(input: &'a [u8], at: usize) -> Reader<'a> {
        Reader { input, at, game: Game::default(), atoms: Vec::new() }
    }

    /// Reads the tag section.
    pub fn tags(&mut self, finder: &mut TagFinder<'_>) {
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

    /// The game and its atoms, with no more memory than they need: a block holds many.
    pub fn finish(mut self) -> (Game, Vec<Atom>) {
        let Game { tags, lines, tokens } = &mut self.game;
        tags.shrink_to_fit();
        lines.shrink_to_fit();
        lines.iter_mut().for_each(|line| line.moves.shrink_to_fit());
        tokens.shrink_to_fit();
        self.atoms.shrink_to_fit();
        (self.game, self.atoms)
    }

    fn atom(&mut self, kind: AtomKind, range: Range<usize>) {
        self.at = range.end;
        self.atoms.push(Atom::new(kind, range));
    }

    /// Reads up to the end of the game; whether there was a move.
    pub fn movetext(&mut self) -> bool {
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
                    atom.spell(Spelling { category: san.category() as u8, form });
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

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// The offset of the first byte from `start` on that is no white space.
pub(super) fn skip_space(input: &[u8], start: usize) -> usize {
    start + input[start..].iter().take_while(|&&byte| is_space(byte)).count()
}
