//! A game move by move, with what each cost: what the board, the list of moves and the curve show.

use plyzip::archive::ExplainedGame;
use plyzip::pgn::tag_text;
use plyzip::{GameCosts, LikelyMove};
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
    model: String,
    /// Whether it was predicted by itself, and not among the other games of its page.
    alone: bool,
    /// The pieces before the first move.
    start: String,
    plies: Vec<Ply>,
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
    bits: f64,
    /// How many legal moves were likelier.
    rank: usize,
    legal: usize,
    /// The entropy of the prediction.
    expected_bits: f64,
    /// The likeliest of the others.
    others: Vec<NamedMove>,
    /// The pieces after it.
    board: String,
}

/// A move with its names. Squares count from a8 on, line by line.
#[derive(Debug, Serialize)]
struct NamedMove {
    san: String,
    uci: String,
    from: usize,
    to: usize,
    probability: f64,
}

impl Annotated {
    /// A game with its costs.
    pub fn new(explained: &ExplainedGame, costs: &GameCosts, model: &str, alone: bool) -> Self {
        let ExplainedGame { number, bytes, game, .. } = explained;
        let mut position = game.start().unwrap_or_default();
        let start = board(&position);
        let plies = costs.plies.iter().map(|cost| {
            let named = |likely: &LikelyMove| NamedMove::new(&position, *likely);
            let mut ply = Ply {
                number: position.fullmoves().into(),
                white: position.turn().is_white(),
                played: named(&cost.played),
                bits: cost.bits(),
                rank: cost.rank,
                legal: cost.legal,
                expected_bits: cost.expected_bits,
                others: cost.others.iter().map(named).collect(),
                board: String::new(),
            };
            position.play_unchecked(cost.played.played);
            ply.board = board(&position);
            ply
        });
        let tags = game.tags.iter();
        Annotated {
            number: *number,
            pgn: text(bytes),
            tags: tags.map(|tag| (text(&tag.name), tag_text(&tag.value).into_owned())).collect(),
            model: model.into(),
            alone,
            start,
            plies: plies.collect(),
            move_bits: costs.move_bits(),
            end_bits: costs.end_bits(),
            variation_bits: costs.variation_bits,
        }
    }
}

impl NamedMove {
    fn new(position: &Chess, likely: LikelyMove) -> NamedMove {
        let LikelyMove { played: m, probability, .. } = likely;
        NamedMove {
            san: SanPlus::from_move(position.clone(), m).to_string(),
            uci: UciMove::from_move(m, position.castles().mode()).to_string(),
            from: m.from().map_or(0, index),
            to: index(arrival(position, m)),
            probability,
        }
    }
}

/// Where the piece goes; for castling the king.
fn arrival(position: &Chess, played: Move) -> Square {
    match played.castling_side() {
        Some(side) => side.king_to(position.turn()),
        None => played.to(),
    }
}

/// The number of a square as it is drawn, from a8 on.
fn index(square: Square) -> usize {
    usize::from(square.rank().flip_vertical()) * 8 + usize::from(square.file())
}

/// The pieces of a position, a letter for each square, from a8 on.
fn board(position: &Chess) -> String {
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
