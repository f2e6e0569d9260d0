//! `plyzip man`

use clap::Args;
use clap_mangen::Man;
use plyzip::{Error, Result};

use crate::cli::files::standard;

/// `plyzip man`
#[derive(Debug, Clone, Args)]
pub struct ManArguments {
    /// A command, which has a page of its own; without one, the page of the program
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
}

/// Prints a page of the manual of `program`.
pub fn run(arguments: &ManArguments, mut program: clap::Command) -> Result<()> {
    // Names of commands begin with that of the program from then on.
    program.build();
    let command = match &arguments.command {
        None => program,
        Some(name) => {
            let none = || Error::Usage(format!("there is no command `{name}`"));
            program.find_subcommand(name).ok_or_else(none)?.clone()
        }
    };
    let mut page = vec![];
    let source = concat!("plyzip ", env!("CARGO_PKG_VERSION"));
    Man::new(command).source(source).render(&mut page)?;
    standard::print(&String::from_utf8_lossy(&page))
}
