//! `play-match`: a match between the searches of two models, which tells whose NNUE network is the better one.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use plyzip::ModelStore;
use plyzip::unstable::chess::{History, legal_moves};
use plyzip::unstable::engine::{SearchLimits, SearchState, Searcher};
use plyzip::unstable::predict::Pipeline;
use shakmaty::{Move, Position};

use crate::commands::pgn_games::PgnGames;

/// Let the searches of two models play each other
///
/// Of each game the first 8 to 16 plies are an opening, from which each model plays once with White. The result is the
/// first model's difference in Elo and its standard error.
#[derive(Args)]
pub struct Arguments {
    /// Name of a model that searches, or its file
    first: String,
    /// Another
    second: String,
    /// Games in PGN
    games: PathBuf,
    /// Games to skip
    skip: usize,
    /// Openings to play; twice as many games
    count: usize,
    /// Positions that a search visits at most for a move
    nodes: u64,
}

/// Centipawns at which a game is won when both think so for some plies.
const WON: i32 = 500;
const AGREED: u32 = 5;

/// Plies after which a game is drawn.
const LONGEST: usize = 240;

/// A search and what it remembers of the game.
struct Player {
    searcher: Searcher,
    memory: SearchState,
    nodes: u64,
}

impl Player {
    fn new(model: &str, nodes: u64) -> anyhow::Result<Player> {
        let pipeline = Pipeline::new(&ModelStore::of_system().open(model)?);
        let searcher = pipeline.searcher().context("the model does not search")?;
        Ok(Player { searcher, memory: SearchState::new(nodes), nodes })
    }

    /// The best move of a position that has one, and what it is worth to White.
    fn choose(&mut self, game: &History) -> (Move, i32) {
        let legal = legal_moves(game.position());
        let likely: Vec<usize> = (0..legal.len()).collect();
        let extent = SearchLimits { nodes: self.nodes, width: legal.len(), scout_margin: None };
        let found = self.searcher.search(&mut self.memory, game, &legal, &likely, extent);
        let values = found.values.last().expect("the first depth always ends");
        let best = likely.into_iter().max_by_key(|&place| values[place]).expect("a move");
        (legal[best], game.position().turn().fold_wb(values[best], -values[best]))
    }
}

/// Twice what White scores from a position on.
fn play(mut players: [&mut Player; 2], mut game: History) -> u32 {
    for player in &mut players {
        player.memory = SearchState::new(player.nodes);
    }
    let mut agreed = (0, 0);
    for _ in 0..LONGEST {
        let position = game.position();
        if legal_moves(position).is_empty() {
            return if position.is_check() { position.turn().fold_wb(0, 2) } else { 1 };
        }
        let repeated = game.occurrences(game.key()) >= 2;
        if repeated || position.is_insufficient_material() || position.halfmoves() >= 100 {
            return 1;
        }
        let (best, value) = players[position.turn().fold_wb(0, 1)].choose(&game);
        let winner = if value.abs() >= WON { value.signum() } else { 0 };
        agreed = (winner, if winner == agreed.0 { agreed.1 + 1 } else { 1 });
        if winner != 0 && agreed.1 >= AGREED {
            return if winner > 0 { 2 } else { 0 };
        }
        game.play(best);
    }
    1
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut first = Player::new(&arguments.first, arguments.nodes)?;
    let mut second = Player::new(&arguments.second, arguments.nodes)?;
    let games = PgnGames::read(&arguments.games)?;
    let mut scores = [0u32; 3];
    let mut openings = 0;
    for game in games.range(arguments.skip, usize::MAX) {
        if openings == arguments.count {
            break;
        }
        let plies = 8 + openings % 9;
        let (Some(begin), Some(line)) = (game.start(), game.lines.first()) else { continue };
        if line.moves.len() < plies {
            continue;
        }
        let mut opening = History::new(begin);
        line.moves[..plies].iter().for_each(|&played| opening.play(played));
        scores[play([&mut first, &mut second], opening.clone()) as usize] += 1;
        scores[2 - play([&mut second, &mut first], opening) as usize] += 1;
        openings += 1;
    }
    println!("{}", report(scores));
    Ok(())
}

/// Of games lost, drawn and won: the difference in [Elo](https://www.chessprogramming.org/Match_Statistics).
fn report(scores: [u32; 3]) -> String {
    let [lost, drawn, won] = scores.map(f64::from);
    let played = lost + drawn + won;
    let mean = (won + drawn / 2.0) / played;
    let variance = (won + drawn / 4.0) / played - mean * mean;
    let elo = 400.0 * (mean / (1.0 - mean)).log10();
    let slope = 400.0 / std::f64::consts::LN_10 / (mean * (1.0 - mean));
    let error = slope * (variance / played).sqrt();
    format!("+{won} ={drawn} -{lost}: {elo:+.1} Elo, give or take {error:.1}")
}

#[cfg(test)]
mod tests {
    /// 76 % is worth 200 Elo; the error is that of a mean of a hundred games.
    #[test]
    fn three_in_four_are_two_hundred_elo() {
        assert_eq!(super::report([24, 0, 76]), "+76 =0 -24: +200.2 Elo, give or take 40.7");
        assert_eq!(super::report([10, 20, 10]), "+10 =20 -10: +0.0 Elo, give or take 38.8");
    }
}
