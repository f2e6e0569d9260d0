//! The command line.
//!
//! [`Arguments`] defines commands and options once; clap makes the parser and the help texts from it. Each command
//! has a file of its own. The other files hold steps that commands share: open the input, put the output in
//! place, show progress, print figures.

mod arguments;
mod compare;
mod compress;
mod decompress;
mod exit;
mod extract;
mod info;
mod input;
mod interrupt;
mod list;
mod models;
mod output;
mod progress;
mod report;
mod standard;
mod unfinished;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use rayon::ThreadPoolBuilder;

pub use arguments::{
    Arguments, Coding, Command, CompareArguments, CompressArguments, Decoding, DecompressArguments,
    ExtractArguments, Figure, GameNumbers, InfoArguments, ListArguments, ModelsArguments, Output,
    TestArguments, Verbosity,
};
pub use exit::ExitStatus;

use crate::{Error, Result};

/// The extension of archives.
const SUFFIX: &str = "plz";

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    ExitCode::from(run(&arguments) as u8)
}

/// Runs one command, prints errors on stderr, and returns the exit status.
pub fn run(arguments: &Arguments) -> ExitStatus {
    let done = |result: Result<()>| result.map(|()| ExitStatus::Success);
    let result = match &arguments.command {
        Command::Compress(command) => done(compress::run(command, arguments.verbosity)),
        Command::Decompress(command) => done(decompress::run(command, arguments.verbosity)),
        Command::Test(command) => done(decompress::test(command, arguments.verbosity)),
        Command::Info(command) => done(info::run(command)),
        Command::Extract(command) => extract::run(command),
        Command::List(command) => done(list::run(command)),
        Command::Compare(command) => done(compare::run(command)),
        Command::Models(command) => done(models::run(command, arguments.verbosity)),
    };
    let error = match result {
        Ok(status) => return status,
        Err(error) => error,
    };
    let status = ExitStatus::of(&error);
    if status != ExitStatus::BrokenPipe {
        // If not even stderr can be written to, the exit status has to tell.
        let _ = writeln!(io::stderr(), "plyzip: {}", explain(&error, arguments.command.input()));
    }
    status
}

/// The message for `error`. It begins with the file that the error is about: `input`, unless the error itself
/// names one.
fn explain(error: &Error, input: Option<&Path>) -> String {
    let about = |error: &Error| match input {
        Some(input) => format!("{}: {error}", input.display()),
        None => error.to_string(),
    };
    match error {
        Error::ModelMissing { hash: Some(_), .. } => {
            format!("{} (pass its file with --model PATH)", about(error))
        }
        Error::ModelMissing { hash: None, .. } => {
            format!("{error} (`plyzip models` lists those at hand; a model's file will do, too)")
        }
        Error::Damaged(_)
        | Error::Unsupported(_)
        | Error::Limit(_)
        | Error::Verification(_)
        | Error::Internal(_) => about(error),
        Error::Io(_) | Error::Model(_) | Error::Usage(_) => error.to_string(),
    }
}

/// Does `work` where the codec finds as many threads as asked for; one is the current thread.
fn with_threads<T: Send>(
    coding: Coding,
    original_bytes: Option<u64>,
    work: impl FnOnce() -> Result<T> + Send,
) -> Result<T> {
    let threads = coding.threads(original_bytes);
    let builder = || ThreadPoolBuilder::new().num_threads(threads);
    let pool = match threads {
        // The current thread may belong to a pool already.
        1 => builder().use_current_thread().build().or_else(|_| builder().build()),
        _ => builder().build(),
    };
    pool.map_err(|error| Error::Io(io::Error::other(error)))?.install(work)
}
