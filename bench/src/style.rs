//! How times are written.

use std::time::Duration;

/// Writes a time with about three digits: `1.25 s`, `3.07 ms`.
pub(crate) fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds >= 1.0 {
        format!("{seconds:.2} s")
    } else if seconds >= 1e-3 {
        format!("{:.2} ms", seconds * 1e3)
    } else {
        format!("{:.1} µs", seconds * 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_unit_that_fits() {
        assert_eq!(duration(Duration::from_millis(1250)), "1.25 s");
        assert_eq!(duration(Duration::from_micros(3070)), "3.07 ms");
        assert_eq!(duration(Duration::from_nanos(1500)), "1.5 µs");
    }
}
