//! Rows of whole files that are measured in a process each, whose memory is theirs alone.

use std::env;
use std::io::{self, Write};
use std::process::{Command, Stdio};

use plyzip::{Error, Result};

use super::row::{Report, Row};
use crate::cli::arguments::{Coding, Verbosity};

/// The row with this id on `bytes`, measured by another process of this program; `model` is the argument that names the
/// row's model, if it has one.
///
/// # Errors
/// [`Error::Io`] if the process cannot be started or gives no row.
pub fn measure(
    id: &str,
    model: Option<&str>,
    bytes: &[u8],
    coding: Coding,
    verbosity: Verbosity,
) -> Result<Row> {
    let mut process = Command::new(env::current_exe()?)
        .args(["compare", "-", "--json"])
        .arg(format!("--threads={}", coding.threads))
        .arg(format!("--only={id}"))
        .args(model.map(|model| format!("--models={model}")))
        .args(verbosity.arguments())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    if let Some(mut input) = process.stdin.take() {
        // A process that ends before it has read everything tells why itself. It prints nothing before it has.
        let _ = input.write_all(bytes);
    }
    let output = process.wait_with_output()?;
    let report = serde_json::from_slice(&output.stdout);
    let row = report.ok().and_then(|Report { mut rows, .. }| rows.pop());
    row.ok_or_else(|| {
        let status = output.status;
        Error::Io(io::Error::other(format!("{id}: the process that measures it failed, {status}")))
    })
}
