//! Commands that do the same for several files.

use std::path::{Path, PathBuf};

use plyzip::Result;

use super::exit::ExitStatus;
use super::failure::Failure;

/// Does `work` for each of `inputs`. If there are several and it fails for one, that is told and the others are done
/// all the same; the status is that of the first failure.
///
/// # Errors
/// What `work` fails with if there is one input, or if standard output is closed.
pub(super) fn each(
    inputs: &[PathBuf],
    mut work: impl FnMut(&Path) -> Result<()>,
) -> Result<ExitStatus, Failure> {
    let mut status = ExitStatus::Success;
    for input in inputs {
        let Err(failure) = work(input).map_err(Failure::about(input)) else { continue };
        let of_failure = ExitStatus::of(&failure.error);
        if inputs.len() == 1 || of_failure == ExitStatus::BrokenPipe {
            return Err(failure);
        }
        failure.tell(None);
        if status == ExitStatus::Success {
            status = of_failure;
        }
    }
    Ok(status)
}
