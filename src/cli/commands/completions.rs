//! `plyzip completions`

use clap::Args;
use clap_complete::Shell;
use plyzip::Result;

use crate::cli::files::standard;

/// `plyzip completions`
#[derive(Debug, Clone, Args)]
pub struct CompletionsArguments {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

/// Prints the script by which a shell completes words of the command line of `program`.
pub fn run(arguments: &CompletionsArguments, mut program: clap::Command) -> Result<()> {
    let mut script = vec![];
    clap_complete::generate(arguments.shell, &mut program, "plyzip", &mut script);
    standard::print(&String::from_utf8_lossy(&script))
}
