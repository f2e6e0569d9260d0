//! `plyzip explain`

mod annotated;
mod curve;
mod html;
mod json;
mod pgn;
mod source;
mod table;
mod top;

use std::io::{BufWriter, IntoInnerError, Write};
use std::path::PathBuf;

use clap::{ArgGroup, Args};
use plyzip::{Error, Result};

use self::annotated::Annotated;
pub use self::annotated::{LikelyName, percent};
use self::source::Source;
use self::top::Top;
use crate::cli::arguments::{Coding, FilterArguments, Output, Verbosity};
use crate::cli::counted::counted;
use crate::cli::files::{Input, Sink};
use crate::cli::progress::Progress;
use crate::cli::threads::with_threads;

/// Games that a page for browsers can have: each takes some 60 KB of it.
const MOST_GAMES: usize = 200;

/// `plyzip explain`
#[derive(Debug, Clone, Args)]
#[command(group(ArgGroup::new("form").args(["json", "pgn", "svg", "html"])))]
pub struct ExplainArguments {
    /// An archive, or PGN; `-` for PGN from standard input
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// Which games
    #[command(flatten)]
    pub filter: FilterArguments,
    /// Instead of games, print the N most surprising moves and the N least predictable games of all, or of those games
    #[arg(
        long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000),
        conflicts_with_all = ["pgn", "svg", "html"], help_heading = "Options"
    )]
    pub top: Option<u32>,
    /// Print a line of JSON for each move, and one for the end of each game
    #[arg(long, help_heading = "Options")]
    pub json: bool,
    /// Print the games as PGN, with a comment after each move
    #[arg(long, help_heading = "Options")]
    pub pgn: bool,
    /// Draw what the moves of a game cost, as SVG
    #[arg(long, help_heading = "Options")]
    pub svg: bool,
    /// Write a page to step through games in a browser: board, moves, curve. One file, which works offline, of at most
    /// 200 games
    #[arg(long, help_heading = "Options")]
    pub html: bool,
    /// Write to OUT; a file must not exist
    #[arg(short, long, value_name = "OUT", default_value = "-", help_heading = "Options")]
    pub output: PathBuf,
    /// Replace OUT if it exists
    #[arg(short, long, help_heading = "Options")]
    pub force: bool,
    /// The model that predicts the moves of PGN, `standard` by default; of an archive, its model if it is not among
    /// those that `plyzip models` lists
    #[arg(long, value_name = "NAME|PATH", help_heading = "Options")]
    pub model: Option<String>,
    /// How the codec runs
    #[command(flatten, next_help_heading = "Options")]
    pub coding: Coding,
}

impl ExplainArguments {
    /// Whether a single game is all that the output is made for.
    fn wants_one(&self) -> bool {
        self.svg || !(self.json || self.html || self.pgn)
    }
}

/// Explains games of an archive or of PGN.
pub fn run(arguments: &ExplainArguments, verbosity: Verbosity) -> Result<()> {
    let input = Input::open(&arguments.input)?;
    let output = Output::at(arguments.output.clone(), arguments.force);
    let sink = Sink::open(&output, &input, |path| Ok(path.to_owned()), false)?;
    with_threads(arguments.coding, None, || {
        let beside = verbosity.quiet_if(sink.is_terminal());
        let mut sink = BufWriter::new(sink);
        let progress = Progress::new(&arguments.input, None, beside);
        let mut source = Source::open(input, arguments.model.as_deref(), &progress)?;
        let (filters, first) = (arguments.filter.filters(), arguments.filter.first);
        let found = match arguments.top {
            Some(count) => top(arguments, count as usize, &mut source, &progress, &mut sink)?,
            None => {
                let games = source.games();
                if !arguments.filter.is_given() && games > 1 && arguments.wants_one() {
                    let what = format!(
                        "{} has {games} games: name one with --game, or ask for --top 20",
                        arguments.input.display()
                    );
                    return Err(Error::Usage(what));
                }
                let mut before = 0;
                // Kept until it is certain that there are no others.
                let (mut picture, mut page) = (vec![], html::Page::default());
                let found = source.explain(&filters, first, &progress, |game| {
                    before += 1;
                    if arguments.html {
                        if page.games() == MOST_GAMES {
                            let what = format!("a page shows at most {MOST_GAMES} games (--games)");
                            return Err(Error::Usage(what));
                        }
                        return page.add(&game);
                    }
                    if !arguments.svg {
                        return write(arguments, before, &game, &mut sink);
                    }
                    if before > 1 {
                        return Err(Error::Usage("a picture shows a single game (--game)".into()));
                    }
                    write(arguments, before, &game, &mut picture)
                })?;
                sink.write_all(&picture)?;
                if page.games() > 0 {
                    sink.write_all(page.finish().as_bytes())?;
                }
                found
            }
        };
        if found == 0 && arguments.top.is_none() {
            let games = source.games();
            let input = arguments.input.display();
            let what =
                format!("{input} has {}, and none of them is wanted", counted(games, "game"));
            return Err(Error::Usage(what));
        }
        sink.into_inner().map_err(IntoInnerError::into_error)?.commit()
    })
}

/// Writes one game; so many are written with it.
fn write(
    arguments: &ExplainArguments,
    games: u64,
    game: &Annotated,
    sink: &mut impl Write,
) -> Result<()> {
    match arguments {
        ExplainArguments { json: true, .. } => json::write(game, sink)?,
        ExplainArguments { pgn: true, .. } => sink.write_all(&pgn::annotated(game)?)?,
        ExplainArguments { svg: true, .. } => sink.write_all(curve::svg(game).as_bytes())?,
        _ => {
            if games > 1 {
                writeln!(sink)?;
            }
            sink.write_all(table::table(game).as_bytes())?;
        }
    }
    Ok(())
}

/// Writes the most surprising moves and the least predictable games.
fn top(
    arguments: &ExplainArguments,
    count: usize,
    source: &mut Source,
    progress: &Progress,
    sink: &mut impl Write,
) -> Result<u64> {
    let mut top = Top::new(count);
    let (filters, first) = (arguments.filter.filters(), arguments.filter.first);
    let found = source.explain(&filters, first, progress, |game| {
        top.add(&game);
        Ok(())
    })?;
    let text = if arguments.json { top.json()? } else { top.table() };
    sink.write_all(text.as_bytes())?;
    Ok(found)
}
