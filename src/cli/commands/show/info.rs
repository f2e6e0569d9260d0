//! `plyzip info`

use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use clap::Args;
use plyzip::Result;
use plyzip::archive::{AllGames, ArchiveReader, PgnGames};

use crate::cli::beside::Beside;
use crate::cli::each::each;
use crate::cli::exit::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::files::{
    Input, Kind, PgnSource, Unpacking, games_found, head, is_named_pgn, standard,
};
use crate::cli::report::{self, Checked};

/// `plyzip info`
#[derive(Debug, Clone, Args)]
pub struct InfoArguments {
    /// Archives, and PGN, plain or compressed by another program; of folders, all below them; `-` for standard input
    #[arg(value_name = "IN", required = true)]
    pub inputs: Vec<PathBuf>,
    /// Print each as one line of JSON
    #[arg(long)]
    pub json: bool,
}

/// Prints the figures of each file.
pub fn run(arguments: &InfoArguments) -> Result<ExitStatus, Failure> {
    let paths = games_found(&arguments.inputs)?;
    let several = paths.len() > 1;
    let mut first = true;
    each(&paths, |path| {
        let name = several.then(|| path.display().to_string());
        let text = of_file(path, name.as_deref(), arguments.json)?;
        if several && !arguments.json && !std::mem::take(&mut first) {
            standard::print("\n")?;
        }
        standard::print(&text)
    })
}

/// The figures of an archive, from its end or by reading all of it if the input cannot seek; or those of PGN. `name` is
/// printed, if there is one.
fn of_file(path: &Path, name: Option<&str>, json: bool) -> Result<String> {
    let mut input = Input::open(path)?;
    let head = head(&mut input)?;
    let is_pgn = matches!(Kind::of(&head), Kind::Pgn | Kind::Packed(_))
        || Kind::of(&head) == Kind::Other && is_named_pgn(path);
    if is_pgn {
        return PgnSource::of(input, head, Unpacking::Always)?.read(|pgn| {
            let mut plies = 0;
            let games = PgnGames::new(&mut *pgn).select(&AllGames).games(|_, game| {
                plies += game.plies() as u64;
                Ok(())
            })?;
            report::of_pgn(name, games, plies, pgn.bytes_read(), json)
        });
    }
    if input.length().is_none() {
        let summary = ArchiveReader::new(head.chain(input))?.skim()?;
        return match json {
            true => report::json(name, &summary, Checked::Sections, None),
            false => Ok(report::table(name, &summary, Checked::Sections)),
        };
    }
    input.seek(SeekFrom::Start(0))?;
    let (summary, index) = Beside::of(path, &mut input)?;
    if json {
        return report::json(name, &summary, Checked::Index, index.as_ref());
    }
    let mut text = report::table(name, &summary, Checked::Index);
    let index = index.map_or_else(|| "none".into(), |index| index.describe());
    report::row(&mut text, "index of moves", &index);
    Ok(text)
}
