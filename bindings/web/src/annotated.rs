//! A game move by move, with what each cost if that is known: what the board, the list of moves and the curve show.

use plyzip::archive::ExplainedGame;
use plyzip::pgn::{Game, tag_text};
use plyzip::{GameCosts, LikelyMove, PlyCost};
use serde::Serialize;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, File, Move, Piece, Position, Rank, Square};

/// A game, as the page reads it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Annotated {
    /// Its number, from 0 on.
    number: u64,
    /// As it stands in the original; bytes that are no UTF-8 are read as Latin-1.
    pgn: String,
    /// Names and values of the tags.
    tags: Vec<(String, String)>,
    /// The pieces before the first move.
    start: String,
    plies: Vec<Ply>,
    /// What all of it cost, if that was asked for.
    costs: Option<Costs>,
}

/// What a game cost.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Costs {
    model: String,
    /// Whether it was predicted by itself, and not among the other games of its page.
    alone: bool,
    move_bits: f64,
    end_bits: f64,
    variation_bits: f64,
}

/// A move.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Ply {
    /// Such as `12`.
    number: u32,
    white: bool,
    #[serde(flatten)]
    played: NamedMove,
    #[serde(flatten)]
    cost: Option<Cost>,
    /// The pieces after it.
    board: String,
}

/// What a move cost.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Cost {
    probability: f64,
    bits: f64,
    /// How many legal moves were likelier.
    rank: usize,
    legal: usize,
    /// The entropy of the prediction.
    expected_bits: f64,
    /// The likeliest of the others.
    others: Vec<LikelyOther>,
}

/// A move that was not played.
#[derive(Debug, Serialize)]
struct LikelyOther {
    #[serde(flatten)]
    named: NamedMove,
    probability: f64,
}

/// A move with its names. Squares count from a8 on, line by line.
#[derive(Debug, Serialize)]
struct NamedMove {
    san: String,
    uci: String,
    from: usize,
    to: usize,
}

impl Annotated {
    /// A game with its costs.
    pub fn new(explained: &ExplainedGame, costs: &GameCosts, model: &str, alone: bool) -> Self {
        let ExplainedGame { number, bytes, game, .. } = explained;
        let plies = costs.plies.iter().map(|ply| (ply.played.played, Some(ply)));
        let costs = Costs {
            model: model.into(),
            alone,
            move_bits: costs.move_bits(),
            end_bits: costs.end_bits(),
            variation_bits: costs.variation_bits,
        };
        Annotated::of(*number, bytes, game, plies, Some(costs))
    }

    /// A game of which nobody has asked what it cost.
    pub fn plain(number: u64, bytes: &[u8], game: &Game) -> Self {
        let moves = game.lines.first().map_or(&[][..], |line| &line.moves);
        Annotated::of(number, bytes, game, moves.iter().map(|&played| (played, None)), None)
    }

    fn of<'a>(
        number: u64,
        bytes: &[u8],
        game: &Game,
        plies: impl Iterator<Item = (Move, Option<&'a PlyCost>)>,
        costs: Option<Costs>,
    ) -> Self {
        let mut position = game.start().unwrap_or_default();
        let start = board(&position);
        let plies = plies.map(|(played, cost)| {
            let mut ply = Ply {
                number: position.fullmoves().into(),
                white: position.turn().is_white(),
                played: NamedMove::new(&position, played),
                cost: cost.map(|cost| Cost::new(&position, cost)),
                board: String::new(),
            };
            position.play_unchecked(played);
            ply.board = board(&position);
            ply
        });
        let tags = game.tags.iter();
        Annotated {
            number,
            pgn: text(bytes),
            tags: tags.map(|tag| (text(&tag.name), tag_text(&tag.value).into_owned())).collect(),
            start,
            plies: plies.collect(),
            costs,
        }
    }
}

impl Cost {
    fn new(position: &Chess, cost: &PlyCost) -> Cost {
        let other = |likely: &LikelyMove| LikelyOther {
            named: NamedMove::new(position, likely.played),
            probability: likely.probability,
        };
        Cost {
            probability: cost.played.probability,
            bits: cost.bits(),
            rank: cost.rank,
            legal: cost.legal,
            expected_bits: cost.expected_bits,
            others: cost.others.iter().map(other).collect(),
        }
    }
}

impl NamedMove {
    fn new(position: &Chess, m: Move) -> NamedMove {
        NamedMove {
            san: SanPlus::from_move(position.clone(), m).to_string(),
            uci: UciMove::from_move(m, position.castles().mode()).to_string(),
            from: m.from().map_or(0, index),
            to: index(arrival(position, m)),
        }
    }
}

/// Where the piece goes; for castling the king.
pub fn arrival(position: &Chess, played: Move) -> Square {
    match played.castling_side() {
        Some(side) => side.king_to(position.turn()),
        None => played.to(),
    }
}

/// The number of a square as it is drawn, from a8 on.
pub fn index(square: Square) -> usize {
    usize::from(square.rank().flip_vertical()) * 8 + usize::from(square.file())
}

/// The pieces of a position, a letter for each square, from a8 on.
pub fn board(position: &Chess) -> String {
    let ranks = Rank::ALL.into_iter().rev();
    let squares = ranks.flat_map(|rank| File::ALL.map(|file| Square::from_coords(file, rank)));
    squares.map(|square| position.board().piece_at(square).map_or('.', Piece::char)).collect()
}

/// What is no UTF-8 is read as Latin-1.
fn text(bytes: &[u8]) -> String {
    match str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}
