//! Settings from the environment, which win over those in the code.

use std::ffi::OsString;
use std::num::NonZero;
use std::str::FromStr;
use std::sync::OnceLock;

use mazurka_core::search::CutOffOrder;
use mazurka_report::{A_DURATION, duration};

use super::Settings;

impl Settings {
    /// These settings with what the environment says.
    ///
    /// # Panics
    ///
    /// If a variable has a value that does not make sense.
    pub(crate) fn with_environment(self) -> Self {
        let ours = variables();
        if ours.is_empty() {
            return self;
        }
        let variable = |name: &str| {
            let (_, value) = ours.iter().find(|(known, _)| known == name)?;
            let value = value.to_str().unwrap_or_else(|| panic!("{name}={value:?} is not Unicode"));
            Some(value.to_owned())
        };
        self.with_variables(variable).unwrap_or_else(|complaint| panic!("{complaint}"))
    }

    fn with_variables(mut self, get: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let set = |name: &str| get(name).filter(|value| !value.trim().is_empty());
        const NUMBER: &str = "a number";
        if let Some(value) = set("MAZURKA_ALGORITHM") {
            self.algorithm =
                value.parse().map_err(|error| format!("MAZURKA_ALGORITHM={value}: {error}"))?;
        }
        if let Some(value) = set("MAZURKA_MAX_EXECUTIONS") {
            self.max_executions = Some(parse("MAZURKA_MAX_EXECUTIONS", &value, NUMBER)?);
        }
        if let Some(value) = set("MAZURKA_MAX_DEPTH") {
            self.max_depth = Some(parse("MAZURKA_MAX_DEPTH", &value, NUMBER)?);
        }
        if let Some(value) = set("MAZURKA_TIME_LIMIT") {
            let limit = duration(&value);
            self.time_limit =
                Some(limit.ok_or_else(|| refuse("MAZURKA_TIME_LIMIT", &value, A_DURATION))?);
        }
        if let Some(value) = set("MAZURKA_PREEMPTION_BOUND") {
            self.preemption_bound = Some(parse("MAZURKA_PREEMPTION_BOUND", &value, NUMBER)?);
        }
        if let Some(value) = set("MAZURKA_KEEP_GOING") {
            self.keep_going = switch("MAZURKA_KEEP_GOING", &value)?;
        }
        if let Some(value) = set("MAZURKA_WORKERS") {
            self.workers = Some(parse("MAZURKA_WORKERS", &value, "1 or more")?);
        }
        if let Some(value) = set("MAZURKA_CUTOFFS") {
            self.unfolding.cut_offs = switch("MAZURKA_CUTOFFS", &value)?;
        }
        if let Some(value) = set("MAZURKA_CUTOFF_ORDER") {
            self.unfolding.order = match value.trim() {
                "size" => CutOffOrder::Size,
                "total" => CutOffOrder::Total,
                _ => return Err(refuse("MAZURKA_CUTOFF_ORDER", &value, "`size` or `total`")),
            };
        }
        if let Some(value) = set("MAZURKA_CACHE") {
            self.unfolding.cache = Some(parse("MAZURKA_CACHE", &value, "a number of events")?);
        }
        if let Some(value) = set("MAZURKA_ALTERNATIVES") {
            let most: NonZero<usize> = parse("MAZURKA_ALTERNATIVES", &value, "1 or more")?;
            self.unfolding.alternatives = Some(most.get());
        }
        if let Some(value) = set("MAZURKA_REPLAY") {
            let schedule = value.parse().map_err(|error| format!("MAZURKA_REPLAY: {error}"))?;
            self.replay = Some(schedule);
        }
        if let Some(value) = set("MAZURKA_SPURIOUS_FAILURES") {
            self.tuning.spurious_failures = switch("MAZURKA_SPURIOUS_FAILURES", &value)?;
        }
        if let Some(value) = set("MAZURKA_SPURIOUS_WAKEUPS") {
            self.tuning.spurious_wakeups = switch("MAZURKA_SPURIOUS_WAKEUPS", &value)?;
        }
        if let Some(value) = set("MAZURKA_ALLOW_IDLE_RECEIVERS") {
            self.tuning.allow_idle_receivers = switch("MAZURKA_ALLOW_IDLE_RECEIVERS", &value)?;
        }
        if let Some(value) = set("MAZURKA_STACK_SIZE") {
            let expected = "a number of bytes";
            self.tuning.stack_size = parse("MAZURKA_STACK_SIZE", &value, expected)?;
        }
        Ok(self)
    }
}

/// The variables that may be for us, as they were at the first check: to look each of them up again
/// would take longer than many a check.
fn variables() -> &'static [(OsString, OsString)] {
    static VARIABLES: OnceLock<Vec<(OsString, OsString)>> = OnceLock::new();
    let is_ours =
        |(name, _): &(OsString, OsString)| name.as_encoded_bytes().starts_with(b"MAZURKA_");
    VARIABLES.get_or_init(|| std::env::vars_os().filter(is_ours).collect())
}

fn refuse(name: &str, value: &str, expected: &str) -> String {
    format!("{name}={value}: this must be {expected}")
}

fn parse<T: FromStr>(name: &str, value: &str, expected: &str) -> Result<T, String> {
    let digits = value.trim().replace('_', "");
    digits.parse().map_err(|_| refuse(name, value, expected))
}

fn switch(name: &str, value: &str) -> Result<bool, String> {
    match value.trim().to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => Ok(true),
        "0" | "false" | "no" | "off" => Ok(false),
        _ => Err(refuse(name, value, "`1` or `0` (or `true`, `yes`, `on`; `false`, `no`, `off`)")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    use mazurka_core::search::Algorithm;

    fn with(name: &'static str, value: &'static str) -> Result<Settings, String> {
        Settings::default().with_variables(|asked| (asked == name).then(|| value.to_owned()))
    }

    #[test]
    fn every_variable_is_heard() {
        assert_eq!(with("MAZURKA_ALGORITHM", "naive").unwrap().algorithm, Algorithm::Naive);
        assert_eq!(with("MAZURKA_MAX_EXECUTIONS", "1_000").unwrap().max_executions, Some(1000));
        assert_eq!(with("MAZURKA_MAX_DEPTH", "9").unwrap().max_depth, Some(9));
        assert_eq!(with("MAZURKA_PREEMPTION_BOUND", "2").unwrap().preemption_bound, Some(2));
        assert_eq!(with("MAZURKA_WORKERS", "4").unwrap().workers, NonZero::new(4));
        assert!(with("MAZURKA_WORKERS", "0").is_err());
        assert!(with("MAZURKA_KEEP_GOING", "yes").unwrap().keep_going);
        assert!(with("MAZURKA_SPURIOUS_FAILURES", "1").unwrap().tuning.spurious_failures);
        assert!(with("MAZURKA_SPURIOUS_WAKEUPS", "on").unwrap().tuning.spurious_wakeups);
        assert!(with("MAZURKA_ALLOW_IDLE_RECEIVERS", "1").unwrap().tuning.allow_idle_receivers);
        assert_eq!(with("MAZURKA_STACK_SIZE", "65536").unwrap().tuning.stack_size, 65536);
        assert!(!with("MAZURKA_CUTOFFS", "0").unwrap().unfolding.cut_offs);
        let order = with("MAZURKA_CUTOFF_ORDER", "total").unwrap().unfolding.order;
        assert_eq!(order, CutOffOrder::Total);
        assert_eq!(with("MAZURKA_CACHE", "10").unwrap().unfolding.cache, Some(10));
        assert_eq!(with("MAZURKA_ALTERNATIVES", "2").unwrap().unfolding.alternatives, Some(2));
        assert!(with("MAZURKA_ALTERNATIVES", "0").is_err());
        let replay = with("MAZURKA_REPLAY", "0x2-1").unwrap().replay.unwrap();
        assert_eq!(replay.steps().len(), 3);
    }

    #[test]
    fn times_have_units() {
        for (text, milliseconds) in [("2", 2000), ("90s", 90_000), ("5m", 300_000), ("10ms", 10)] {
            let limit = with("MAZURKA_TIME_LIMIT", text).unwrap().time_limit;
            assert_eq!(limit, Some(Duration::from_millis(milliseconds)), "{text}");
        }
    }

    #[test]
    fn a_bad_value_is_refused_with_what_is_allowed() {
        let complaint = with("MAZURKA_TIME_LIMIT", "soon").unwrap_err();
        assert!(complaint.contains("MAZURKA_TIME_LIMIT=soon"), "{complaint}");
        assert!(complaint.contains("`5m`"), "{complaint}");
        let complaint = with("MAZURKA_ALGORITHM", "magic").unwrap_err();
        assert!(complaint.contains("optimal"), "{complaint}");
        let complaint = with("MAZURKA_KEEP_GOING", "maybe").unwrap_err();
        assert!(complaint.contains("`1` or `0`"), "{complaint}");
        assert!(with("MAZURKA_MAX_DEPTH", "-1").is_err());
    }
}
