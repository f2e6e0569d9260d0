//! Rows of whole files that are measured in a process each, whose memory is theirs alone.

use std::env;
use std::io::{self, Write};
use std::process::{Command, Stdio};

use plyzip::{Error, Result};

use super::row::{Report, Row};
use crate::cli::arguments::{Coding, Verbosity};

/// The row with this id on `bytes`, measured by another process of this program; `model` is the argument that names the
/// row's model, if it has one. `None` if no other process can be started: WebAssembly has none, an emulator may not start
/// what it emulates, and a program that was replaced is not there any more. Nor can one be asked for an id with a comma.
///
/// # Errors
/// [`Error::Io`] if the process gives no row.
pub fn measure(
    id: &str,
    model: Option<&str>,
    bytes: &[u8],
    coding: Coding,
    verbosity: Verbosity,
) -> Result<Option<Row>> {
    let Ok(program) = env::current_exe() else { return Ok(None) };
    if id.contains(',') {
        return Ok(None);
    }
    let started = Command::new(program)
        .args(["compare", "-", "--json"])
        .arg(format!("--threads={}", coding.threads))
        .arg(format!("--only={id}"))
        .args(model.map(|model| format!("--models={model}")))
        .args(verbosity.arguments())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut process) = started else { return Ok(None) };
    if let Some(mut input) = process.stdin.take() {
        // A process that ends before it has read everything tells why itself. It prints nothing before it has.
        let _ = input.write_all(bytes);
    }
    let output = process.wait_with_output()?;
    let report = serde_json::from_slice(&output.stdout);
    let row = report.ok().and_then(|Report { mut rows, .. }| rows.pop());
    row.map(Some).ok_or_else(|| {
        let status = output.status;
        Error::Io(io::Error::other(format!("{id}: the process that measures it failed, {status}")))
    })
}
