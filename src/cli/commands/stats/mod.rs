//! `plyzip stats`

mod charts;
mod openings;
mod picture;
mod report;
mod tally;
mod text;

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use plyzip::pgn::{Game, Tag};
use plyzip::{Error, Result};

use self::tally::Tally;
use crate::cli::arguments::{Reading, Verbosity};
use crate::cli::each::each;
use crate::cli::exit::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::files::{Sink, standard};
use crate::cli::games::{Games, look_through};

/// `plyzip stats`
#[derive(Debug, Clone, Args)]
pub struct StatsArguments {
    /// What is read
    #[command(flatten)]
    pub reading: Reading,
    /// Plies of the tree of openings; 0 for no tree
    #[arg(long, value_name = "PLIES", default_value_t = 4, help_heading = "Options",
        value_parser = clap::value_parser!(u8).range(..=40))]
    pub depth: u8,
    /// Leave out openings of fewer games [default: 1 of 100 games, and at least 2 games]
    #[arg(long, value_name = "GAMES", help_heading = "Options")]
    pub min_games: Option<u64>,
    /// Leave out the lengths of games: no move after the openings is decoded, and with --depth 0 no page, which takes a
    /// small part of the time
    #[arg(long, help_heading = "Options")]
    pub no_lengths: bool,
    /// Print it as one line of JSON
    #[arg(long, help_heading = "Options")]
    pub json: bool,
    /// Also draw it, into FILE
    #[arg(long, value_name = "FILE", help_heading = "Options")]
    pub svg: Option<PathBuf>,
    /// Replace FILE if it exists
    #[arg(short, long, requires = "svg", help_heading = "Options")]
    pub force: bool,
}

/// Prints what the games of all files have in common.
pub fn run(arguments: &StatsArguments, verbosity: Verbosity) -> Result<ExitStatus, Failure> {
    let paths = arguments.reading.paths()?;
    let picture =
        arguments.svg.as_ref().map(|path| Sink::of_several(path, arguments.force, &paths, false));
    let picture = picture.transpose()?;
    let mut tally = Tally::new(usize::from(arguments.depth), !arguments.no_lengths);
    let mut left = arguments.reading.filter.first;
    let status = each(&paths, |path| {
        if left == Some(0) {
            return Ok(());
        }
        tally.file = (paths.len() > 1).then(|| path.display().to_string());
        look_through(path, &arguments.reading, verbosity, |games| {
            count(games, arguments, &mut left, &mut tally)
        })?;
        Ok(())
    })?;
    let openings =
        tally.openings.lines(arguments.min_games.unwrap_or((tally.games() / 100).max(2)));
    if let Some(mut picture) = picture {
        let svg = picture::svg(&tally, &openings);
        picture.write_all(svg.as_bytes()).map_err(Error::Io)?;
        picture.commit()?;
    }
    standard::print(&match arguments.json {
        true => report::json(&tally, &openings)?,
        false => text::text(&tally, &openings),
    })?;
    Ok(status)
}

/// Counts the games that are asked for, as many as are `left` to be counted; how many these are.
fn count(
    games: &mut Games<'_>,
    arguments: &StatsArguments,
    left: &mut Option<u64>,
    tally: &mut Tally,
) -> Result<u64> {
    let filters = arguments.reading.filter.filters();
    let depth = usize::from(arguments.depth);
    let wanted = games.select(&filters).first(*left);
    // One by one: a file that breaks off has given some, too.
    let mut add = |number: u64, tags: &[Tag], game: Option<(&Game, u64)>| {
        *left = left.map(|left| left - 1);
        tally.add(number + 1, tags, game);
        Ok(())
    };
    if depth == 0 && arguments.no_lengths {
        return wanted.tags(|number, tags| add(number, tags, None));
    }
    let mut add = |number, game: &Game, plies| add(number, &game.tags, Some((game, plies)));
    match arguments.no_lengths {
        true => wanted.moves(depth, |number, game| add(number, game, 0)),
        false => wanted.openings(depth, add),
    }
}
