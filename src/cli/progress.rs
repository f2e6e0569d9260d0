//! A progress bar on stderr, for work that takes long, when somebody may look.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::arguments::Verbosity;

/// Work on fewer bytes of PGN than this is done before anybody has read the bar.
const WORTH_SHOWING: u64 = 1 << 18;

/// How far a command has come.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    begun: Instant,
}

impl Progress {
    /// Progress through `length` bytes of PGN; `None` if nobody knows how many.
    pub fn new(length: Option<u64>, verbosity: Verbosity) -> Progress {
        let shown = !verbosity.quiet
            && io::stderr().is_terminal()
            && length.is_none_or(|length| length >= WORTH_SHOWING);
        let target =
            if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(length, target).with_style(style(length.is_some()));
        if shown {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Progress { bar, begun: Instant::now() }
    }

    /// Tells how many bytes of PGN and games are done.
    pub fn set(&self, bytes: u64, games: u64) {
        self.bar.set_position(bytes);
        let speed = games as f64 / self.begun.elapsed().as_secs_f64();
        self.bar.set_message(format!("{games} games, {speed:.0} games/s"));
    }

    /// Takes the bar away and returns the seconds since the beginning.
    pub fn finish(&self) -> f64 {
        self.bar.finish_and_clear();
        self.begun.elapsed().as_secs_f64()
    }
}

fn style(length_known: bool) -> ProgressStyle {
    let template = if length_known {
        "{spinner} [{bar:30}] {percent}%  {msg}  {decimal_bytes_per_sec}  {elapsed} (ETA {eta})"
    } else {
        "{spinner} {decimal_bytes}  {msg}  {decimal_bytes_per_sec}  {elapsed}"
    };
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
