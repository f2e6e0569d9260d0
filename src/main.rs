//! The program.

#![forbid(unsafe_code)]
// Nothing that a user gives makes it panic; tests may.
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)
)]

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
