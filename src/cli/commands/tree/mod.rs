//! `plyzip tree`

mod report;

use clap::Args;
use shakmaty::Chess;

use crate::cli::arguments::{FilterArguments, Reading, Verbosity};
use crate::cli::each::each;
use crate::cli::exit::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::files::standard;
use crate::cli::games::look_through;
use crate::cli::names::DEFAULT_MODEL;
use plyzip::openings::NextMoves;
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
    /// Also print how likely `standard` or the model of --model takes each move to be there
    #[arg(long, help_heading = "Options")]
    pub predict: bool,
    /// Print it as one line of JSON
    #[arg(long, help_heading = "Options")]
    pub json: bool,
}

/// The place whose next moves are counted.
fn place(filter: &FilterArguments) -> Result<NextMoves> {
    match (&filter.moves, &filter.position) {
        (Some(_), Some(_)) => {
            Err(Error::Usage("--moves and --position are two places: give one of them".into()))
        }
        (None, Some(wanted)) => Ok(NextMoves::in_position(wanted.position().clone())),
        (moves, None) => NextMoves::after(moves.as_ref().map_or(&[][..], |moves| moves.moves())),
    }
}

/// Prints which moves were played from a position, and what came of them.
pub fn run(arguments: &TreeArguments, verbosity: Verbosity) -> Result<ExitStatus, Failure> {
    let reading = &arguments.reading;
    let paths = reading.paths()?;
    let mut next = place(&reading.filter)?;
    let filters = reading.filter.filters();
    let mut left = reading.filter.first;
    let status = each(&paths, |path| {
        if left == Some(0) {
            return Ok(());
        }
        look_through(path, reading, verbosity, |games| {
            games.select(&filters).first(left).moves(next.plies(), |_, game| {
                // One by one: a file that breaks off has given some, too.
                left = left.map(|left| left - 1);
                next.add(game);
                Ok(())
            })
        })?;
        Ok(())
    })?;
    let likely = match arguments.predict {
        true => predicted(&next, reading.model.as_deref())?,
        false => vec![],
    };
    let tree = report::Tree::new(&next, &likely, arguments.min_games);
    standard::print(&match arguments.json {
        true => tree.json()?,
        false => tree.text(next.position()),
    })?;
    Ok(status)
}

/// How likely the legal moves are there.
fn predicted(next: &NextMoves, model: Option<&str>) -> Result<Vec<LikelyMove>> {
    let model = ModelStore::of_system().open(model.unwrap_or(DEFAULT_MODEL))?;
    let (start, moves) = match next.before() {
        Some(moves) => (Chess::default(), moves),
        None => (next.position().clone(), &[][..]),
    };
    let header = GameHeader::new().start(start);
    Ok(model.probabilities(&header, moves)?.moves)
}
