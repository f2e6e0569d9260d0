//! `play-match`: a match between the searches of two models, which tells whose NNUE network is the better one, or
//! between that of a model and an engine.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use plyzip::ModelStore;
use plyzip::unstable::chess::{History, legal_moves};
use plyzip::unstable::engine::{SearchLimits, SearchState, Searcher};
use plyzip::unstable::predict::Pipeline;
use shakmaty::{Chess, Move, Position};

use super::uci_engine::UciEngine;
use crate::commands::pgn_games::PgnGames;

/// Let the searches of two models play each other, or that of a model an engine
///
/// Of each game the first 8 to 16 plies are an opening, from which each plays once with White. The result is the first
/// one's difference in Elo and its standard error.
#[derive(Args)]
pub struct Arguments {
    /// Name of a model that searches, or its file
    first: String,
    /// Another, or `uci:` and the program of an engine that speaks UCI
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

/// Who plays.
enum Player {
    Model(Box<ModelPlayer>),
    Engine(UciEngine),
}

/// The search of a model, and what it remembers of the game.
struct ModelPlayer {
    searcher: Searcher,
    memory: SearchState,
}

/// A game under way.
struct Game {
    begin: Chess,
    moves: Vec<Move>,
    history: History,
}

impl Game {
    fn new(begin: Chess, opening: &[Move]) -> Game {
        let mut game = Game { history: History::new(begin.clone()), begin, moves: vec![] };
        opening.iter().for_each(|&played| game.play(played));
        game
    }

    fn play(&mut self, played: Move) {
        self.moves.push(played);
        self.history.play(played);
    }
}

impl Player {
    fn new(name: &str, nodes: u64) -> anyhow::Result<Player> {
        if let Some(program) = name.strip_prefix("uci:") {
            return Ok(Player::Engine(UciEngine::start(program)?));
        }
        let pipeline = Pipeline::new(&ModelStore::of_system().open(name)?);
        let searcher = pipeline.searcher().context("the model does not search")?;
        Ok(Player::Model(Box::new(ModelPlayer { searcher, memory: SearchState::new(nodes) })))
    }

    /// Forgets the game before.
    fn new_game(&mut self, nodes: u64) -> anyhow::Result<()> {
        match self {
            Player::Model(player) => player.memory = SearchState::new(nodes),
            Player::Engine(engine) => engine.new_game()?,
        }
        Ok(())
    }

    /// The best move of a position that has one, and what it is worth to White.
    fn choose(&mut self, game: &Game, nodes: u64) -> anyhow::Result<(Move, i32)> {
        let position = game.history.position();
        let (best, value) = match self {
            Player::Model(player) => player.choose(&game.history, nodes),
            Player::Engine(engine) => engine.choose(&game.begin, &game.moves, position, nodes)?,
        };
        Ok((best, position.turn().fold_wb(value, -value)))
    }
}

impl ModelPlayer {
    /// The best move of a position that has one, and what it is worth to the side to move.
    fn choose(&mut self, game: &History, nodes: u64) -> (Move, i32) {
        let legal = legal_moves(game.position());
        let likely: Vec<usize> = (0..legal.len()).collect();
        let extent = SearchLimits { nodes, width: legal.len(), scout_margin: None };
        let found = self.searcher.search(&mut self.memory, game, &legal, &likely, extent);
        let values = found.values.last().expect("the first depth always ends");
        let best = likely.into_iter().max_by_key(|&place| values[place]).expect("a move");
        (legal[best], values[best])
    }
}

/// Twice what White scores from the end of an opening on.
fn play(mut players: [&mut Player; 2], mut game: Game, nodes: u64) -> anyhow::Result<u32> {
    for player in &mut players {
        player.new_game(nodes)?;
    }
    let mut agreed = (0, 0);
    for _ in 0..LONGEST {
        let (history, position) = (&game.history, game.history.position());
        if legal_moves(position).is_empty() {
            return Ok(if position.is_check() { position.turn().fold_wb(0, 2) } else { 1 });
        }
        let repeated = history.occurrences(history.key()) >= 2;
        if repeated || position.is_insufficient_material() || position.halfmoves() >= 100 {
            return Ok(1);
        }
        let (best, value) = players[position.turn().fold_wb(0, 1)].choose(&game, nodes)?;
        let winner = if value.abs() >= WON { value.signum() } else { 0 };
        agreed = (winner, if winner == agreed.0 { agreed.1 + 1 } else { 1 });
        if winner != 0 && agreed.1 >= AGREED {
            return Ok(if winner > 0 { 2 } else { 0 });
        }
        game.play(best);
    }
    Ok(1)
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let nodes = arguments.nodes;
    let mut first = Player::new(&arguments.first, nodes)?;
    let mut second = Player::new(&arguments.second, nodes)?;
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
        let opening = || Game::new(begin.clone(), &line.moves[..plies]);
        scores[play([&mut first, &mut second], opening(), nodes)? as usize] += 1;
        scores[2 - play([&mut second, &mut first], opening(), nodes)? as usize] += 1;
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
