//! Memory that a piece of work takes, as Linux counts it. Other systems have no count that can be set back, and so no
//! figure.

use std::fs;

/// What the process held before the work began.
#[derive(Debug, Clone, Copy)]
pub struct Memory {
    /// Bytes in memory; `None` where the system does not tell.
    before: Option<u64>,
}

impl Memory {
    /// All that the process holds now belongs to no work.
    pub fn before() -> Memory {
        Memory { before: bytes("VmRSS:") }
    }

    /// Nothing is known of work in a process that has done other work before, and may still hold memory of it.
    pub fn unknown() -> Memory {
        Memory { before: None }
    }

    /// Does `work`, and tells how many bytes more than before the process had in memory at its peak.
    pub fn peak_of<T>(self, work: impl FnOnce() -> T) -> (T, Option<u64>) {
        // proc_pid_clear_refs(5): 5 sets the peak (VmHWM) back to what the process holds.
        let fresh = fs::write("/proc/self/clear_refs", "5").is_ok();
        let done = work();
        let peak = if fresh { bytes("VmHWM:") } else { None };
        (done, peak.zip(self.before).map(|(peak, before)| peak.saturating_sub(before)))
    }
}

/// The bytes that `/proc/self/status` tells under `name`, there in units of 1,024.
fn bytes(name: &str) -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let units: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(units * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_peak_is_that_of_the_work_alone() {
        let touched = |len: usize| std::hint::black_box(vec![1_u8; len]);
        drop(touched(512 << 20));
        let memory = Memory::before();
        // Held until the peak is read, as tests of other threads set it back. They allocate, too.
        let (_held, peak) = memory.peak_of(|| touched(128 << 20));
        let peak = peak.unwrap();
        assert!((64 << 20..400 << 20).contains(&peak), "{peak}");
    }
}
