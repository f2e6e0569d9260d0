//! Leaving nothing behind when the program is interrupted.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::unfinished::Unfinished;

/// The names of unfinished outputs that have one.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// From now on, a file that grows over the limit of the user's (`ulimit -f`) is an error of writing.
pub fn survive_limits() -> io::Result<()> {
    #[cfg(unix)]
    signals::survive_limits()?;
    Ok(())
}

/// Creates an unfinished output: from now on an interruption removes it before it ends the
/// program.
pub fn begin(create: impl FnOnce() -> io::Result<Unfinished>) -> io::Result<Unfinished> {
    #[cfg(any(unix, windows))]
    signals::watch()?;
    let mut unfinished = lock();
    let file = create()?;
    unfinished.extend(file.path().map(Path::to_owned));
    Ok(file)
}

/// Has `finish` put the unfinished output in place or remove it, and is not interrupted.
pub fn end<T>(file: Unfinished, finish: impl FnOnce(Unfinished) -> T) -> T {
    let mut unfinished = lock();
    let name = file.path().map(Path::to_owned);
    let result = finish(file);
    unfinished.retain(|other| Some(other) != name.as_ref());
    result
}

fn lock() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes what is unfinished, and ends the program with the status of an interruption.
#[cfg(any(unix, windows))]
fn end_program(status: i32) -> ! {
    // Held until the program is gone, so that no output is put in place after this.
    let unfinished = lock();
    for path in &*unfinished {
        let _ = std::fs::remove_file(path);
    }
    std::process::exit(status)
}

#[cfg(unix)]
mod signals {
    use std::sync::atomic::AtomicBool;
    use std::sync::{Arc, OnceLock};
    use std::{fs, io, thread};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};
    use signal_hook::flag;
    use signal_hook::iterator::Signals;

    static WATCHING: OnceLock<()> = OnceLock::new();

    /// Has somebody take the signal of a file that grows over the limit: then it does not end the program, but writing
    /// fails.
    pub fn survive_limits() -> io::Result<()> {
        flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))).map(drop)
    }

    /// Starts the thread that waits for signals, once.
    pub fn watch() -> io::Result<()> {
        if WATCHING.set(()).is_err() {
            return Ok(());
        }
        let mut signals = Signals::new(fatal())?;
        thread::Builder::new().name("signals".into()).spawn(move || {
            if let Some(signal) = signals.forever().next() {
                super::end_program(128 + signal);
            }
        })?;
        Ok(())
    }

    /// The signals that end the program: of those that can be caught and mean to, all but the ones that it was started
    /// to ignore, as `nohup` does.
    fn fatal() -> Vec<i32> {
        let mask = ignored();
        // Where nobody knows what is ignored, `nohup` counts more than a file that is left behind.
        let mask = mask.unwrap_or(bit(SIGHUP) | bit(SIGQUIT));
        let all = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU];
        all.into_iter().filter(|&signal| mask & bit(signal) == 0).collect()
    }

    /// A signal as Linux numbers the bits of a set.
    fn bit(signal: i32) -> u64 {
        1 << (signal - 1)
    }

    /// The set of signals that the program ignores, as Linux tells it.
    fn ignored() -> Option<u64> {
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(mask.trim(), 16).ok()
    }
}

/// Ctrl-C and Ctrl-Break, the console's window that is closed, and the end of the session.
#[cfg(windows)]
mod signals {
    use std::io;
    use std::sync::OnceLock;

    /// As of SIGINT: that of Ctrl-C cannot be told from the others.
    const INTERRUPTED: i32 = 130;

    static WATCHING: OnceLock<()> = OnceLock::new();

    /// Starts the thread that waits for them, once.
    pub fn watch() -> io::Result<()> {
        if WATCHING.set(()).is_err() {
            return Ok(());
        }
        ctrlc::set_handler(|| super::end_program(INTERRUPTED)).map_err(io::Error::other)
    }
}
