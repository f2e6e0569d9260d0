//! PGN made of choices. A fuzzer that changes a byte of them changes a move, a tag or a comment, and what follows
//! is still a game: bytes of PGN that are changed soon make no sense any more.

use arbitrary::Unstructured;
use plyzip::unstable::chess::legal_moves;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, FromSetup, Move, Position, PositionError};

/// Where games begin: usually, before promotions and captures en passant, in Chess960, with queens in plenty, at the
/// end of the rules, and nowhere.
pub const STARTS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rn2k2r/PPP3P1/8/8/8/8/3pp1p1/R3K2R w KQkq - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "1r1k1r2/8/8/8/8/8/8/1R3KR1 w GBfb - 0 1",
    "qqqqk3/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQK3 b - - 0 1",
    "8/8/4k3/8/8/3K4/8/7R w - - 99 80",
    "7k/8/8/8/8/1q6/8/K7 w - - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 65535",
];

const NAMES: [&str; 16] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "WhiteElo",
    "BlackElo",
    "ECO",
    "Opening",
    "TimeControl",
    "UTCTime",
    "WhiteRatingDiff",
    "WhiteTitle",
    "Termination",
];

const VALUES: [&str; 16] = [
    "?",
    "Rated Blitz game",
    "https://example.org/abcd1234",
    "1858.??.??",
    "2024.02.29",
    "3.14",
    "Morphy, Paul",
    "Anderssen, Adolf",
    "1-0",
    "1/2-1/2",
    "2500",
    "65536",
    "C41",
    "Philidor Defense",
    "180+2",
    "23:59:59",
];

const COMMENTS: [&str; 10] = [
    "{ [%clk 0:03:00] }",
    "{[%clk 0:02:58.1] [%emt 0:00:02]}",
    "{ [%eval 0.17] [%clk 1:00:00] }",
    "{ [%eval #-3] }",
    "{ [%eval 0,12] [%cal Ge2e4,Rd7d5] }",
    "{ (0.35 → -0.12) Inaccuracy. Nf3 was best. }",
    "{a word of it}",
    "{+0.23/12 1.5s}",
    "{}",
    "; to the end of the line\n",
];

const WORDS: [&str; 20] = [
    "$1", "$139", "!?", "+-", "N", "...", "1.", "12...", "--", "Z0", "e2-e4", "Ng1f3", "0-0",
    "e8Q", "exd6e.p.", "1-0", "1/2", "*", ")", "}",
];

const DEEPEST: usize = 12;

/// The position of `fen`, as far as it is one.
pub fn position(fen: &str) -> Chess {
    let setup = fen.parse::<Fen>().unwrap().into_setup();
    Chess::from_setup(setup, CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .unwrap()
}

/// A position to begin from.
pub fn start(choices: &mut Unstructured) -> Chess {
    position(STARTS[choices.choose_index(STARTS.len()).unwrap()])
}

/// Legal moves, at most `longest`.
pub fn moves(choices: &mut Unstructured, start: &Chess, longest: usize) -> Vec<Move> {
    let (mut position, mut moves) = (start.clone(), vec![]);
    while moves.len() < longest && !choices.is_empty() {
        let legal = legal_moves(&position);
        let Ok(&chosen) = choices.choose(&legal) else { break };
        position.play_unchecked(chosen);
        moves.push(chosen);
    }
    moves
}

/// PGN, until there are no more choices.
pub fn document(choices: &mut Unstructured) -> Vec<u8> {
    let mut script = Script { choices, text: vec![], words: vec![] };
    while !script.choices.is_empty() {
        match script.below(16) {
            0 => script.raw(),
            _ => script.game(),
        }
    }
    script.text
}

struct Script<'a, 'b> {
    choices: &'a mut Unstructured<'b>,
    text: Vec<u8>,
    /// The movetext of the game at hand.
    words: Vec<Vec<u8>>,
}

impl Script<'_, '_> {
    fn below(&mut self, bound: usize) -> usize {
        self.choices.choose_index(bound).unwrap()
    }

    fn pick(&mut self, among: &[&str]) -> Vec<u8> {
        among[self.below(among.len())].as_bytes().to_vec()
    }

    fn bytes(&mut self) -> Vec<u8> {
        let length = self.below(16).min(self.choices.len());
        self.choices.bytes(length).unwrap().to_vec()
    }

    fn raw(&mut self) {
        let bytes = self.bytes();
        self.text.extend(bytes);
    }

    fn game(&mut self) {
        let end: &[u8] = if self.below(8) == 0 { b"\r\n" } else { b"\n" };
        for _ in 0..self.below(12) {
            let name = self.pick(&NAMES);
            let value = match self.below(8) {
                0 => self.bytes(),
                _ => self.pick(&VALUES),
            };
            self.text.extend([b"[", &name[..], b" \"", &value, b"\"]", end].concat());
        }
        let mut position = position(STARTS[0]);
        if self.below(8) == 0 {
            let fen = STARTS[self.below(STARTS.len())];
            self.text.extend([b"[FEN \"", fen.as_bytes(), b"\"]", end].concat());
            position = self::position(fen);
        }
        if self.below(16) > 0 {
            self.text.extend(end);
        }
        let numbers = self.below(4);
        self.line(position, numbers, 0);
        let outcome = self.pick(&["1-0", "0-1", "1/2-1/2", "*", ""]);
        self.words.push(outcome);
        let width = [80, 79, 255, usize::MAX, 1][self.below(5)];
        self.lay_out(width, end);
        let gap = self.below(4);
        self.text.extend(end.repeat(gap));
    }

    /// A main line or a variation.
    fn line(&mut self, mut position: Chess, numbers: usize, depth: usize) {
        let mut before = None;
        while !self.choices.is_empty() {
            match self.below(16) {
                0..9 => {
                    let legal = legal_moves(&position);
                    let Ok(&chosen) = self.choices.choose(&legal) else { return };
                    before = Some(position.clone());
                    let number = position.fullmoves();
                    let san = SanPlus::from_move_and_play_unchecked(&mut position, chosen);
                    let white = position.turn().is_black();
                    let word = match numbers {
                        0 if white => format!("{number}. {san}"),
                        1 if white => format!("{number}.{san}"),
                        2 if !white => format!("{number}... {san}"),
                        _ => san.to_string(),
                    };
                    self.words.extend(word.split(' ').map(|word| word.as_bytes().to_vec()));
                }
                9 | 10 => {
                    let comment = self.pick(&COMMENTS);
                    self.words.push(comment);
                }
                11 | 12 if depth < DEEPEST => {
                    if let Some(before) = before.clone() {
                        self.words.push(b"(".to_vec());
                        self.line(before, numbers, depth + 1);
                        self.words.push(b")".to_vec());
                    }
                }
                13 => {
                    let word = self.pick(&WORDS);
                    self.words.push(word);
                }
                14 => {
                    let bytes = self.bytes();
                    self.words.push(bytes);
                }
                _ => return,
            }
        }
    }

    /// The words, in lines of at most `width` bytes.
    fn lay_out(&mut self, width: usize, end: &[u8]) {
        let mut column = 0;
        for word in std::mem::take(&mut self.words) {
            let open = self.text.ends_with(b"(");
            if column > 0 && column + 1 + word.len() > width {
                self.text.extend(end);
                column = 0;
            } else if column > 0 && !open && word != b")" {
                self.text.push(b' ');
                column += 1;
            }
            column += word.len();
            self.text.extend(word);
        }
        self.text.extend(end);
    }
}
