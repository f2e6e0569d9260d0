//! The command line; all of it is in [`plyzip::cli`].

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    plyzip::cli::main()
}
