//! Progress of a command on stderr: a bar on a terminal, and elsewhere an estimate if it takes long.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, ProgressBar, ProgressDrawTarget, ProgressStyle};
use plyzip::archive;

use super::arguments::Verbosity;
use super::counted::counted;
use super::shown::tell;

/// Work on fewer bytes of PGN than this is done before anybody has read the bar.
const WORTH_SHOWING: u64 = 1 << 16;
/// How often it is looked at how far the work has come.
const TICK: Duration = Duration::from_millis(100);
/// Time after which the end of the work is estimated for those who see no bar, in seconds.
const WATCHED: f64 = 2.0;
/// Work that takes longer than this is announced with an estimate, in seconds.
const LONG: f64 = 60.0;

/// Progress of a command. Nothing is shown any more when it is dropped.
#[derive(Debug)]
pub struct Progress {
    work: archive::Progress,
    counts: Arc<Counts>,
    begun: Instant,
    watcher: Option<(Sender<()>, JoinHandle<()>)>,
}

/// Counts of the command itself.
#[derive(Debug, Default)]
struct Counts {
    /// Bytes of the original, 0 if nobody knows.
    total: AtomicU64,
    /// Bytes and plies that are done, if no writer or reader counts them.
    bytes: AtomicU64,
    plies: AtomicU64,
    /// Games of an archive that is searched or indexed, 0 if neither is.
    games: AtomicU64,
    /// Whether all pages are wanted, and nothing is searched for.
    indexed: AtomicBool,
    /// What is told with the estimate of long work.
    hint: OnceLock<&'static str>,
}

impl Progress {
    /// Progress through `length` bytes of PGN; `None` if nobody knows how many. `name` is that of the input.
    pub fn new(name: &Path, length: Option<u64>, verbosity: Verbosity) -> Progress {
        let work = archive::Progress::default();
        let counts = Counts { total: AtomicU64::new(length.unwrap_or(0)), ..Counts::default() };
        let counts = Arc::new(counts);
        let begun = Instant::now();
        let worth = !verbosity.quiet && length.is_none_or(|length| length >= WORTH_SHOWING);
        let watcher = worth.then(|| {
            let (work, counts, name) = (work.clone(), counts.clone(), name.display().to_string());
            let (stop, stopped) = channel::<()>();
            let watch = move || {
                let mut display = Display::new(name);
                while stopped.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                    let known = |count: &AtomicU64| count.load(Ordering::Relaxed);
                    let total = Some(known(&counts.total)).filter(|&total| total > 0);
                    display.hint = counts.hint.get().copied();
                    let games = known(&counts.games);
                    if games > 0 {
                        let finds = !counts.indexed.load(Ordering::Relaxed);
                        display.show_search(&work, games, finds);
                        continue;
                    }
                    match (work.original_bytes(), known(&counts.bytes)) {
                        // Single pages are decoded, or nothing is yet.
                        (0, 0) => display.show(0, work.codings(), None),
                        (0, bytes) if work.games_passed() > 0 => {
                            let (games, found) = (work.games_passed(), work.games_found());
                            let what = format!("{games} games, {found} found");
                            display.show_bytes(bytes, games, total, &what);
                        }
                        // Bytes of archives are read.
                        (0, bytes) if known(&counts.plies) == 0 => {
                            let what = format!("{} read", HumanBytes(bytes));
                            display.show_bytes(bytes, 0, total, &what);
                        }
                        (0, bytes) => display.show(bytes, known(&counts.plies), total),
                        (bytes, _) => display.show(bytes, work.plies(), total),
                    }
                }
                display.bar.finish_and_clear();
            };
            // Without a thread for it, nothing is shown.
            Some((stop, thread::Builder::new().name("progress".into()).spawn(watch).ok()?))
        });
        Progress { work, counts, begun, watcher: watcher.flatten() }
    }

    /// The counter that the library shall use.
    pub fn work(&self) -> &archive::Progress {
        &self.work
    }

    /// Says how many bytes of PGN there are, or may be.
    pub fn set_length(&self, length: Option<u64>) {
        self.counts.total.store(length.unwrap_or(0), Ordering::Relaxed);
    }

    /// Has `hint` told if the work takes long.
    pub fn set_hint(&self, hint: &'static str) {
        self.counts.hint.get_or_init(|| hint);
    }

    /// Says that all pages of an archive of so many games are decoded to index them.
    pub fn set_indexed_games(&self, games: u64) {
        self.counts.indexed.store(true, Ordering::Relaxed);
        self.set_games(games);
    }

    /// Says that an archive of so many games is searched.
    pub fn set_games(&self, games: u64) {
        self.counts.games.store(games, Ordering::Relaxed);
    }

    /// Says how many bytes of PGN and plies are done, if no writer or reader counts them.
    pub fn set(&self, bytes: u64, plies: u64) {
        self.counts.bytes.store(bytes, Ordering::Relaxed);
        self.counts.plies.store(plies, Ordering::Relaxed);
    }

    /// Takes the bar away and returns the seconds since the beginning.
    pub fn finish(self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((stop, watcher)) = self.watcher.take() {
            drop(stop);
            // If it has panicked, that is no reason for the work to fail.
            let _ = watcher.join();
        }
    }
}

/// What is shown.
struct Display {
    bar: ProgressBar,
    /// Of the input.
    name: String,
    pace: Pace,
    /// Whether the time was announced.
    told: bool,
    /// What is told with it.
    hint: Option<&'static str>,
}

impl Display {
    fn new(name: String) -> Display {
        // A terminal that cannot move its cursor has no place for a bar.
        let dumb = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
        let shown = io::stderr().is_terminal() && !dumb;
        let target =
            if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        Display { bar, name, pace: Pace::default(), told: false, hint: None }
    }

    /// How far a search of `games` games has come, or work on all of them, which `finds` nothing.
    fn show_search(&mut self, work: &archive::Progress, games: u64, finds: bool) {
        let passed = work.games_passed().min(games);
        self.pace.see(Instant::now(), passed, work.codings());
        let left = self.pace.seconds_left(games);
        if !self.bar.is_hidden() {
            let eta = left.map(|left| format!(", {} left", duration(left))).unwrap_or_default();
            let mut what = searched(work, passed, games);
            if finds {
                what += &format!(", {} found", counted(work.games_found(), "game"));
            }
            self.bar.set_style(style(true));
            self.bar.set_length(games);
            self.bar.set_position(passed);
            self.bar.set_message(format!("{what}{eta}"));
            self.bar.tick();
        }
        self.announce(left);
    }

    fn show(&mut self, bytes: u64, plies: u64, total: Option<u64>) {
        let rate = self.pace.plies_per_second();
        let rate = rate.map(|rate| format!(", {rate:.0} plies/s")).unwrap_or_default();
        self.show_bytes(bytes, plies, total, &format!("{plies} plies{rate}"));
    }

    /// How far work on bytes has come; `units` of something else are done, too, of which `what` tells.
    fn show_bytes(&mut self, bytes: u64, units: u64, total: Option<u64>, what: &str) {
        self.pace.see(Instant::now(), bytes, units);
        let left = total.and_then(|total| self.pace.seconds_left(total));
        if !self.bar.is_hidden() {
            let eta = left.map(|left| format!(", {} left", duration(left))).unwrap_or_default();
            self.bar.set_style(style(total.is_some()));
            self.bar.set_length(total.unwrap_or(0).max(bytes));
            self.bar.set_position(bytes);
            self.bar.set_message(format!("{what}{eta}"));
            self.bar.tick();
        }
        self.announce(left);
    }

    /// Tells once how long it will take, if it is long and there is no bar, and what else there is to tell then.
    fn announce(&mut self, left: Option<f64>) {
        let Some(left) = left.filter(|_| !self.told && self.pace.watched() >= WATCHED) else {
            return;
        };
        self.told = true;
        let all = self.pace.watched() + left;
        if all <= LONG {
            return;
        }
        match (self.bar.is_hidden(), self.hint) {
            (true, None) => tell(&format!("{}: will take about {}", self.name, duration(all))),
            (true, Some(hint)) => {
                tell(&format!("{}: will take about {}; {hint}", self.name, duration(all)));
            }
            // The bar says how long it will take.
            (false, Some(hint)) => self.bar.suspend(|| tell(&format!("{}: {hint}", self.name))),
            (false, None) => {}
        }
    }
}

/// How far a search of `games` games has come, of which `passed` are passed, in words: in pages, if any are wanted.
fn searched(work: &archive::Progress, passed: u64, games: u64) -> String {
    let (done, wanted, looked) =
        (work.pages_done(), work.pages_wanted(), work.games_looked_into().min(games));
    let mut text = match wanted {
        0 => format!("game {passed} of {games}"),
        _ if looked == games => format!("{done} of {}", counted(wanted, "page")),
        // The rest may have as many.
        _ => {
            let all = u128::from(wanted) * u128::from(games) / u128::from(looked.max(1));
            format!("{done} of about {all} pages")
        }
    };
    if work.codings() > 0 {
        text += &format!(", {} plies", work.codings());
    }
    text
}

/// How fast the work goes, since its first ply.
#[derive(Debug, Default)]
struct Pace {
    /// When there was something done for the first time, and what.
    first: Option<Seen>,
    last: Option<Seen>,
}

#[derive(Debug, Clone, Copy)]
struct Seen {
    at: Instant,
    bytes: u64,
    plies: u64,
}

impl Pace {
    fn see(&mut self, at: Instant, bytes: u64, plies: u64) {
        if (bytes, plies) == (0, 0) {
            return;
        }
        let seen = Seen { at, bytes, plies };
        self.first.get_or_insert(seen);
        self.last = Some(seen);
    }

    /// Seconds from the first ply on, and what was done in them.
    fn done(&self) -> Option<(f64, u64, u64)> {
        let (first, last) = (self.first?, self.last?);
        let seconds = last.at.duration_since(first.at).as_secs_f64();
        let bytes = last.bytes.saturating_sub(first.bytes);
        let plies = last.plies.saturating_sub(first.plies);
        (seconds > 0.0 && (bytes, plies) != (0, 0)).then_some((seconds, bytes, plies))
    }

    fn watched(&self) -> f64 {
        self.done().map_or(0.0, |(seconds, ..)| seconds)
    }

    fn plies_per_second(&self) -> Option<f64> {
        self.done().map(|(seconds, _, plies)| plies as f64 / seconds)
    }

    fn seconds_left(&self, total: u64) -> Option<f64> {
        let (seconds, bytes, _) = self.done().filter(|&(_, bytes, _)| bytes > 0)?;
        let left = total.saturating_sub(self.last?.bytes);
        Some(left as f64 * seconds / bytes as f64)
    }
}

/// So many seconds in words.
fn duration(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    let (minutes, hours) = (seconds.div_ceil(60), seconds / 3600);
    match seconds {
        0..=89 => format!("{seconds} s"),
        90..3600 => format!("{minutes} min"),
        _ => format!("{hours} h {} min", (seconds % 3600) / 60),
    }
}

fn style(length_known: bool) -> ProgressStyle {
    let template = if length_known {
        "{spinner} [{bar:30}] {percent}%  {elapsed}  {msg}"
    } else {
        "{spinner} {decimal_bytes}  {elapsed}  {msg}"
    };
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_foretold_from_the_first_ply_on() {
        let begun = Instant::now();
        let mut pace = Pace::default();
        let at = |seconds| begun + Duration::from_secs(seconds);
        // Reading what there is takes a while, and is not the pace.
        pace.see(at(0), 0, 0);
        pace.see(at(9), 0, 0);
        assert_eq!(pace.seconds_left(1000), None);
        pace.see(at(10), 10, 1);
        assert_eq!(pace.seconds_left(1000), None);
        pace.see(at(12), 30, 41);
        assert_eq!(pace.seconds_left(1030), Some(100.0));
        assert_eq!(pace.plies_per_second(), Some(20.0));
        // An estimate of the length may have been too low.
        assert_eq!(pace.seconds_left(20), Some(0.0));
    }

    #[test]
    fn durations_are_rounded() {
        for (seconds, words) in [
            (0.2, "0 s"),
            (89.4, "89 s"),
            (90.0, "2 min"),
            (120.0, "2 min"),
            (121.0, "3 min"),
            (3540.0, "59 min"),
            (3600.0, "1 h 0 min"),
            (9000.0, "2 h 30 min"),
        ] {
            assert_eq!(duration(seconds), words);
        }
    }
}
