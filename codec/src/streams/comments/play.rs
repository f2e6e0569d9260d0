//! The state of a game at a comment: its position, and what the comments before have said.

use std::borrow::Borrow;

use shakmaty::{Color, Move, Position, Role};

use crate::entropy::hash;
use crate::features::GameContext;
use crate::pgn::{Game, Outcome, Token};
use crate::predict::Surprisal;
use crate::streams::values::Id;

/// The surprisals of the moves of each game's main line; games, and moves at their
/// ends, may be missing.
pub type Surprisals = [Vec<Surprisal>];

/// Those of a game.
pub(super) fn surprisals_of(surprisals: &Surprisals, game: usize) -> &[Surprisal] {
    surprisals.get(game).map_or(&[], |surprisals| surprisals)
}

/// The bytes of a token that is a comment.
pub(super) fn comment(token: &Token) -> Option<&[u8]> {
    match token {
        Token::Comment(text) | Token::LineComment(text) | Token::Escape(text) => Some(text),
        _ => None,
    }
}

/// Number of comments in the games.
pub fn comments<G: Borrow<Game>>(games: &[G]) -> usize {
    games.iter().map(|game| game.borrow().tokens.iter().filter_map(comment).count()).sum()
}

/// The state of a game at a comment: its position, and what its comments have said so far.
#[derive(Debug)]
pub(super) struct Play<'a> {
    game: &'a Game,
    /// Of the moves of the main line; shorter where they are not known.
    surprisals: &'a [Surprisal],
    context: GameContext,
    /// Who makes the first move: 0 White, 1 Black.
    first: usize,
    /// The lines that are open: which, and how many of its moves are played.
    open: Vec<(usize, usize)>,
    lines_seen: usize,
    /// All moves from the start to here, those of variations included.
    pub course: u32,
    pub control: Control,
    /// The mover of even plies and that of odd plies.
    pub sides: [Thinking; 2],
    pub eval: Eval,
    /// The time of the last move by its comments, in 1/unit second, and the unit.
    pub spent: Option<(i64, i64)>,
    /// Comments and annotations since the last move.
    comments: u32,
    pub annotation: u8,
    /// The template of the comment before.
    pub last_template: Id,
    templates: [Id; 2],
}

/// The time control, in seconds.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Control {
    /// True if a tag says so; if not, all is guessed from the clocks.
    pub known: bool,
    pub start: i64,
    pub increment: i64,
    /// The largest gain of a move in this game so far.
    pub gained: i64,
}

/// One side's clock.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Thinking {
    /// The clock after the side's last move, if known, in 1/unit second.
    pub clock: Option<i64>,
    /// The times of the last moves, the last first, in sixteenths of a second.
    pub took: [Option<i64>; 2],
    /// Means of the logarithms of what moves took, over some three and some ten moves, in units of
    /// 1/256.
    pub fast: i32,
    pub slow: i32,
    /// The mean distance from `slow`.
    pub spread: i32,
    /// Moves that these are of, at most 100.
    pub count: i32,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Eval {
    /// The last evaluation in hundredths, or moves to mate.
    pub last: i64,
    pub mate: bool,
    /// Its difference from the one before, and that one's from the one before it.
    pub deltas: [i64; 2],
}

/// The kind of the last move.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct MoveKind {
    pub role: Option<Role>,
    pub capture: bool,
    /// A capture of what has just captured.
    pub recapture: bool,
    pub castling: bool,
    pub promotion: bool,
}

impl MoveKind {
    /// All of it as one number.
    pub fn key(self) -> u32 {
        let Some(role) = self.role else { return 0 };
        1 + role as u32
            + 8 * u32::from(self.capture)
            + 16 * u32::from(self.recapture)
            + 32 * u32::from(self.castling)
            + 64 * u32::from(self.promotion)
    }
}

impl<'a> Play<'a> {
    /// The start of a game; `surprisals` are those of its main line, as far as they are known.
    pub fn new(game: &'a Game, surprisals: &'a [Surprisal]) -> Play<'a> {
        let control = game.tag("TimeControl").and_then(Control::read).unwrap_or_default();
        let black_first =
            game.tag("FEN").is_some() && game.start().is_some_and(|start| start.turn().is_black());
        Play {
            game,
            surprisals,
            context: GameContext::from_tags(game),
            first: usize::from(black_first),
            open: vec![(0, 0)],
            lines_seen: 1,
            course: 0,
            control,
            sides: [Thinking::default(); 2],
            eval: Eval::default(),
            spent: None,
            comments: 0,
            annotation: 0,
            last_template: Id::MAX,
            templates: [Id::MAX; 2],
        }
    }

    /// Steps over a token that is no comment.
    pub fn pass(&mut self, token: &Token) {
        match token {
            Token::Move => {
                if let Some((_, ply)) = self.open.last_mut() {
                    *ply += 1;
                }
                (self.comments, self.annotation, self.spent) = (0, 0, None);
                let [last, _] = self.moves();
                let last = last.map_or(0, |last| {
                    let from = last.from().map_or(64, |from| from as u32);
                    from << 8 | last.to() as u32
                });
                self.course = hash(self.course, last);
            }
            Token::Nag(nag) => self.annotation = *nag,
            Token::Open => {
                let line = self.lines_seen;
                self.lines_seen += 1;
                let branch = self.game.lines.get(line).and_then(|line| line.branch);
                self.open.push((line, branch.map_or(0, |branch| branch.ply as usize)));
            }
            Token::Close if self.open.len() > 1 => drop(self.open.pop()),
            _ => {}
        }
    }

    /// Plies from the start of the game to here.
    pub fn ply(&self) -> usize {
        self.open.last().map_or(0, |&(_, ply)| ply)
    }

    /// Whose move the last one was: his place in [`Play::sides`].
    pub fn side(&self) -> usize {
        self.ply().saturating_sub(1) & 1
    }

    /// His colour: 0 White, 1 Black.
    pub fn mover(&self) -> usize {
        self.side() ^ self.first
    }

    /// His rating; 0 if unknown.
    pub fn rating(&self) -> u16 {
        self.context.rating(Color::from_white(self.mover() == 0))
    }

    /// True if the mover has won, as the tags announce the result.
    pub fn wins(&self) -> bool {
        let winner = match self.context.result {
            Some(Outcome::White) => 0,
            Some(Outcome::Black) => 1,
            _ => return false,
        };
        winner == self.mover()
    }

    /// Moves that the mover makes in the main line from the last move on, that one included.
    pub fn moves_left(&self) -> i64 {
        let plies = self.game.lines.first().map_or(0, |line| line.moves.len());
        (plies + 2).saturating_sub(self.ply()) as i64 / 2
    }

    /// The surprisals of the last move of the main line, of the one before, and of the one
    /// before that.
    pub fn surprisals(&self) -> [Surprisal; 3] {
        let known = if self.open.len() == 1 { self.surprisals } else { &[] };
        [1, 2, 3].map(|back| {
            let place = self.ply().checked_sub(back);
            place.and_then(|place| known.get(place)).copied().unwrap_or_default()
        })
    }

    /// The last move and the one before it, as far as they are of one line.
    fn moves(&self) -> [Option<Move>; 2] {
        let Some(&(line, ply)) = self.open.last() else { return [None; 2] };
        let Some(line) = self.game.lines.get(line) else { return [None; 2] };
        let start = line.branch.map_or(0, |branch| branch.ply as usize);
        [1, 2].map(|back| line.moves.get(ply.checked_sub(start + back)?).copied())
    }

    /// True if the move before the last one was a capture.
    pub fn captured_before(&self) -> bool {
        self.moves()[1].is_some_and(Move::is_capture)
    }

    /// The kind of the last move.
    pub fn move_kind(&self) -> MoveKind {
        let [last, before] = self.moves();
        let Some(last) = last else { return MoveKind::default() };
        let recapture = last.is_capture()
            && before.is_some_and(|before| before.is_capture() && before.to() == last.to());
        MoveKind {
            role: Some(last.role()),
            capture: last.is_capture(),
            recapture,
            castling: last.is_castle(),
            promotion: last.is_promotion(),
        }
    }

    /// The context of the template.
    pub fn template_key(&self) -> u32 {
        let depth = self.open.len().min(2) as u32;
        let mate = u32::from(self.eval.mate) << 1 | u32::from(self.eval.last.abs() > 700);
        let key = hash(self.templates[0], self.templates[1]);
        hash(key, depth << 16 | mate << 8 | self.since_move())
    }

    /// Comments since the last move, whether an annotation is among them, and whether a move
    /// was made at all.
    pub fn since_move(&self) -> u32 {
        let annotated = u32::from(self.annotation != 0);
        self.comments.min(3) << 2 | annotated << 1 | u32::from(self.ply() == 0)
    }

    /// Takes note of a comment's template.
    pub fn note_template(&mut self, id: Id) {
        self.templates = [id, self.templates[0]];
        self.last_template = id;
        self.comments += 1;
    }
}

impl Control {
    /// Reads `300+3`, `600`, `40/7200:3600+30` (of which the first period counts).
    fn read(value: &[u8]) -> Option<Control> {
        let text = std::str::from_utf8(value).ok()?;
        let first = text.split(':').next()?;
        let first = first.rsplit('/').next()?;
        let (start, increment) = first.split_once('+').unwrap_or((first, "0"));
        // Increments may have a fraction, of which whole seconds are enough here.
        let increment = increment.split('.').next()?;
        Some(Control {
            known: true,
            gained: 0,
            start: start.parse::<u32>().ok()?.into(),
            increment: increment.parse::<u16>().ok()?.into(),
        })
    }
}
