//! The option about indexes of moves, and opening the one beside an archive.

use std::io::{Read, Seek};
use std::path::Path;

use clap::Args;

use crate::cli::arguments::Verbosity;
use crate::cli::shown::tell;
use plyzip::Error;
use plyzip::archive::{IndexedReader, MovesIndex};

/// Whether an index is used.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct IndexArguments {
    /// Take the moves from the archive itself, even if `plyzip index` has made an index of it
    #[arg(long, help_heading = "Options")]
    pub no_index: bool,
}

impl IndexArguments {
    /// The index beside the archive at `path`, if there is one that can be opened; if it cannot, that is told.
    pub(in crate::cli) fn open(
        self,
        path: Option<&Path>,
        verbosity: Verbosity,
    ) -> Option<MovesIndex> {
        let path = path.filter(|_| !self.no_index)?;
        let opened = MovesIndex::beside(path);
        opened.unwrap_or_else(|error| {
            tell_fault(path, verbosity, &what_is_wrong(error));
            None
        })
    }
}

/// Tells what was wrong with the index of an archive, if anything was.
pub(in crate::cli) fn tell_index<R: Read + Seek>(
    reader: &IndexedReader<R>,
    path: &Path,
    verbosity: Verbosity,
) {
    if let Some(fault) = reader.index_fault() {
        tell_fault(path, verbosity, fault);
    }
}

pub(in crate::cli) fn tell_fault(archive: &Path, verbosity: Verbosity, what: &str) {
    if !verbosity.quiet {
        let index = MovesIndex::path_beside(archive);
        tell(&format!("{}: passed over: {what} (plyzip index -f makes it anew)", index.display()));
    }
}

/// The message of an error that is an index's fault, which is no archive's.
pub(in crate::cli) fn what_is_wrong(error: Error) -> String {
    match error {
        Error::Damaged(what) | Error::Unsupported(what) | Error::Limit(what) => what,
        error => error.to_string(),
    }
}
