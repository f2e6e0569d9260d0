//! `plyzip models`

mod add;
mod list;
mod released;

use clap::{Args, Subcommand};

use add::AddArguments;
pub(in crate::cli) use released::{Needed, Released};

use plyzip::Result;

use crate::cli::arguments::Verbosity;

/// `plyzip models`
#[derive(Debug, Clone, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct ModelsArguments {
    /// What to do; without it, the models are listed
    #[command(subcommand)]
    command: Option<ModelsCommand>,
    /// Print it as one line of JSON
    #[arg(long)]
    json: bool,
}

/// What `plyzip models` can do besides listing them.
#[derive(Debug, Clone, Subcommand)]
enum ModelsCommand {
    /// Copy a model's file to where it is found by its name
    ///
    /// Nothing is downloaded. A released model is known by its hash, and a file that has its name but not its hash is
    /// refused: it is another one, or damaged. Any other file has to be a model that computes exactly. It is copied to
    /// the folder plyzip in the user's data folder, and appears there only when it is complete.
    #[command(after_help = "\
Examples:
    plyzip models add max.onnx                 # from now on --best finds it
    plyzip models add bag.onnx --name club     # from now on --model club finds it")]
    Add(AddArguments),
}

/// Lists the available models, or does what the command says.
pub fn run(arguments: &ModelsArguments, verbosity: Verbosity) -> Result<()> {
    match &arguments.command {
        None => list::run(arguments.json, verbosity),
        Some(ModelsCommand::Add(arguments)) => add::run(arguments, verbosity),
    }
}
