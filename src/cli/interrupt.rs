//! Leaving nothing behind when the program is interrupted.

use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

/// The unfinished output, if there is one.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Creates the unfinished output: from now on an interruption removes it before it ends the
/// program.
pub fn begin(create: impl FnOnce() -> io::Result<NamedTempFile>) -> io::Result<NamedTempFile> {
    #[cfg(unix)]
    signals::watch()?;
    let mut unfinished = lock();
    let file = create()?;
    *unfinished = Some(file.path().to_owned());
    Ok(file)
}

/// Runs `finish`, which puts the unfinished output in place or removes it, and is not interrupted.
pub fn end<T>(finish: impl FnOnce() -> T) -> T {
    let mut unfinished = lock();
    let result = finish();
    *unfinished = None;
    result
}

fn lock() -> MutexGuard<'static, Option<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Signals are Unix. Elsewhere an interrupted program leaves its temporary file.
#[cfg(unix)]
mod signals {
    use std::sync::OnceLock;
    use std::{fs, io, process, thread};

    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    static WATCHING: OnceLock<()> = OnceLock::new();

    /// Starts the thread that waits for signals, once.
    pub fn watch() -> io::Result<()> {
        if WATCHING.set(()).is_err() {
            return Ok(());
        }
        let mut signals = Signals::new([SIGINT, SIGTERM])?;
        thread::Builder::new().name("signals".into()).spawn(move || {
            if let Some(signal) = signals.forever().next() {
                // Held until the program is gone, so that no output is put in place after this.
                let unfinished = super::lock();
                if let Some(path) = &*unfinished {
                    let _ = fs::remove_file(path);
                }
                process::exit(128 + signal);
            }
        })?;
        Ok(())
    }
}
