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
use plyzip::filters::GameNumbers;
use plyzip::{Error, Result};

use self::annotated::Annotated;
pub use self::annotated::{NamedMove, percent};
use self::source::Source;
use self::top::Top;
use crate::cli::arguments::{Coding, Output, Verbosity};
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
    /// Explain the game of this number; the first game has the number 1
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "games")]
    pub game: Option<u64>,
    /// Explain the games of these numbers and ranges of numbers, such as `10-20,40-`
    #[arg(long, value_name = "RANGES")]
    pub games: Option<GameNumbers>,
    /// Instead of games, print the N most surprising moves and the N least predictable games of all, or of those games
    #[arg(
        long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000),
        conflicts_with_all = ["pgn", "svg", "html"]
    )]
    pub top: Option<u32>,
    /// Print a line of JSON for each move, and one for the end of each game
    #[arg(long)]
    pub json: bool,
    /// Print the games as PGN, with a comment behind each move
    #[arg(long)]
    pub pgn: bool,
    /// Draw what the moves of a game cost, as SVG
    #[arg(long)]
    pub svg: bool,
    /// Write a page to step through games in a browser: board, moves, curve. One file, which works offline, of at most
    /// 200 games
    #[arg(long)]
    pub html: bool,
    /// Write to OUT; a file must not exist
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    pub output: PathBuf,
    /// Replace OUT if it exists
    #[arg(short, long)]
    pub force: bool,
    /// The model that predicts the moves of PGN, `standard` by default; of an archive, its model if it is not among
    /// those that `plyzip models` lists
    #[arg(long, value_name = "NAME|PATH")]
    pub model: Option<String>,
    /// How the codec runs
    #[command(flatten)]
    pub coding: Coding,
}

impl ExplainArguments {
    /// The games that are asked for; `None` if none are.
    fn numbers(&self) -> Option<GameNumbers> {
        self.game.map(GameNumbers::one).or_else(|| self.games.clone())
    }

    /// Whether a single game is all that the output is made for.
    fn wants_one(&self) -> bool {
        self.svg || !(self.json || self.html || self.pgn || self.games.is_some())
    }
}

/// Explains games of an archive or of PGN.
pub fn run(arguments: &ExplainArguments, verbosity: Verbosity) -> Result<()> {
    let input = Input::open(&arguments.input)?;
    let output = Output::at(arguments.output.clone(), arguments.force);
    let sink = Sink::open(&output, &input, |path| Ok(path.to_owned()), false)?;
    with_threads(arguments.coding, None, || {
        let mut sink = BufWriter::new(sink);
        let mut source = Source::open(input, arguments.model.as_deref())?;
        let numbers = arguments.numbers();
        let found = match arguments.top {
            Some(count) => top(arguments, count as usize, &mut source, verbosity, &mut sink)?,
            None => {
                let games = source.games();
                if numbers.is_none() && games > 1 && arguments.wants_one() {
                    let what = format!(
                        "{} has {games} games: name one with --game, or ask for --top 20",
                        arguments.input.display()
                    );
                    return Err(Error::Usage(what));
                }
                let mut before = 0;
                // Kept until it is certain that there are no others.
                let (mut picture, mut page) = (vec![], html::Page::default());
                let found = source.explain(numbers.as_ref(), |game| {
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
            let what = format!("{} has {games} games, and not this one", arguments.input.display());
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
    verbosity: Verbosity,
    sink: &mut impl Write,
) -> Result<u64> {
    let progress = Progress::new(&arguments.input, source.original_bytes(), verbosity);
    let mut top = Top::new(count);
    let (mut bytes, mut plies) = (0, 0);
    let found = source.explain(arguments.numbers().as_ref(), |game| {
        bytes += game.bytes.len() as u64;
        plies += game.plies.len() as u64;
        progress.set(bytes, plies);
        top.add(&game);
        Ok(())
    })?;
    progress.finish();
    let text = if arguments.json { top.json()? } else { top.table() };
    sink.write_all(text.as_bytes())?;
    Ok(found)
}
