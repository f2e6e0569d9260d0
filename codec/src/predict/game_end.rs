//! The probability that a game ends in a position.

use shakmaty::{Position, Role};

use super::parameters::{
    GAME_END_COUNT_LIMIT, GAME_END_RATE_SHIFT, INITIAL_GAME_END_WEIGHTS, MAX_GAME_END_WEIGHT,
};
use crate::chess::{History, Lines, checkers_by, role_value};
use crate::entropy::{BitModel, MAX_STRETCH, squash, stretch};
use crate::features::GameContext;
use crate::varint;

const WEIGHT_BITS: u32 = 16;

/// What the contexts begin with, made by `plyzip-training game-ends`: other numbers make other archives.
static LEARNED: &[u8] = include_bytes!("../../tables/game_end.bin");

/// How many events of training count beside those of the archive, in each context.
#[cfg(feature = "training")]
const MOST_SEEN_BEFORE: u16 = 255;

/// Plies over 8, material and the network.
const EXPERTS: usize = 3;

/// The probability that no move follows: a logistic mix of counts in two contexts and, if there is a network, of its
/// log-odds; learned online.
#[derive(Debug)]
pub struct GameEndModel {
    /// By announced result, plies, check, repetitions and plies since the last capture or pawn move.
    by_ply: Vec<BitModel>,
    /// By announced result, balance and sum of material, and check.
    by_material: Vec<BitModel>,
    /// Of each expert, by the announced result as the side to move sees it.
    weights: [[i32; EXPERTS]; 4],
    /// Each expert's log-odds, in units of 2^-8 nat.
    log_odds: [i32; EXPERTS],
    /// The contexts of the last prediction.
    contexts: GameEndContexts,
    /// What was predicted, in units of 2^-16.
    probability: u32,
}

/// The contexts in which the end of the game is predicted in a position.
#[derive(Debug, Clone, Copy, Default)]
pub struct GameEndContexts {
    /// Index into [`GameEndModel::by_ply`].
    by_ply: u16,
    /// Index into [`GameEndModel::by_material`].
    by_material: u16,
    /// Index into [`GameEndModel::weights`].
    result: u8,
}

impl GameEndContexts {
    /// Those of the position at the end of `history`.
    pub fn new(history: &History, context: &GameContext) -> GameEndContexts {
        let position = history.position();
        let result = context.result_for(position.turn());
        let plies = (history.ply() / 8).min(23);
        let repeated = history.occurrences(history.key()).min(2);
        let halfmoves = match position.halfmoves() {
            0..40 => 0,
            40..99 => 1,
            _ => 2,
        };
        let (own, enemy) = (material(history, true), material(history, false));
        let balance = ((own - enemy).clamp(-14, 14) + 14) / 2;
        let total = ((own + enemy) / 8).min(9);
        let check = usize::from(checkers_by::<Lines>(position).any());
        let by_ply = (((result * 24 + plies) * 2 + check) * 3 + repeated) * 3 + halfmoves;
        let by_material = ((result * 15 + balance as usize) * 10 + total as usize) * 2 + check;
        GameEndContexts {
            by_ply: by_ply as u16,
            by_material: by_material as u16,
            result: result as u8,
        }
    }
}

/// Material of a side in pawns, kings not counted.
fn material(history: &History, own: bool) -> i32 {
    let position = history.position();
    let side = if own { position.us() } else { position.them() };
    [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
        .into_iter()
        .map(|role| (side & position.board().by_role(role)).count() as i32 * role_value(role))
        .sum::<i32>()
        / 100
}

impl GameEndModel {
    /// A model before its first game, with what `tables/game_end.bin` has learned of others; `network` says whether there
    /// is a network.
    pub fn new(network: bool) -> GameEndModel {
        let mut model = GameEndModel::untrained(network);
        let mut known = LEARNED;
        for model in model.by_ply.iter_mut().chain(&mut model.by_material) {
            let mut number = || varint::take_length(&mut known).unwrap_or(0);
            let events = number();
            if events > 0 {
                *model = BitModel::seen(GAME_END_COUNT_LIMIT, events, number());
            }
        }
        model
    }

    /// The state that [`GameEndModel::new`] begins with: for each context the number of games that it has seen, at most
    /// [`MOST_SEEN_BEFORE`], and, if any, how likely the game ended there, in units of 2<sup>-16</sup>.
    #[cfg(feature = "training")]
    pub fn learned(&self) -> Vec<u8> {
        let mut file = vec![];
        for model in self.by_ply.iter().chain(&self.by_material) {
            let events = model.events().min(MOST_SEEN_BEFORE);
            varint::put(&mut file, events.into());
            if events > 0 {
                varint::put(&mut file, model.p_true().into());
            }
        }
        file
    }

    /// A model that has seen no games.
    fn untrained(network: bool) -> GameEndModel {
        let model = BitModel::with_limit(GAME_END_COUNT_LIMIT);
        GameEndModel {
            by_ply: vec![model; 4 * 24 * 2 * 3 * 3],
            by_material: vec![model; 4 * 15 * 10 * 2],
            weights: [INITIAL_GAME_END_WEIGHTS[usize::from(network)]; 4],
            log_odds: [0; EXPERTS],
            contexts: GameEndContexts::default(),
            probability: 1,
        }
    }

    /// The last prediction, in units of 2<sup>-16</sup>.
    pub fn predicted(&self) -> u32 {
        self.probability
    }

    /// The probability that the game ends in a position with these contexts, in units of 2<sup>-16</sup>; `network` is
    /// the network's log-odds in units of 2<sup>-16</sup> nat.
    pub fn predict(&mut self, contexts: GameEndContexts, network: Option<i32>) -> u32 {
        self.contexts = contexts;
        self.log_odds = [
            stretch(self.by_ply[usize::from(contexts.by_ply)].p_true()),
            stretch(self.by_material[usize::from(contexts.by_material)].p_true()),
            network.map_or(0, |log_odds| log_odds >> 8).clamp(-MAX_STRETCH, MAX_STRETCH),
        ];
        let mixed: i64 = self.weights[usize::from(contexts.result)]
            .iter()
            .zip(self.log_odds)
            .map(|(&weight, log_odds)| (i64::from(weight) * i64::from(log_odds)) >> WEIGHT_BITS)
            .sum();
        let limit = i64::from(MAX_STRETCH);
        self.probability = squash(mixed.clamp(-limit, limit) as i32);
        self.probability
    }

    /// What plies and material say before anything is learned, weighted, in units of 2<sup>-8</sup> nat.
    #[cfg(feature = "training")]
    pub fn without_network(&mut self, history: &History, context: &GameContext) -> i32 {
        let contexts = GameEndContexts::new(history, context);
        self.predict(contexts, None);
        let weighted = self.weights[usize::from(contexts.result)].iter().zip(self.log_odds);
        weighted.map(|(&weight, log_odds)| (weight * log_odds) >> WEIGHT_BITS).sum()
    }

    /// Learns whether the game ended in the position of the last [`GameEndModel::predict`].
    pub fn update(&mut self, ended: bool) {
        let GameEndContexts { by_ply, by_material, result } = self.contexts;
        self.by_ply[usize::from(by_ply)].update(ended);
        self.by_material[usize::from(by_material)].update(ended);
        let error = (i64::from(ended) << 16) - i64::from(self.probability);
        for (weight, log_odds) in self.weights[usize::from(result)].iter_mut().zip(self.log_odds) {
            let step = (error * i64::from(log_odds)) >> GAME_END_RATE_SHIFT;
            let moved = i64::from(*weight) + step;
            *weight = moved.clamp(-MAX_GAME_END_WEIGHT, MAX_GAME_END_WEIGHT) as i32;
        }
    }
}
