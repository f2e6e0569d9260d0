//! A game move by move, with what each cost if that is known: what the board, the list of moves and the curve show.

use plyzip::archive::ExplainedGame;
use plyzip::pgn::{Game, tag_text};
use plyzip::unstable::{drawn_board, drawn_square};
use plyzip::{GameCosts, LikelyMove, NamedMove, NamedPly, PlyCost};
use serde::Serialize;
use shakmaty::Chess;

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
    played: DrawnMove,
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
    named: DrawnMove,
    probability: f64,
}

/// A move with its names. Squares count from a8 on, line by line.
#[derive(Debug, Serialize)]
pub struct DrawnMove {
    san: String,
    uci: String,
    from: usize,
    to: usize,
}

impl Annotated {
    /// A game with its costs.
    pub fn new(explained: &ExplainedGame, costs: &GameCosts, model: &str, alone: bool) -> Self {
        let ExplainedGame { number, bytes, game, .. } = explained;
        let played: Vec<_> = costs.plies.iter().map(|ply| ply.played.played).collect();
        let of_all = Costs {
            model: model.into(),
            alone,
            move_bits: costs.move_bits(),
            end_bits: costs.end_bits(),
            variation_bits: costs.variation_bits,
        };
        let plies = NamedPly::of_game(game.start().unwrap_or_default(), &played).zip(&costs.plies);
        let plies = plies.map(|(named, cost)| Ply::new(named, Some(cost)));
        Annotated::of(*number, bytes, game, plies.collect(), Some(of_all))
    }

    /// A game of which nobody has asked what it cost.
    pub fn plain(number: u64, bytes: &[u8], game: &Game) -> Self {
        let moves = game.lines.first().map_or(&[][..], |line| &line.moves);
        let plies = NamedPly::of_game(game.start().unwrap_or_default(), moves);
        let plies = plies.map(|named| Ply::new(named, None));
        Annotated::of(number, bytes, game, plies.collect(), None)
    }

    fn of(number: u64, bytes: &[u8], game: &Game, plies: Vec<Ply>, costs: Option<Costs>) -> Self {
        let tags = game.tags.iter();
        Annotated {
            number,
            pgn: text(bytes),
            tags: tags.map(|tag| (text(&tag.name), tag_text(&tag.value).into_owned())).collect(),
            start: drawn_board(&game.start().unwrap_or_default()),
            plies,
            costs,
        }
    }
}

impl Ply {
    fn new(named: NamedPly, cost: Option<&PlyCost>) -> Ply {
        Ply {
            number: named.move_number(),
            white: named.color().is_white(),
            cost: cost.map(|cost| Cost::new(&named.before, cost)),
            board: drawn_board(&named.after),
            played: named.played.into(),
        }
    }
}

impl Cost {
    fn new(position: &Chess, cost: &PlyCost) -> Cost {
        let other = |likely: &LikelyMove| LikelyOther {
            named: NamedMove::new(position, likely.played).into(),
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

impl From<NamedMove> for DrawnMove {
    fn from(named: NamedMove) -> DrawnMove {
        let (from, to) = (drawn_square(named.from), drawn_square(named.to));
        DrawnMove { san: named.san, uci: named.uci, from, to }
    }
}

/// What is no UTF-8 is read as Latin-1.
fn text(bytes: &[u8]) -> String {
    match str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}
