//! `plyzip protect`

use std::path::PathBuf;

use clap::Args;

use super::cat::{checked, copy_of_checked};
use crate::cli::arguments::{Recovery, Verbosity};
use crate::cli::files::{Input, OpenFile, Protecting, Sink, at};
use crate::cli::shown::tell;
use plyzip::archive::{ProtectedState, Repair};
use plyzip::{Error, Result};

/// `plyzip protect`
#[derive(Debug, Clone, Args)]
pub struct ProtectArguments {
    /// The archive; a file
    #[arg(value_name = "ARCHIVE")]
    pub input: PathBuf,
    /// Parity of SHARE of the archive, 0.1% to 100%, but at least 64 bytes; `none` takes a record away
    #[arg(long, value_name = "SHARE", default_value = "1%")]
    pub recovery: Recovery,
}

/// Gives an archive a recovery record, in the place of those that it has.
pub(super) fn run(arguments: &ProtectArguments, verbosity: Verbosity) -> Result<()> {
    let path = &arguments.input;
    let mut archive = Input::open(path)?;
    let length = checked(&mut archive, None)?;
    let sink = Sink::in_place_of(&archive)?;
    let mut sink = Protecting::new(sink, arguments.recovery);
    copy_of_checked(&mut archive, length, &mut sink, false, None)?;
    let (mut sink, bytes) = sink.finish()?;
    sink.sync()?;
    if bytes > 0 {
        verify(&mut sink)?;
    }
    let Some(_claim) = archive.regular().and_then(OpenFile::claim) else {
        return Err(at(path, &std::io::Error::other("changed while it was read")));
    };
    sink.commit()?;
    if !verbosity.quiet {
        tell(&match bytes {
            0 => format!("{}: has no recovery record now", path.display()),
            bytes => format!("{}: recovery record of {bytes} bytes", path.display()),
        });
    }
    Ok(())
}

/// Makes sure that the record is that of the archive which was written.
fn verify(sink: &mut Sink) -> Result<()> {
    let Some(file) = sink.read_back()? else { return Ok(()) };
    let repair = Repair::examine(file)?;
    match repair.protected() {
        [protected] if protected.state == ProtectedState::Sound => Ok(()),
        _ => Err(Error::Verification("the recovery record is not that of the archive".into())),
    }
}
