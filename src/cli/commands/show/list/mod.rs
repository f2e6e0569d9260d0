//! `plyzip list`

#[cfg(feature = "arrow")]
mod arrow;
mod table;
mod text;

use std::io::{self, BufWriter, IsTerminal};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use plyzip::archive::is_late;
use plyzip::filters::Duplicates;
use plyzip::pgn::{Game, Tag};
use plyzip::{Error, Result};

use self::table::TableSheet;
use self::text::{Layout, TextSheet};
use crate::cli::arguments::{Reading, Verbosity};
use crate::cli::each::each;
use crate::cli::exit::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::files::{Sink, standard};
use crate::cli::games::look_through;

/// `plyzip list`
#[derive(Debug, Clone, Args)]
pub struct ListArguments {
    /// What is read
    #[command(flatten)]
    pub reading: Reading,
    /// Print comma-separated values, with a line of names first
    #[arg(long, conflicts_with = "json", help_heading = "Options")]
    pub csv: bool,
    /// Print each game as one line of JSON, with all tags but those that are predicted from the moves, such as ECO
    #[arg(long, help_heading = "Options")]
    pub json: bool,
    /// The tags to print, behind the number of the game [default: Date,White,WhiteElo,Black,BlackElo,Result,Event, with
    /// --full ECO and Plies too; with --json all]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', help_heading = "Options")]
    pub tags: Vec<String>,
    /// Colours. A terminal gets an aligned table, in colours unless $NO_COLOR is set or $CLICOLOR is 0; `always` gives
    /// pipes the same
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Options")]
    pub color: When,
    /// List only duplicates of earlier games: the same moves, players, result and date, whatever else is in them. The
    /// number of the earlier game is printed after theirs. The moves of all games are decoded
    #[arg(long, help_heading = "Options")]
    pub duplicates: bool,
    /// With --duplicates, take players for the same whose names differ only in spelling, and ignore the date
    #[arg(long, requires = "duplicates", help_heading = "Options")]
    pub near: bool,
    /// Decode the pages, too, for what stands there: ECO and other tags that are predicted from the moves, and Plies,
    /// the number of moves of either side. It takes as long as `plyzip decompress`
    #[arg(long, help_heading = "Options")]
    pub full: bool,
    /// Write an Arrow file for DuckDB, pandas or polars instead: game, date, date_text, white, black, white_elo,
    /// black_elo, result, eco, plies, event, site, round; eco and plies are null without --full
    #[cfg(feature = "arrow")]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["csv", "json", "tags", "duplicates"], help_heading = "Options")]
    pub arrow: Option<PathBuf>,
    /// Replace FILE if it exists
    #[cfg(feature = "arrow")]
    #[arg(short, long, requires = "arrow", help_heading = "Options")]
    pub force: bool,
}

/// When something is done that is for terminals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum When {
    Auto,
    Always,
    Never,
}

/// The width of a table that does not go to a terminal.
const USUAL_WIDTH: u16 = 100;

/// The columns of the table, behind the number, and with `--full`.
const COLUMNS: [&str; 7] = ["Date", "White", "WhiteElo", "Black", "BlackElo", "Result", "Event"];
const FULL_COLUMNS: [&str; 9] =
    ["Date", "White", "WhiteElo", "Black", "BlackElo", "Result", "ECO", PLIES, "Event"];

/// The name of the column with the number of plies, which is no tag.
const PLIES: &str = "Plies";

/// What is listed of a game.
struct Row<'a> {
    /// The name of its file, if there are several.
    file: Option<&'a str>,
    /// Its number, from 1 on.
    number: u64,
    /// The number of the game that it repeats, with the name of its file if there are several.
    repeats: Option<&'a str>,
    tags: &'a [Tag],
    /// Plies of the game as played, if its page was decoded.
    plies: Option<u64>,
}

impl<'a> Row<'a> {
    /// The value of a tag as it is spelled.
    fn tag(&self, name: &str) -> Option<&'a [u8]> {
        let known = |tag: &&Tag| tag.name == name.as_bytes();
        let is_known = self.plies.is_some() || !is_late(name.as_bytes());
        self.tags.iter().find(known).filter(|_| is_known).map(|tag| &tag.value[..])
    }
}

/// The columns before those of tags, beside the number of the game.
#[derive(Debug, Clone, Copy, Default)]
struct Before {
    /// The name of the file.
    file: bool,
    /// The number of the first game that is the same.
    repeats: bool,
}

/// What takes the rows.
trait Sheet {
    fn row(&mut self, row: &Row<'_>) -> Result<()>;

    /// Writes what is left to write.
    fn finish(self: Box<Self>) -> Result<()>;
}

/// Prints a line for each game.
pub fn run(arguments: &ListArguments, verbosity: Verbosity) -> Result<ExitStatus, Failure> {
    let reading = &arguments.reading;
    let needs_page = |name: &&String| is_late(name.as_bytes()) || *name == PLIES;
    if let Some(late) = arguments.tags.iter().find(needs_page).filter(|_| !arguments.full) {
        let what = "is stored with the moves, which a list does not read without --full";
        return Err(Error::Usage(format!("{late} {what}")).into());
    }
    let paths = reading.paths()?;
    let several = paths.len() > 1;
    let mut sheet = sheet(arguments, &paths)?;
    // On a terminal, lines of games are what shows how far the work has come.
    let beside = verbosity.quiet_if(io::stdout().is_terminal());
    let filters = reading.filter.filters();
    let mut left = reading.filter.first;
    let mut duplicates = arguments.duplicates.then(|| match arguments.near {
        true => Duplicates::near(),
        false => Duplicates::new(),
    });
    let status = each(&paths, |path| {
        if left == Some(0) {
            return Ok(());
        }
        let name = several.then(|| path.display().to_string());
        let file = name.as_deref();
        look_through(path, reading, beside, |games| {
            let wanted = games.select(&filters).first(left);
            // One by one: a file that breaks off has given some, too.
            let mut less = || left = left.map(|left| left - 1);
            if let Some(duplicates) = &mut duplicates {
                // A number for the file takes less memory than its name.
                let place = paths.iter().position(|known| known == path).unwrap_or_default();
                let mut row = |number: u64, game: &Game, plies| {
                    less();
                    let (number, tags) = (number + 1, &game.tags[..]);
                    let Some((place, first)) = duplicates.see((place, number), game) else {
                        return Ok(());
                    };
                    let first = match several {
                        true => format!("{}:{first}", paths[place].display()),
                        false => first.to_string(),
                    };
                    sheet.row(&Row { file, number, repeats: Some(&first), tags, plies })
                };
                return match arguments.full {
                    true => wanted.games(|number, game| row(number, game, Some(played(game)))),
                    false => wanted.moves(usize::MAX, |number, game| row(number, game, None)),
                };
            }
            let mut row = |number, tags: &[Tag], plies| {
                less();
                sheet.row(&Row { file, number: number + 1, repeats: None, tags, plies })
            };
            match arguments.full {
                true => wanted.all_tags(|number, tags, plies| row(number, tags, Some(plies))),
                false => wanted.tags(|number, tags| row(number, tags, None)),
            }
        })?;
        Ok(())
    })?;
    sheet.finish()?;
    Ok(status)
}

/// Plies of a game as played.
fn played(game: &Game) -> u64 {
    game.lines.first().map_or(0, |line| line.moves.len() as u64)
}

fn sheet(arguments: &ListArguments, paths: &[PathBuf]) -> Result<Box<dyn Sheet + Send>> {
    let several = paths.len() > 1;
    #[cfg(feature = "arrow")]
    if let Some(path) = &arguments.arrow {
        let sink = Sink::of_several(path, arguments.force, paths, true)?;
        return Ok(Box::new(arrow::ArrowSheet::new(sink, several)?));
    }
    let layout = match (arguments.csv, arguments.json) {
        (true, _) => Layout::Csv,
        (_, true) => Layout::Json,
        _ => Layout::Table,
    };
    let usual = || match (layout, arguments.full) {
        (Layout::Json, _) => vec![],
        (_, true) => FULL_COLUMNS.map(String::from).to_vec(),
        (_, false) => COLUMNS.map(String::from).to_vec(),
    };
    let columns = if arguments.tags.is_empty() { usual() } else { arguments.tags.clone() };
    let before = Before { file: several, repeats: arguments.duplicates };
    let out = BufWriter::new(Sink::Standard(standard::output()?));
    let is_terminal = io::stdout().is_terminal();
    if layout == Layout::Table && (is_terminal || arguments.color == When::Always) {
        let colour = match arguments.color {
            When::Auto => console::colors_enabled(),
            When::Always => true,
            When::Never => false,
        };
        let width = console::Term::stdout().size_checked().map_or(USUAL_WIDTH, |(_, width)| width);
        let table = TableSheet::new(out, columns, before, usize::from(width), colour);
        return Ok(Box::new(table));
    }
    Ok(Box::new(TextSheet::new(out, layout, columns, before)?))
}
