//! `plyzip repair`

use std::fs::File;
use std::io::{BufWriter, IntoInnerError, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::arguments::{Output, Verbosity};
use crate::cli::counted::counted;
use crate::cli::files::{Input, OpenFile, Sink, at};
use crate::cli::progress::Progress;
use crate::cli::shown::tell;
use crate::cli::watched::Watch;
use plyzip::archive::{ArchiveReader, Protected, ProtectedState, Repair};
use plyzip::{Error, Result};

/// `plyzip repair`
#[derive(Debug, Clone, Args)]
pub struct RepairArguments {
    /// The archive; a file
    #[arg(value_name = "ARCHIVE")]
    pub input: PathBuf,
    /// Write the repaired archive to OUT, and leave ARCHIVE as it is
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Replace OUT if it exists
    #[arg(short, long)]
    pub force: bool,
}

/// Makes good what is damaged in an archive, as far as its recovery record reaches.
pub(super) fn run(arguments: &RepairArguments, verbosity: Verbosity) -> Result<()> {
    let path = &arguments.input;
    let mut input = file(path)?;
    // How often its bytes are read depends on the damage.
    let progress = Progress::new(path, None, verbosity);
    let watch = Watch::new(&progress);
    let mut repair = Repair::examine(watch.reader(&mut input))?;
    if repair.protected().is_empty() {
        let what = "it has no recovery record, or nothing is left of it (plyzip protect adds one to a whole archive)";
        return Err(Error::damaged(what));
    }
    let beyond: Vec<Protected> = repair.beyond().cloned().collect();
    if repair.has_repairs() {
        let figures = repaired(repair.protected());
        let given = Input::open(path)?;
        let mut sink = match &arguments.output {
            Some(output) => {
                let output = Output::at(output.clone(), arguments.force);
                Sink::open(&output, &given, |path| Ok(path.to_owned()), true)?
            }
            None => Sink::in_place_of(&given)?,
        };
        let mut buffer = BufWriter::new(sink);
        repair.write_to(&mut buffer)?;
        sink = buffer.into_inner().map_err(IntoInnerError::into_error)?;
        drop(repair);
        progress.finish();
        sink.sync()?;
        // What is repaired has its hash; what is not protected may be damaged all the same.
        let rest = match sink.read_back()? {
            Some(file) if beyond.is_empty() => ArchiveReader::new(file)?.skim().err(),
            _ => None,
        };
        let claim = given.regular().and_then(OpenFile::claim);
        if arguments.output.is_none() && claim.is_none() {
            return Err(at(path, &std::io::Error::other("changed while it was read")));
        }
        sink.commit()?;
        drop(claim);
        if !verbosity.quiet {
            tell(&format!("{}: repaired, {figures}", path.display()));
        }
        if let Some(error) = rest {
            return Err(error);
        }
    } else if beyond.is_empty() {
        progress.finish();
        let rest = ArchiveReader::new(Input::open(path)?)?.skim();
        if !verbosity.quiet && rest.is_ok() {
            tell(&format!("{}: nothing is damaged", path.display()));
        }
        return rest.map(drop);
    }
    match beyond.iter().map(|protected| protected.longest_burst).max() {
        None => Ok(()),
        Some(burst) => Err(Error::damaged(format!(
            "it is damaged beyond repair: its record makes good up to {} in one piece; plyzip decompress --salvage writes what can be decoded",
            counted(burst, "byte")
        ))),
    }
}

/// The archive at `path`, which has to be a file.
fn file(path: &Path) -> Result<Input> {
    let input = Input::open(path)?;
    match input.length() {
        Some(_) => Ok(input),
        None => Err(Error::Usage("only an archive that is a file can be repaired".into())),
    }
}

/// A sentence that tells how much was wrong.
pub(super) fn repaired(protected: &[Protected]) -> String {
    let bytes = protected.iter().map(|protected| match protected.state {
        ProtectedState::Repaired(bytes) => bytes,
        _ => 0,
    });
    match bytes.sum() {
        0 => "bytes of the recovery record alone, or bytes that came in".into(),
        1 => "1 byte of the archive or of its parity was wrong".into(),
        bytes => format!("{bytes} bytes of the archive or of its parity were wrong"),
    }
}

/// A copy of the archive at `path` in which everything is made good that can be, and how much that was; `None` if that
/// is nothing. The copy is a file without a name.
pub(super) fn repaired_copy(path: &Path) -> Option<(File, String)> {
    let mut input = file(path).ok()?;
    let mut repair = Repair::examine(&mut input).ok()?;
    if !repair.has_repairs() {
        return None;
    }
    let figures = repaired(repair.protected());
    let mut copy = BufWriter::new(tempfile::tempfile().ok()?);
    repair.write_to(&mut copy).ok()?;
    copy.flush().ok()?;
    let mut copy = copy.into_inner().ok()?;
    std::io::Seek::rewind(&mut copy).ok()?;
    Some((copy, figures))
}

/// A sentence that tells how much damage the archive at `path` could bear; `None` without a record.
pub(super) fn what_it_bears(path: &Path) -> Option<String> {
    let mut input = file(path).ok()?;
    let repair = Repair::examine(&mut input).ok()?;
    let burst = repair.protected().iter().map(|protected| protected.longest_burst).min()?;
    let scattered = repair.protected().iter().map(|protected| protected.scattered_bytes).min()?;
    Some(format!(
        "its recovery record makes good up to {} of damage in one piece, or any {}",
        counted(burst, "byte"),
        counted(scattered, "single byte")
    ))
}
