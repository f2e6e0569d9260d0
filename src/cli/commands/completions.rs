//! `plyzip completions`

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use plyzip::Result;

use crate::cli::Arguments;
use crate::cli::files::standard;

/// `plyzip completions`
#[derive(Debug, Clone, Args)]
pub struct CompletionsArguments {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

/// Prints what a shell has to know to complete words of the command line.
pub fn run(arguments: &CompletionsArguments) -> Result<()> {
    let mut script = vec![];
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "plyzip", &mut script);
    standard::print(&String::from_utf8_lossy(&script))
}
