//! Lets the searches of two models play each other, to tell which network of values is the better one.
//!
//! `play_off FIRST SECOND GAMES.pgn SKIP COUNT NODES` plays COUNT openings of games after the first SKIP (8 to 16 plies of each), twice, each
//! model once with White; both visit at most NODES positions a move. What comes out is the difference in
//! [Elo](https://www.chessprogramming.org/Match_Statistics) and its standard error.

use plyzip::ModelStore;
use plyzip::pgn::{self, Item};
use plyzip::unstable::chess::{History, legal_moves};
use plyzip::unstable::engine::{SearchLimits, SearchState, Searcher};
use plyzip::unstable::predict::Pipeline;
use shakmaty::{Move, Position};

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
    fn new(model: &str, nodes: u64) -> Result<Player, Box<dyn std::error::Error>> {
        let pipeline = Pipeline::new(&ModelStore::of_system().open(model)?);
        let searcher = pipeline.searcher().ok_or("the model does not search")?;
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

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [first, second, games, skip, count, nodes] = &arguments[..] else {
        return Err("usage: play_off FIRST SECOND GAMES.pgn SKIP COUNT NODES".into());
    };
    let (skip, count, nodes) = (skip.parse()?, count.parse()?, nodes.parse()?);
    let (mut first, mut second) = (Player::new(first, nodes)?, Player::new(second, nodes)?);
    let input = std::fs::read(games)?;
    let mut starts = pgn::game_starts(&input).skip(skip).peekable();
    let mut scores = [0u32; 3];
    let mut openings = 0;
    while openings < count {
        let Some(start) = starts.next() else { break };
        let end = starts.peek().copied().unwrap_or(input.len());
        let Some(Item::Game(game)) = pgn::parse(&input[start..end]).items.into_iter().next() else {
            continue;
        };
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
    let [lost, drawn, won] = scores.map(f64::from);
    let played = lost + drawn + won;
    let mean = (won + drawn / 2.0) / played;
    let variance = (won + drawn / 4.0) / played - mean * mean;
    let elo = 400.0 * (mean / (1.0 - mean)).log10();
    let slope = 400.0 / std::f64::consts::LN_10 / (mean * (1.0 - mean));
    println!(
        "+{won} ={drawn} -{lost}: {elo:+.1} Elo, give or take {:.1}",
        slope * (variance / played).sqrt()
    );
    Ok(())
}
