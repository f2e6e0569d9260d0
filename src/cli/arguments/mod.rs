//! The options and help texts of the command line that all commands, or some of them, have in common.

mod coding;
mod filter;
mod index;
mod limits;
mod model_choice;
mod reading;
mod recovery;

use std::path::PathBuf;

use clap::Args;

pub use coding::Coding;
pub(super) use filter::FILTERS;
pub use filter::FilterArguments;
pub use index::IndexArguments;
pub(in crate::cli) use index::{tell_fault, tell_index, what_is_wrong};
pub use limits::LimitArguments;
pub use model_choice::ModelChoice;
pub use reading::Reading;
pub use recovery::Recovery;

/// How much to tell on stderr.
#[derive(Debug, Clone, Copy, Args)]
pub struct Verbosity {
    /// Print errors only
    #[arg(short, long, global = true, conflicts_with = "verbose", display_order = 900)]
    pub quiet: bool,
    /// Print more: the size of each stream of an archive, the folders searched for models
    #[arg(short, long, global = true, display_order = 901)]
    pub verbose: bool,
}

impl Verbosity {
    /// The arguments that ask another process of this program for the same.
    pub(super) fn arguments(self) -> impl Iterator<Item = &'static str> {
        let arguments = [(self.quiet, "--quiet"), (self.verbose, "--verbose")];
        arguments.into_iter().filter_map(|(asked, argument)| asked.then_some(argument))
    }

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
