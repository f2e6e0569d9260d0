//! Observers that record what moves cost.

use super::observer::{CodedPly, PlyObserver};
use crate::predict::{GameCosts, PlyCost, probability_of_bit};

/// Records what each ply of each line cost.
#[derive(Debug)]
pub struct CostRecorder {
    lines: Vec<GameCosts>,
}

impl CostRecorder {
    /// A recorder of so many lines.
    pub fn new(lines: usize) -> CostRecorder {
        CostRecorder { lines: vec![GameCosts::default(); lines] }
    }

    /// What was recorded of each line.
    pub fn into_lines(self) -> Vec<GameCosts> {
        self.lines
    }
}

impl PlyObserver for CostRecorder {
    fn coded(&mut self, ply: &CodedPly<'_>) {
        let Some(line) = self.lines.get_mut(ply.job) else { return };
        match ply.played {
            Some((frequencies, played)) => {
                let end = ply.end.map_or(0.0, probability_of_bit);
                line.plies.extend(PlyCost::new(ply.legal, frequencies, played, end));
            }
            None => line.end_probability = ply.end.map_or(1.0, probability_of_bit),
        }
    }
}

/// Adds up what variations cost their games.
#[derive(Debug)]
pub struct VariationRecorder<'a> {
    /// The games of the page.
    pub games: &'a mut [GameCosts],
    /// For each job, the number of its game.
    pub game_of_job: Vec<usize>,
}

impl PlyObserver for VariationRecorder<'_> {
    fn coded(&mut self, ply: &CodedPly<'_>) {
        let game = self.game_of_job.get(ply.job).and_then(|&game| self.games.get_mut(game));
        if let (Some(game), Some((frequencies, played))) = (game, ply.played)
            && let Some(cost) = PlyCost::new(ply.legal, frequencies, played, 0.0)
        {
            game.variation_bits += cost.bits();
        }
    }
}
