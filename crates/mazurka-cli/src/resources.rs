//! Processor time, memory and children of this process, where the system tells them.

use std::fs::read_to_string;
use std::time::Duration;

/// Returns the processor time that all threads of this process have used together. Other processes hardly
/// affect it.
pub(crate) fn cpu_time() -> Option<Duration> {
    #[cfg(unix)]
    return Some(nix::time::ClockId::CLOCK_PROCESS_CPUTIME_ID.now().ok()?.into());
    #[cfg(not(unix))]
    None
}

/// The memory that this process has now, in bytes.
pub(crate) fn memory() -> Option<u64> {
    let statistics = read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statistics.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

/// Ends the processes that this one has started, and those that they have started, where the system tells them.
pub(crate) fn end_children() {
    #[cfg(unix)]
    for child in descendants("self") {
        let _ = nix::sys::signal::kill(child, nix::sys::signal::Signal::SIGKILL);
    }
}

/// Returns the processes that a process has started, directly and indirectly.
#[cfg(unix)]
fn descendants(process: &str) -> Vec<nix::unistd::Pid> {
    let mut all = Vec::new();
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten();
    for task in tasks.flatten() {
        let children = read_to_string(task.path().join("children")).unwrap_or_default();
        for child in children.split_whitespace() {
            all.extend(child.parse().map(nix::unistd::Pid::from_raw));
            all.extend(descendants(child));
        }
    }
    all
}

/// The memory of the machine, in bytes.
pub(crate) fn machine_memory() -> Option<u64> {
    let information = read_to_string("/proc/meminfo").ok()?;
    let line = information.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kib << 10)
}

/// The most memory that this process has had, in bytes.
pub(crate) fn peak_memory() -> Option<u64> {
    let status = read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kib << 10)
}

#[cfg(all(test, unix))]
mod tests {
    use nix::time::ClockId;

    use super::*;

    #[test]
    fn processor_time_includes_that_of_other_threads() {
        let before = cpu_time().unwrap();
        let own = || Duration::from(ClockId::CLOCK_THREAD_CPUTIME_ID.now().unwrap());
        let run = || while own() < Duration::from_millis(20) {};
        std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(run))));
        assert!(cpu_time().unwrap() - before >= Duration::from_millis(40));
    }
}
