//! The command line.
//!
//! [`Arguments`] defines commands and options once; clap makes the parser and the help texts from it. Each command
//! has a file of its own, with its arguments. The other files hold what commands share: open the input, put the output
//! in place, show progress, print figures.

mod arguments;
mod bars;
mod beside;
mod command_line;
mod commands;
mod counted;
mod each;
mod exit;
mod failure;
mod files;
mod games;
mod names;
mod progress;
mod report;
mod short_forms;
mod shown;
mod svg;
mod threads;
mod watched;

use std::io::{self, Write};
use std::process::{self, ExitCode};
use std::{env, hint};

use command_line::{Arguments, definition};
use exit::ExitStatus;

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    keep_freed_memory();
    let arguments = match Arguments::of(env::args_os()) {
        Ok(arguments) => arguments,
        Err(error) => refuse(&error),
    };
    ExitCode::from(run(&arguments) as u8)
}

/// Ends the program with what clap says, a help text or an error. Errors repeat arguments, which may be names of files.
fn refuse(error: &clap::Error) -> ! {
    let text = error.render().to_string();
    let safe = shown::shown_lines(&text);
    if !error.use_stderr() || safe == text {
        error.exit();
    }
    let _ = io::stderr().lock().write_all(safe.as_bytes());
    process::exit(error.exit_code())
}

/// Has the allocator of glibc keep what is freed: models of a few hundred kilobytes are made and dropped for each page,
/// and memory that is given back to the system comes back as pages of zeros, one fault each. After this block is freed,
/// glibc takes larger ones than it from the system alone, and gives back only more than twice as much.
fn keep_freed_memory() {
    /// Just below the largest block that it still learns from.
    const LARGEST: usize = 31 << 20;
    drop(hint::black_box(Vec::<u8>::with_capacity(LARGEST)));
}

/// Runs one command, prints errors on stderr, and returns the exit status.
pub fn run(arguments: &Arguments) -> ExitStatus {
    let failure = match arguments.command.run(arguments.verbosity, definition) {
        Ok(status) => return status,
        Err(failure) => failure,
    };
    let status = ExitStatus::of(&failure.error);
    failure.tell(arguments.command.input());
    status
}
