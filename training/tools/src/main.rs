//! The tools of the training: from games to all that networks are trained from, and the parts of models that are
//! counted or learned without Python.
//!
//! `expand` runs on machines that have nothing else, and so builds without plyzip and its dependencies to an
//! executable that needs no shared libraries:
//!
//! ```sh
//! RUSTFLAGS='-C target-feature=+crt-static' cargo build --release --target x86_64-unknown-linux-gnu \
//!     -p plyzip-training --no-default-features
//! ```
//!
//! The target must be named, or the flags reach procedural macros, which cannot be static.

#![forbid(unsafe_code)]

#[cfg(feature = "plyzip")]
mod commands;
mod expand;
mod packed;

use clap::{Parser, Subcommand};

/// Makes what plyzip's models are trained from and consist of
///
/// Numbers in files are little-endian. Moves are places in the canonical order of legal moves: by square of departure,
/// then of arrival, then promotion.
#[derive(Parser)]
#[command(version, propagate_version = true, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Expand(expand::Arguments),
    #[cfg(feature = "plyzip")]
    #[command(flatten)]
    Other(commands::Command),
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().command {
        Command::Expand(arguments) => expand::run(&arguments),
        #[cfg(feature = "plyzip")]
        Command::Other(command) => commands::run(&command),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    /// Among others, that no two arguments have one name.
    #[test]
    fn the_command_line_makes_sense() {
        super::Arguments::command().debug_assert();
    }
}
