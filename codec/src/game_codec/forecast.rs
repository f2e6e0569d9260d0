//! Forecasts: the probabilities of a position's moves, and the costs of a game's moves.

use shakmaty::Move;

use super::{GameCodec, GameHeader, MAX_MOVES};
use crate::chess::{History, legal_moves};
use crate::entropy::Meter;
use crate::predict::{
    GameCosts, LikelyMove, Model, Predictor, likeliest_first, probability_of_bit,
};
use crate::streams::moves::{self, CodedPly, CostRecorder, EvidenceUse, LineJob, PlyObserver};
use crate::{Error, Result};

/// What a model takes to be next in a game.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Forecast {
    /// The legal moves, the likeliest first: how likely each is if the game goes on. The probabilities add up to 1.
    pub moves: Vec<LikelyMove>,
    /// How likely it is that the game ends here, with this move not played; 1 if no move is legal.
    pub end_probability: f64,
}

impl Model {
    /// How likely each legal move is in the position that `moves` lead to from the start of a game: exactly as
    /// [`GameCodec`](super::GameCodec) would code it. The moves before matter, since plans go on and repetitions are
    /// seen; without them, give the position as [`GameHeader::start`].
    ///
    /// ```
    /// use std::num::NonZeroU16;
    /// use plyzip::{GameContext, GameHeader, Model};
    /// use shakmaty::{ByColor, Chess, san::San};
    ///
    /// let forecast = Model::none().probabilities(&GameHeader::default(), &[])?;
    /// assert_eq!(forecast.moves.len(), 20);
    /// let likeliest = forecast.moves[0];
    /// assert_eq!(San::from_move(&Chess::default(), likeliest.played).to_string(), "e4");
    /// assert!((0.3..0.6).contains(&likeliest.probability));
    ///
    /// // The ratings of the players, the result, the year and the pace count, too.
    /// let elo = ByColor::new_with(|_| NonZeroU16::new(2700));
    /// let masters = GameHeader::new().context(GameContext::new().elo(elo));
    /// assert_ne!(Model::none().probabilities(&masters, &[])?, forecast);
    /// # Ok::<(), plyzip::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Usage`] if a move is not legal or there are more than [`MAX_MOVES`], [`Error::Model`] if the network
    /// fails.
    pub fn probabilities(&self, header: &GameHeader, moves: &[Move]) -> Result<Forecast> {
        GameCodec::new(self.clone()).probabilities(header, moves)
    }

    /// What the moves of a game cost, and what was expected instead, in bits: as [`GameCodec`](super::GameCodec) codes
    /// them, so that a game is taken by itself. plyzip's `Select::explain` has
    /// what games cost among the others of an archive.
    ///
    /// ```
    /// use plyzip::{GameHeader, Model};
    ///
    /// let document = plyzip::pgn::parse(b"1. e4 e5 2. Nf3 Nc6 3. Ke2 *");
    /// let moves = &document.games().next().unwrap().lines[0].moves;
    /// let costs = Model::none().costs(&GameHeader::default(), moves)?;
    /// assert!(costs.plies[0].bits() < 2.0); // 1. e4 is no surprise
    /// assert!(costs.plies[4].bits() > 8.0); // 3. Ke2 is one
    /// assert_eq!(costs.plies[4].others.len(), 3); // what was expected instead
    /// # Ok::<(), plyzip::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`probabilities`](Model::probabilities).
    pub fn costs(&self, header: &GameHeader, moves: &[Move]) -> Result<GameCosts> {
        GameCodec::new(self.clone()).costs(header, moves)
    }
}

impl GameCodec {
    /// [`Model::probabilities`] of the codec's model, which an interrupt of the codec ends.
    ///
    /// # Errors
    /// Those of [`Model::probabilities`], and [`Error::Interrupted`].
    pub fn probabilities(&self, header: &GameHeader, moves: &[Move]) -> Result<Forecast> {
        let mut history = History::new(header.start.clone());
        for &played in moves {
            if !legal_moves(history.position()).contains(&played) {
                return Err(illegal());
            }
            history.play(played);
        }
        let Some(&any) = legal_moves(history.position()).first() else {
            return Ok(Forecast { moves: vec![], end_probability: 1.0 });
        };
        // Which move is next does not change how likely it was.
        let mut next = NextPly { before: moves.len(), forecast: Forecast::default() };
        self.watch(header, [moves, &[any]].concat(), &mut next)?;
        Ok(next.forecast)
    }

    /// [`Model::costs`] of the codec's model, which an interrupt of the codec ends.
    ///
    /// # Errors
    /// Those of [`Model::costs`], and [`Error::Interrupted`].
    pub fn costs(&self, header: &GameHeader, moves: &[Move]) -> Result<GameCosts> {
        let mut recorder = CostRecorder::new(1);
        self.watch(header, moves.to_vec(), &mut recorder)?;
        Ok(recorder.into_lines()?.pop().unwrap_or_default())
    }

    /// Codes a game to nowhere.
    fn watch(
        &self,
        header: &GameHeader,
        moves: Vec<Move>,
        observer: &mut dyn PlyObserver,
    ) -> Result<()> {
        if moves.len() > MAX_MOVES {
            return Err(Error::Usage(format!("a game of more than {MAX_MOVES} moves")));
        }
        let GameHeader { start, context, players } = header;
        let mut job = LineJob::new(start.clone(), *context, *players, moves);
        let (predictor, jobs) = (&mut Predictor::new(&self.run), std::slice::from_mut(&mut job));
        let watching = Some(observer);
        moves::code(&mut Meter::default(), predictor, jobs, 0, watching, EvidenceUse::Once)?;
        Ok(())
    }
}

fn illegal() -> Error {
    Error::Usage("a game with an illegal move".into())
}

/// Waits for the ply behind those `before`, and notes how likely each move is.
struct NextPly {
    before: usize,
    forecast: Forecast,
}

impl PlyObserver for NextPly {
    fn coded(&mut self, ply: &CodedPly<'_>) {
        if self.before == 0
            && let Some((frequencies, _)) = ply.played
        {
            self.forecast = Forecast {
                moves: likeliest_first(ply.legal, frequencies),
                end_probability: ply.end.map_or(0.0, probability_of_bit),
            };
        }
        // Behind the ply that was waited for, no other is.
        self.before = self.before.wrapping_sub(1);
    }
}
