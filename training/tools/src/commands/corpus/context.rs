//! The context of a packed game, from the numbers of its players and its end.

use std::num::NonZeroU16;

use anyhow::Context;
use plyzip::pgn::Outcome;
use plyzip::unstable::chess::legal_moves;
use plyzip::{GameContext, Pace};
use shakmaty::{ByColor, Chess, Move, Position};

use crate::packed::Game;

const RESULTS: [Option<Outcome>; 4] =
    [None, Some(Outcome::White), Some(Outcome::Black), Some(Outcome::Draw)];

impl<'a> Game<'a> {
    /// A game with these places of moves in the canonical order (`places`); `cut` if moves are missing at its end.
    pub fn new(context: &GameContext, cut: bool, moves: &'a [u8]) -> Game<'a> {
        let number = |number: Option<NonZeroU16>| number.map_or(0, NonZeroU16::get);
        let result = RESULTS.iter().position(|&result| result == context.result).unwrap_or(0);
        Game {
            elo: [context.elo.white, context.elo.black].map(number),
            result: result as u8,
            cut,
            year: number(context.year),
            pace: context.pace.map_or(0, |pace| pace as u8) * 2 + u8::from(context.online),
            moves,
        }
    }

    /// The context of the game for a predictor.
    pub fn context(&self) -> GameContext {
        let [white, black] = self.elo.map(NonZeroU16::new);
        GameContext::new()
            .elo(ByColor { white, black })
            .result(RESULTS[usize::from(self.result)])
            .year(NonZeroU16::new(self.year))
            .pace(Pace::ALL[usize::from(self.pace / 2)])
            .online(self.pace % 2 == 1)
    }

    /// Twice what White scored, if that is known.
    pub fn half_points(&self) -> Option<u8> {
        match RESULTS[usize::from(self.result)]? {
            Outcome::White => Some(2),
            Outcome::Black => Some(0),
            Outcome::Draw => Some(1),
            Outcome::Unknown => None,
        }
    }
}

/// The moves of a game that stand at these places in the canonical order, from the usual start.
pub fn moves(places: &[u8]) -> anyhow::Result<Vec<Move>> {
    let mut position = Chess::default();
    let mut moves = Vec::with_capacity(places.len());
    for &place in places {
        let played = legal_moves(&position).get(usize::from(place)).copied();
        let played = played.context("a place without a move")?;
        moves.push(played);
        position.play_unchecked(played);
    }
    Ok(moves)
}

/// The places of a game's moves in the canonical order, from the usual start.
pub fn places(moves: &[Move]) -> anyhow::Result<Vec<u8>> {
    let mut position = Chess::default();
    let mut places = Vec::with_capacity(moves.len());
    for &played in moves {
        let place = legal_moves(&position).iter().position(|&legal| legal == played);
        // No position has more than 218 legal moves.
        places.push(place.context("an illegal move")? as u8);
        position.play_unchecked(played);
    }
    Ok(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_moves_say_the_same() {
        let places_of = [0, 5, 3, 17, 8, 2];
        let played = moves(&places_of).unwrap();
        assert_eq!(places(&played).unwrap(), places_of);
        assert!(moves(&[20]).is_err());
    }
}
