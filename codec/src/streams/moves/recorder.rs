//! Observers that record what moves cost.

use super::observer::{CodedPly, PlyObserver};
use crate::predict::{GameCosts, PlyCost, probability_of_bit};
use crate::{Error, Result};

/// Plies of a page that are recorded at most, some hundred bytes each. A page of 384 games has some 35,000.
const MOST_PLIES: usize = 1 << 22;

/// Records what each ply of each line cost.
#[derive(Debug)]
pub struct CostRecorder {
    lines: Vec<GameCosts>,
    /// Plies that have room; `None` if there were more.
    left: Option<usize>,
}

impl CostRecorder {
    /// A recorder of `lines` lines.
    pub fn new(lines: usize) -> CostRecorder {
        CostRecorder { lines: vec![GameCosts::default(); lines], left: Some(MOST_PLIES) }
    }

    /// The recorded costs of each line.
    ///
    /// # Errors
    /// [`Error::Limit`] if there were too many plies.
    pub fn into_lines(self) -> Result<Vec<GameCosts>> {
        match self.left {
            Some(_) => Ok(self.lines),
            None => Err(Error::Limit(format!("a page of more than {MOST_PLIES} plies to explain"))),
        }
    }
}

impl PlyObserver for CostRecorder {
    fn coded(&mut self, ply: &CodedPly<'_>) {
        let Some(line) = self.lines.get_mut(ply.job) else { return };
        match ply.played {
            Some((frequencies, played)) => {
                self.left = self.left.and_then(|left| left.checked_sub(1));
                if self.left.is_none() {
                    return;
                }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::legal_moves;
    use shakmaty::Chess;

    #[test]
    fn too_many_plies_are_an_error() {
        let legal = legal_moves(&Chess::default());
        let ply = CodedPly { job: 0, legal: &legal[..1], end: None, played: Some((&[], 0)) };
        let mut recorder = CostRecorder::new(1);
        recorder.left = Some(2);
        for _ in 0..2 {
            recorder.coded(&ply);
        }
        assert_eq!(recorder.lines[0].plies.len(), 2);
        recorder.coded(&ply);
        recorder.coded(&ply);
        assert_eq!(recorder.lines[0].plies.len(), 2);
        assert!(matches!(recorder.into_lines(), Err(Error::Limit(_))));
    }
}
