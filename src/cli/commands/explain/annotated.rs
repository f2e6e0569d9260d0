//! A game with what its moves cost, in words that people read.

use plyzip::pgn::Game;
use plyzip::pgn::tag_text;
use plyzip::{GameCosts, LikelyMove, NamedMove, NamedPly, PlyCost};
use shakmaty::Chess;

/// A game of an archive or of PGN.
#[derive(Debug, Clone)]
pub struct Explained {
    /// Its number, from 0 on.
    pub number: u64,
    /// Its original bytes.
    pub bytes: Vec<u8>,
    /// The parsed game.
    pub game: Game,
    /// The costs of its moves, if they are known.
    pub costs: Option<GameCosts>,
    /// The name of the model.
    pub model: String,
}

/// A game with what its moves cost.
#[derive(Debug, Clone)]
pub struct Annotated {
    /// Its number, from 1 on.
    pub number: u64,
    /// Its original bytes.
    pub bytes: Vec<u8>,
    /// The parsed game.
    pub game: Game,
    /// The name of the model.
    pub model: String,
    /// Whether it was predicted by itself, and not among the other games of an archive.
    pub alone: bool,
    /// The position before the first move.
    pub start: Chess,
    /// The moves of the game as it was played.
    pub plies: Vec<AnnotatedPly>,
    /// The cost of the event that the game ends after its last move, in bits.
    pub last_end_bits: f64,
    /// The cost of the moves of variations, in bits.
    pub variation_bits: f64,
}

/// A move of a game.
#[derive(Debug, Clone)]
pub struct AnnotatedPly {
    /// Its names, and the positions before and after it.
    pub named: NamedPly,
    /// The cost of the move.
    pub cost: PlyCost,
    /// The likeliest of the others.
    pub others: Vec<LikelyName>,
}

/// A move that could be played.
#[derive(Debug, Clone)]
pub struct LikelyName {
    /// Its names.
    pub named: NamedMove,
    /// The probability of the move.
    pub probability: f64,
}

impl LikelyName {
    /// A legal move of `position`.
    pub fn new(position: &Chess, likely: &LikelyMove) -> LikelyName {
        LikelyName {
            named: NamedMove::new(position, likely.played),
            probability: likely.probability,
        }
    }
}

impl Annotated {
    /// A game whose costs are known.
    pub fn new(explained: Explained, alone: bool) -> Annotated {
        let Explained { number, bytes, game, costs, model } = explained;
        let start = game.start().unwrap_or_default();
        let costs = costs.unwrap_or_default();
        let (last_end_bits, variation_bits) = (costs.last_end_bits(), costs.variation_bits);
        let moves: Vec<_> = costs.plies.iter().map(|cost| cost.played.played).collect();
        let named = NamedPly::of_game(start.clone(), &moves);
        let plies = named.zip(costs.plies).map(|(named, cost)| {
            let name = |likely| LikelyName::new(&named.before, likely);
            let others = cost.others.iter().map(name).collect();
            AnnotatedPly { named, cost, others }
        });
        let plies = plies.collect();
        Annotated {
            number: number + 1,
            bytes,
            game,
            model,
            alone,
            start,
            plies,
            last_end_bits,
            variation_bits,
        }
    }

    /// The text of a tag; empty if there is none.
    pub fn tag(&self, name: &str) -> String {
        self.game.tag(name).map(tag_text).unwrap_or_default().into_owned()
    }

    /// The title of the game: players, place and date, as far as the tags say.
    pub fn title(&self) -> String {
        let known = |name| Some(self.tag(name)).filter(|text| !text.is_empty() && text != "?");
        let player = |name| known(name).unwrap_or_else(|| "?".into());
        let mut title = format!("{} – {}", player("White"), player("Black"));
        let date = known("Date").map(|date| date.replace(".??", ""));
        let date = date.filter(|date| date != "????");
        for part in [known("Event"), known("Site"), date, known("Result")].into_iter().flatten() {
            title += ", ";
            title += &part;
        }
        title
    }

    /// The cost of the moves, in bits.
    pub fn move_bits(&self) -> f64 {
        self.plies.iter().map(|ply| ply.cost.bits()).sum()
    }

    /// The cost of the place where the game ends, in bits.
    pub fn end_bits(&self) -> f64 {
        self.plies.iter().map(|ply| ply.cost.goes_on_bits()).sum::<f64>() + self.last_end_bits
    }

    /// The numbers of the most surprising plies, at most `count`, in their order: no surprise is a move of less than
    /// [`SURPRISE`] bits.
    pub fn surprises(&self, count: usize) -> Vec<usize> {
        let bits = |&ply: &usize| self.plies[ply].cost.bits();
        let mut surprises: Vec<usize> =
            (0..self.plies.len()).filter(|ply| bits(ply) >= SURPRISE).collect();
        surprises.sort_by(|one, other| bits(other).total_cmp(&bits(one)));
        surprises.truncate(count);
        surprises.sort_unstable();
        surprises
    }
}

/// Bits from which on a move counts as a surprise: one in 32.
pub const SURPRISE: f64 = 5.0;

impl AnnotatedPly {
    /// Number and name, such as `12... Nf6`.
    pub fn name(&self) -> String {
        format!("{} {}", self.named.number(), self.named.played.san)
    }

    /// The probability of the move.
    pub fn probability(&self) -> f64 {
        self.cost.played.probability
    }
}

/// A probability for people, of at most seven letters.
pub fn percent(probability: f64) -> String {
    match 100.0 * probability {
        percent if percent < 0.01 => "<0.01 %".into(),
        percent if percent < 0.995 => format!("{percent:.2} %"),
        percent if percent < 9.95 => format!("{percent:.1} %"),
        percent if percent < 99.5 || probability >= 1.0 => format!("{percent:.0} %"),
        _ => ">99 %".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percents_are_short() {
        for (probability, text) in [
            (1.0, "100 %"),
            (0.999, ">99 %"),
            (0.994, "99 %"),
            (0.0996, "10 %"),
            (0.0994, "9.9 %"),
            (0.00996, "1.0 %"),
            (0.0051, "0.51 %"),
            (1e-6, "<0.01 %"),
        ] {
            assert_eq!(percent(probability), text, "{probability}");
        }
    }
}
