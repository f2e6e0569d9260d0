//! `plyzip list`

#[cfg(feature = "arrow")]
mod arrow;
mod text;

use std::io::BufWriter;
use std::path::PathBuf;

use clap::Args;
use plyzip::archive::{IndexedReader, is_late};
use plyzip::pgn::Tag;
use plyzip::{Error, Result};

use self::text::{Layout, TextSheet};
use crate::cli::arguments::{
    Coding, FilterArguments, IndexArguments, LimitArguments, Verbosity, tell_index,
};
use crate::cli::files::{Input, Sink, standard};
use crate::cli::threads::with_threads;

/// `plyzip list`
#[derive(Debug, Clone, Args)]
pub struct ListArguments {
    /// The archive; a file
    #[arg(value_name = "ARCHIVE")]
    pub input: PathBuf,
    /// Which games
    #[command(flatten)]
    pub filter: FilterArguments,
    /// Print comma-separated values, with a line of names first
    #[arg(long, conflicts_with = "json", help_heading = "Options")]
    pub csv: bool,
    /// Print each game as one line of JSON, with all tags but those that the moves foretell, such as ECO
    #[arg(long, help_heading = "Options")]
    pub json: bool,
    /// The tags to print, behind the number of the game [default: Date,White,WhiteElo,Black,BlackElo,Result,Event, with
    /// --full ECO and Plies too; with --json all]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', help_heading = "Options")]
    pub tags: Vec<String>,
    /// Decode the pages, too, for what stands there: ECO and other tags that the moves foretell, and Plies, the number
    /// of moves of either side. Takes as long as `plyzip decompress`
    #[arg(long, help_heading = "Options")]
    pub full: bool,
    /// Write an Arrow file for DuckDB, pandas or polars instead: game, date, date_text, white, black, white_elo,
    /// black_elo, result, eco, plies, event, site, round; eco and plies are null without --full
    #[cfg(feature = "arrow")]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["csv", "json", "tags"], help_heading = "Options")]
    pub arrow: Option<PathBuf>,
    /// Replace FILE if it exists
    #[cfg(feature = "arrow")]
    #[arg(short, long, requires = "arrow", help_heading = "Options")]
    pub force: bool,
    /// The archive's model, if pages are decoded and it is not among those that `plyzip models` lists
    #[arg(long, value_name = "NAME|PATH", help_heading = "Options")]
    pub model: Option<String>,
    /// The index beside the archive
    #[command(flatten)]
    pub index: IndexArguments,
    /// How the codec runs
    #[command(flatten, next_help_heading = "Options")]
    pub coding: Coding,
    /// What the archive may ask for
    #[command(flatten)]
    pub limits: LimitArguments,
}

/// The columns of the table, behind the number, and with `--full`.
const COLUMNS: [&str; 7] = ["Date", "White", "WhiteElo", "Black", "BlackElo", "Result", "Event"];
const FULL_COLUMNS: [&str; 9] =
    ["Date", "White", "WhiteElo", "Black", "BlackElo", "Result", "ECO", PLIES, "Event"];

/// The name of the column with the number of plies, which is no tag.
const PLIES: &str = "Plies";

/// What is listed of a game.
struct Row<'a> {
    /// Its number, from 1 on.
    number: u64,
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

/// What takes the rows.
trait Sheet {
    fn row(&mut self, row: &Row<'_>) -> Result<()>;

    /// Writes what is left to write.
    fn finish(self: Box<Self>) -> Result<()>;
}

/// Prints a line for each game of an archive.
pub fn run(arguments: &ListArguments, verbosity: Verbosity) -> Result<()> {
    let input = Input::open(&arguments.input)?;
    if input.path().is_none() {
        return Err(Error::Usage("a list takes a file, not standard input".into()));
    }
    let needs_page = |name: &&String| is_late(name.as_bytes()) || *name == PLIES;
    if let Some(late) = arguments.tags.iter().find(needs_page).filter(|_| !arguments.full) {
        return Err(Error::Usage(format!(
            "{late} is stored with the moves, which a list does not read without --full"
        )));
    }
    let mut sheet = sheet(arguments, &input)?;
    let index = arguments.index.open(input.path(), verbosity);
    let options = arguments.limits.reader_options(arguments.model.as_deref())?;
    let options = options.index(index);
    let filters = arguments.filter.filters();
    let first = arguments.filter.first;
    with_threads(arguments.coding, None, || {
        let mut reader = IndexedReader::with_options(input, options)?;
        if arguments.full {
            reader.select(&filters).first(first).all_tags(|number, tags, plies| {
                sheet.row(&Row { number: number + 1, tags, plies: Some(plies) })
            })?;
        } else {
            reader
                .select(&filters)
                .first(first)
                .tags(|number, tags| sheet.row(&Row { number: number + 1, tags, plies: None }))?;
        }
        tell_index(&reader, &arguments.input, verbosity);
        sheet.finish()
    })
}

#[cfg_attr(
    not(feature = "arrow"),
    expect(unused_variables, reason = "only a file has to differ from the input")
)]
fn sheet(arguments: &ListArguments, input: &Input) -> Result<Box<dyn Sheet + Send>> {
    #[cfg(feature = "arrow")]
    if let Some(path) = &arguments.arrow {
        let output = crate::cli::arguments::Output::at(path.clone(), arguments.force);
        let sink = Sink::open(&output, input, |path| Ok(path.to_owned()), true)?;
        return Ok(Box::new(arrow::ArrowSheet::new(sink)?));
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
    let out = BufWriter::new(Sink::Standard(standard::output()?));
    Ok(Box::new(TextSheet::new(out, layout, columns)?))
}
