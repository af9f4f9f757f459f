//! Processor time and memory of this process, where the system tells them.

use std::fs::read_to_string;
use std::time::Duration;

/// The time that this thread has run, which unlike the time on the wall does not depend on what else
/// the machine does.
pub(crate) fn cpu_time() -> Option<Duration> {
    let statistics = read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = statistics.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// The memory that this process has now, in bytes.
pub(crate) fn memory() -> Option<u64> {
    let statistics = read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statistics.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
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
