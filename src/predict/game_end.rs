//! Does the game end here?

use shakmaty::{Position, Role};

use crate::chess::{History, role_value};
use crate::entropy::{BitModel, MAX_STRETCH, squash, stretch};
use crate::features::GameContext;

const WEIGHT_BITS: u32 = 16;
const EXPERTS: usize = 3;

/// The probability that no move follows, mixed from counts in two contexts and, if there is
/// one, the network's priors; all of it learned online.
#[derive(Debug)]
pub struct GameEndModel {
    by_course: Vec<BitModel>,
    by_material: Vec<BitModel>,
    /// By what was announced as the result, seen from the side to move.
    weights: [[i32; EXPERTS]; 4],
    odds: [i32; EXPERTS],
    places: [usize; 2],
    set: usize,
    p: u32,
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
    /// A model that has seen nothing; `network` says whether there is one.
    pub fn new(network: bool) -> GameEndModel {
        let weights = if network { [10_000, 10_000, 46_000] } else { [40_000, 40_000, 0] };
        GameEndModel {
            by_course: vec![BitModel::with_limit(1000); 4 * 24 * 2 * 3 * 3],
            by_material: vec![BitModel::with_limit(1000); 4 * 15 * 10 * 2],
            weights: [weights; 4],
            odds: [0; EXPERTS],
            places: [0; 2],
            set: 0,
            p: 1,
        }
    }

    /// The probability that the game ends in this position, in units of 2<sup>-16</sup>;
    /// `network` is the network's log-odds in units of 2<sup>-16</sup> nat.
    pub fn predict(
        &mut self,
        history: &History,
        context: &GameContext,
        network: Option<i32>,
    ) -> u32 {
        let position = history.position();
        let result = context.result_for(position.turn());
        let course = (history.ply() / 8).min(23);
        let repeated = history.occurrences(history.key()).min(2);
        let halfmoves = match position.halfmoves() {
            0..40 => 0,
            40..99 => 1,
            _ => 2,
        };
        let (own, enemy) = (material(history, true), material(history, false));
        let balance = ((own - enemy).clamp(-14, 14) + 14) / 2;
        let total = ((own + enemy) / 8).min(9);
        let check = usize::from(position.is_check());
        self.places = [
            (((result * 24 + course) * 2 + check) * 3 + repeated) * 3 + halfmoves,
            ((result * 15 + balance as usize) * 10 + total as usize) * 2 + check,
        ];
        self.odds = [
            stretch(self.by_course[self.places[0]].p_true()),
            stretch(self.by_material[self.places[1]].p_true()),
            network.map_or(0, |odds| odds >> 8).clamp(-MAX_STRETCH, MAX_STRETCH),
        ];
        self.set = result;
        let odds: i64 = self.weights[self.set]
            .iter()
            .zip(self.odds)
            .map(|(&weight, odds)| (i64::from(weight) * i64::from(odds)) >> WEIGHT_BITS)
            .sum();
        self.p = squash(odds.clamp(i64::from(-MAX_STRETCH), i64::from(MAX_STRETCH)) as i32);
        self.p
    }

    /// Learns whether the game did end there.
    pub fn update(&mut self, ended: bool) {
        self.by_course[self.places[0]].update(ended);
        self.by_material[self.places[1]].update(ended);
        let error = (i64::from(ended) << 16) - i64::from(self.p);
        for (weight, odds) in self.weights[self.set].iter_mut().zip(self.odds) {
            let step = (error * i64::from(odds)) >> 17;
            *weight = (i64::from(*weight) + step).clamp(-(1 << 18), 1 << 18) as i32;
        }
    }
}
