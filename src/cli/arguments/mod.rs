//! The options and help texts of the command line that all commands, or some of them, have in common.

mod coding;
mod filter;
mod index;
mod limits;
mod model_choice;
mod recovery;
mod short_forms;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser};

pub use coding::Coding;
pub(super) use filter::FILTERS;
pub use filter::FilterArguments;
pub use index::IndexArguments;
pub(in crate::cli) use index::{tell_fault, tell_index, what_is_wrong};
pub use limits::LimitArguments;
pub use model_choice::ModelChoice;
pub use recovery::Recovery;

use super::commands::Command;

/// Lossless compression of chess archives in PGN
///
/// A neural network predicts the moves, an entropy coder stores the surprise. Any
/// input comes back byte for byte; what is no PGN is kept as text.
#[derive(Debug, Clone, Parser)]
#[command(version, propagate_version = true, arg_required_else_help = true)]
#[command(after_help = "\
Examples:
    plyzip compress games.pgn            writes games.pgn.plz; --rm deletes games.pgn
    plyzip test games.pgn.plz            decodes and checks it, writes nothing
    plyzip decompress games.pgn.plz      writes games.pgn; -f replaces one that is there
    plyzip compress games.pgn.gz         writes games.pgn.plz, with the PGN inside

As with gzip, xz and zstd:
    plyzip games.pgn                     compress; the options are those of plyzip compress
    plyzip -d games.pgn.plz              decompress; -t is test, -l is info
    plyzip -dc games.pgn.plz             decompress to standard output

Exit status:
    0  all went well
    1  a file cannot be read or written, the output exists, a model is unusable,
       or plyzip has a defect
    2  the command line makes no sense
    3  the archive is damaged, unsupported or over the limits
    4  a model that the archive needs, or that --model names, is not at hand
  130  interrupted by SIGINT (129 by SIGHUP, 131 by SIGQUIT, 143 by SIGTERM)
  141  the reader of the output went away")]
pub struct Arguments {
    /// The command to run
    #[command(subcommand)]
    pub command: Command,
    /// How much to tell
    #[command(flatten)]
    pub verbosity: Verbosity,
}

impl Arguments {
    /// Reads a command line, the name of the program first.
    ///
    /// # Errors
    /// What clap says of a line that makes no sense, or that asks for help.
    pub fn of(line: impl IntoIterator<Item = OsString>) -> Result<Arguments, clap::Error> {
        Arguments::try_parse_from(short_forms::with_command(line))
    }
}

/// How much to tell on stderr.
#[derive(Debug, Clone, Copy, Args)]
pub struct Verbosity {
    /// Tell nothing but errors
    #[arg(short, long, global = true, conflicts_with = "verbose", display_order = 900)]
    pub quiet: bool,
    /// Tell more: the size of each stream of an archive, the folders searched for models
    #[arg(short, long, global = true, display_order = 901)]
    pub verbose: bool,
}

impl Verbosity {
    /// The same, but quiet `if` something else is shown.
    #[must_use]
    pub(super) fn quiet_if(self, condition: bool) -> Verbosity {
        Verbosity { quiet: self.quiet || condition, ..self }
    }
}

/// Where the output goes.
#[derive(Debug, Clone, Args)]
pub struct Output {
    /// Write to OUT, `-` for standard output [default: IN.plz to compress, IN without .plz to decompress, `-`
    /// if IN is `-`]
    #[arg(short = 'o', long = "output", value_name = "OUT")]
    pub path: Option<PathBuf>,
    /// Write to standard output, as `-o -` does
    #[arg(short = 'c', long = "stdout", conflicts_with = "path")]
    pub standard: bool,
    /// Replace OUT if it exists; write an archive even to a terminal
    #[arg(short, long)]
    pub force: bool,
}

impl Output {
    /// The output at `path`.
    pub fn at(path: PathBuf, force: bool) -> Output {
        Output { path: Some(path), standard: false, force }
    }

    /// Whether it was said where to, so that all inputs go there.
    pub fn is_given(&self) -> bool {
        self.path.is_some() || self.standard
    }
}

/// The files that a command works on, one after the other.
#[derive(Debug, Clone, Args)]
pub struct Inputs {
    /// The files, each of which gets an OUT of its own unless -o or -c says where to; `-` for standard input
    #[arg(value_name = "IN", required = true)]
    pub paths: Vec<PathBuf>,
    /// Of a folder, take all files below it that have the right name, in the order of their names; symbolic links
    /// below it are not followed
    #[arg(short, long)]
    pub recursive: bool,
}

/// What becomes of the input.
#[derive(Debug, Clone, Copy, Args)]
pub struct Keeping {
    /// Delete IN when OUT is complete and in place. IN stays if OUT is standard output or a device, and if something has
    /// changed it meanwhile, which is an error
    #[arg(long = "rm", overrides_with = "keep")]
    pub remove: bool,
    /// Keep IN, which is the default
    #[arg(short = 'k', long, overrides_with = "remove")]
    pub keep: bool,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use plyzip::archive::WriterOptions;

    #[test]
    fn the_definition_is_sound() {
        Arguments::command().debug_assert();
    }

    /// The words of a line as a shell would take them, if it has no quotes but single ones.
    fn words(line: &str) -> Vec<String> {
        let mut words = vec![];
        for (part, text) in line.split('\'').enumerate() {
            if part % 2 == 1 {
                words.push(text.to_owned());
            } else {
                words.extend(text.split_whitespace().map(String::from));
            }
        }
        words
    }

    #[test]
    fn commands_in_the_documents_are_understood() {
        let documents =
            [include_str!("../../../README.md"), include_str!("../../../docs/history.md")];
        for document in documents {
            let lines = document.lines().map(|line| line.split(" #").next().unwrap());
            let commands = lines
                .flat_map(|line| line.split(" && "))
                .filter(|line| line.starts_with("plyzip "));
            let mut understood = 0;
            for command in commands {
                let arguments = Arguments::of(words(command).into_iter().map(OsString::from));
                assert!(arguments.is_ok(), "{command}: {}", arguments.unwrap_err());
                understood += 1;
            }
            assert!(understood > 0);
        }
    }

    #[test]
    fn the_default_block_is_the_librarys() {
        let arguments = Arguments::try_parse_from(["plyzip", "compress", "in"]).unwrap();
        let Command::Compress(command) = arguments.command else { unreachable!() };
        assert_eq!(command.block_games, WriterOptions::default().block_games);
    }
}
