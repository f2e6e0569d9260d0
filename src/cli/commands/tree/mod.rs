//! `plyzip tree`

mod report;
mod tally;

use clap::Args;
use shakmaty::{Chess, Move, Position};

use self::tally::Tally;
use crate::cli::arguments::{FilterArguments, Reading, Verbosity};
use crate::cli::each::each;
use crate::cli::exit::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::files::standard;
use crate::cli::games::look_through;
use crate::cli::names::DEFAULT_MODEL;
use plyzip::pgn::Game;
use plyzip::{Error, GameHeader, LikelyMove, ModelStore, Result};

/// `plyzip tree`
#[derive(Debug, Clone, Args)]
pub struct TreeArguments {
    /// What is read. The moves that are counted are those behind --moves, or those in the position of --position, or else
    /// those in the initial position
    #[command(flatten)]
    pub reading: Reading,
    /// Leave out moves of fewer games
    #[arg(long, value_name = "GAMES", default_value_t = 1, help_heading = "Options")]
    pub min_games: u64,
    /// Print, too, how likely `standard` or the model of --model takes each move to be there
    #[arg(long, help_heading = "Options")]
    pub predict: bool,
    /// Print it as one line of JSON
    #[arg(long, help_heading = "Options")]
    pub json: bool,
}

/// The place in games whose next moves are counted.
struct Node {
    position: Chess,
    /// The moves that lead there; `None` if any may.
    moves: Option<Vec<Move>>,
}

impl Node {
    fn of(filter: &FilterArguments) -> Result<Node> {
        match (&filter.moves, &filter.position) {
            (Some(_), Some(_)) => {
                Err(Error::Usage("--moves and --position are two places: give one of them".into()))
            }
            (None, Some(wanted)) => Ok(Node { position: wanted.position().clone(), moves: None }),
            (moves, None) => {
                let moves = moves.as_ref().map_or(&[][..], |moves| moves.moves());
                let mut position = Chess::default();
                moves.iter().for_each(|&played| position.play_unchecked(played));
                Ok(Node { position, moves: Some(moves.to_vec()) })
            }
        }
    }

    /// Moves of a game that have to be known.
    fn plies(&self) -> usize {
        self.moves.as_ref().map_or(usize::MAX, |moves| moves.len() + 1)
    }

    /// What a game goes on with: `None` if it does not come here, `Some(None)` if it ends here.
    fn next(&self, game: &Game) -> Option<Option<Move>> {
        let mut position = game.start()?;
        let moves = game.lines.first().map_or(&[][..], |line| &line.moves);
        if let Some(before) = &self.moves {
            let begins = position == Chess::default() && moves.starts_with(before);
            return begins.then(|| moves.get(before.len()).copied());
        }
        for &played in moves {
            if position == self.position {
                return Some(Some(played));
            }
            position.play_unchecked(played);
        }
        (position == self.position).then_some(None)
    }
}

/// Prints which moves were played from a position, and what came of them.
pub fn run(arguments: &TreeArguments, verbosity: Verbosity) -> Result<ExitStatus, Failure> {
    let reading = &arguments.reading;
    let paths = reading.paths()?;
    let node = Node::of(&reading.filter)?;
    let filters = reading.filter.filters();
    let mut left = reading.filter.first;
    let mut tally = Tally::default();
    let status = each(&paths, |path| {
        if left == Some(0) {
            return Ok(());
        }
        look_through(path, reading, verbosity, |games| {
            games.select(&filters).first(left).moves(node.plies(), |_, game| {
                // One by one: a file that breaks off has given some, too.
                left = left.map(|left| left - 1);
                if let Some(next) = node.next(game) {
                    tally.add(&game.tags, next);
                }
                Ok(())
            })
        })?;
        Ok(())
    })?;
    let likely = match arguments.predict {
        true => predicted(&node, reading.model.as_deref())?,
        false => vec![],
    };
    let Node { position, moves } = &node;
    let tree = report::Tree::new(position, moves.as_deref(), &tally, &likely, arguments.min_games);
    standard::print(&match arguments.json {
        true => tree.json()?,
        false => tree.text(position),
    })?;
    Ok(status)
}

/// How likely the legal moves are there.
fn predicted(node: &Node, model: Option<&str>) -> Result<Vec<LikelyMove>> {
    let model = ModelStore::of_system().open(model.unwrap_or(DEFAULT_MODEL))?;
    let (start, moves) = match &node.moves {
        Some(moves) => (Chess::default(), &moves[..]),
        None => (node.position.clone(), &[][..]),
    };
    let header = GameHeader::new().start(start);
    Ok(model.probabilities(&header, moves)?.moves)
}
