//! Settings from the environment, which take precedence over those in the code.

use std::ffi::OsString;
use std::num::NonZero;
use std::str::FromStr;
use std::sync::OnceLock;

use mazurka_core::search::CutOffOrder;
use mazurka_report::{A_DURATION, duration};

use super::{Incomplete, Settings};

/// Changes the settings according to the value of a variable. The error says what the value must be.
type Apply = fn(&mut Settings, &str) -> Result<(), String>;

const NUMBER: &str = "a number";

/// The variables that set something.
const VARIABLES: [(&str, Apply); 38] = [
    ("MAZURKA_ALGORITHM", |settings, value| {
        settings.algorithm = Some(value.parse().map_err(|error| format!("{error}"))?);
        Ok(())
    }),
    ("MAZURKA_MEMORY_MODEL", |settings, value| {
        settings.memory_model = value.parse().map_err(|error| format!("{error}"))?;
        Ok(())
    }),
    ("MAZURKA_COHERENCE", |settings, value| {
        settings.coherence = Some(parse(value, "`total` or `observed`")?);
        Ok(())
    }),
    ("MAZURKA_SYMMETRY", |settings, value| {
        settings.symmetry = Some(switch(value)?);
        Ok(())
    }),
    ("MAZURKA_MAX_EXECUTIONS", |settings, value| {
        settings.max_executions = Some(parse(value, NUMBER)?);
        Ok(())
    }),
    ("MAZURKA_MAX_DEPTH", |settings, value| {
        settings.max_depth = Some(parse(value, NUMBER)?);
        Ok(())
    }),
    ("MAZURKA_TIME_LIMIT", |settings, value| {
        settings.time_limit = Some(duration(value).ok_or_else(|| must_be(A_DURATION))?);
        Ok(())
    }),
    ("MAZURKA_PREEMPTION_BOUND", |settings, value| {
        settings.preemption_bound = Some(parse(value, "a number or `auto`")?);
        Ok(())
    }),
    ("MAZURKA_KEEP_GOING", |settings, value| {
        settings.keep_going = switch(value)?;
        Ok(())
    }),
    ("MAZURKA_INCOMPLETE", |settings, value| {
        settings.incomplete = Some(match value.trim() {
            "fail" => Incomplete::Fail,
            "warn" => Incomplete::Warn,
            _ => return Err(must_be("`fail` or `warn`")),
        });
        Ok(())
    }),
    ("MAZURKA_WORKERS", |settings, value| {
        settings.workers = Some(parse(value, "1 or more")?);
        Ok(())
    }),
    ("MAZURKA_CHECKPOINT", |settings, value| {
        settings.checkpoint = Some(value.into());
        Ok(())
    }),
    ("MAZURKA_CHECKPOINT_EVERY", |settings, value| {
        settings.checkpoint_every = Some(duration(value).ok_or_else(|| must_be(A_DURATION))?);
        Ok(())
    }),
    ("MAZURKA_CLUSTER", |settings, value| {
        settings.cluster = Some(value.to_owned());
        Ok(())
    }),
    ("MAZURKA_NATS_CREDS", |settings, value| {
        settings.nats.credentials = Some(value.into());
        Ok(())
    }),
    ("MAZURKA_NATS_NKEY", |settings, value| {
        settings.nats.nkey = Some(value.into());
        Ok(())
    }),
    ("MAZURKA_NATS_CA", |settings, value| {
        settings.nats.authorities = Some(value.into());
        Ok(())
    }),
    ("MAZURKA_NATS_CERT", |settings, value| {
        settings.nats.certificate = Some(value.into());
        Ok(())
    }),
    ("MAZURKA_NATS_KEY", |settings, value| {
        settings.nats.key = Some(value.into());
        Ok(())
    }),
    ("MAZURKA_NATS_REPLICAS", |settings, value| {
        settings.nats.replicas = Some(parse(value, "1 or more")?);
        Ok(())
    }),
    ("MAZURKA_CUTOFFS", |settings, value| {
        settings.unfolding.cut_offs = switch(value)?;
        Ok(())
    }),
    ("MAZURKA_CUTOFF_ORDER", |settings, value| {
        settings.unfolding.order = match value.trim() {
            "size" => CutOffOrder::Size,
            "total" => CutOffOrder::Total,
            _ => return Err(must_be("`size` or `total`")),
        };
        Ok(())
    }),
    ("MAZURKA_CACHE", |settings, value| {
        settings.unfolding.cache = Some(parse(value, "a number of events")?);
        Ok(())
    }),
    ("MAZURKA_ALTERNATIVES", |settings, value| {
        let most: NonZero<usize> = parse(value, "1 or more")?;
        settings.unfolding.alternatives = Some(most.get());
        Ok(())
    }),
    ("MAZURKA_SAMPLES", |settings, value| {
        let samples: NonZero<u64> = parse(value, "1 or more")?;
        settings.sampling.samples = Some(samples.get());
        Ok(())
    }),
    ("MAZURKA_SEED", |settings, value| {
        settings.sampling.seed = parse(value, NUMBER)?;
        Ok(())
    }),
    ("MAZURKA_BUG_DEPTH", |settings, value| {
        let depth: NonZero<u32> = parse(value, "1 or more")?;
        settings.sampling.bug_depth = depth.get();
        Ok(())
    }),
    ("MAZURKA_SCOUT", |settings, value| {
        settings.no_scout = !switch(value)?;
        Ok(())
    }),
    ("MAZURKA_EXPLAIN", |settings, value| {
        settings.explain = Some(duration(value).ok_or_else(|| must_be(A_DURATION))?);
        Ok(())
    }),
    ("MAZURKA_HTML", |settings, value| {
        settings.html = Some(value.into());
        Ok(())
    }),
    ("MAZURKA_TREE", |settings, value| {
        settings.tree = Some(value.into());
        Ok(())
    }),
    ("MAZURKA_REPLAY", |settings, value| {
        settings.replay = Some(value.parse().map_err(|error| format!("{error}"))?);
        Ok(())
    }),
    ("MAZURKA_SPURIOUS_FAILURES", |settings, value| {
        settings.tuning.spurious_failures = switch(value)?;
        Ok(())
    }),
    ("MAZURKA_SPURIOUS_WAKEUPS", |settings, value| {
        settings.tuning.spurious_wakeups = switch(value)?;
        Ok(())
    }),
    ("MAZURKA_SPURIOUS_POLLS", |settings, value| {
        settings.tuning.spurious_polls = parse(value, "a number of polls")?;
        Ok(())
    }),
    ("MAZURKA_ALLOW_IDLE_RECEIVERS", |settings, value| {
        settings.tuning.allow_idle_receivers = switch(value)?;
        Ok(())
    }),
    ("MAZURKA_ALLOW_LEAKS", |settings, value| {
        settings.tuning.allow_leaks = switch(value)?;
        Ok(())
    }),
    ("MAZURKA_STACK_SIZE", |settings, value| {
        settings.tuning.stack_size = parse(value, "a number of bytes")?;
        Ok(())
    }),
];

/// Variables that other crates of Mazurka read: how a check is shown, and its own tests.
const OTHERS: [&str; 8] = [
    "MAZURKA_PROGRESS",
    "MAZURKA_REPORT_DIR",
    "MAZURKA_BOOK",
    "MAZURKA_DIFFERENTIAL",
    "MAZURKA_LONG",
    "MAZURKA_PROGRAMS",
    "MAZURKA_RANDOM",
    "MAZURKA_WRITE_RUNTIME",
];

/// Variables with this prefix are left to tests.
const OF_TESTS: &str = "MAZURKA_TEST_";

impl Settings {
    /// Returns these settings, changed by the variables of the environment.
    ///
    /// # Panics
    ///
    /// If a variable has an invalid value, or if a variable is not known.
    pub(crate) fn with_environment(self) -> Self {
        let variables = variables().iter().map(|(name, value)| {
            let name = name.to_string_lossy();
            let text = value.to_str().unwrap_or_else(|| panic!("{name}={value:?} is not Unicode"));
            (name, text)
        });
        self.with_variables(variables).unwrap_or_else(|complaint| panic!("{complaint}"))
    }

    fn with_variables<'a>(
        mut self,
        variables: impl Iterator<Item = (impl AsRef<str>, &'a str)>,
    ) -> Result<Self, String> {
        for (name, value) in variables {
            let name = name.as_ref();
            let Some((_, apply)) = VARIABLES.iter().find(|(known, _)| *known == name) else {
                if OTHERS.contains(&name) || name.starts_with(OF_TESTS) {
                    continue;
                }
                return Err(unknown(name));
            };
            if !value.trim().is_empty() {
                apply(&mut self, value).map_err(|error| format!("{name}={value}: {error}"))?;
            }
        }
        Ok(self)
    }
}

/// Says that a variable is not known, and which one may be meant.
fn unknown(name: &str) -> String {
    let ours = || VARIABLES.iter().map(|(known, _)| *known).chain(OTHERS.into_iter().take(2));
    let nearest = ours().min_by_key(|known| distance(known, name));
    match nearest.filter(|known| distance(known, name) <= MOST_MISTAKES) {
        Some(known) => {
            format!("the environment variable {name} is not known: do you mean {known}?")
        }
        None => {
            let all: Vec<_> = ours().collect();
            format!(
                "the environment variable {name} is not known. The variables of Mazurka are {}",
                all.join(", ")
            )
        }
    }
}

/// A name with more mistakes than these is not taken for another one.
const MOST_MISTAKES: usize = 4;

/// Returns how many letters must be inserted, removed or replaced to make one text the other.
fn distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, b) in other.bytes().enumerate() {
            let cost = (diagonal + usize::from(a != b)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = std::mem::replace(&mut row[j + 1], cost);
        }
    }
    row[other.len()]
}

/// Returns the variables whose names begin with `MAZURKA_`, as they were at the first check. Looking them
/// up again would take longer than a small check.
fn variables() -> &'static [(OsString, OsString)] {
    static VARIABLES: OnceLock<Vec<(OsString, OsString)>> = OnceLock::new();
    let is_ours =
        |(name, _): &(OsString, OsString)| name.as_encoded_bytes().starts_with(b"MAZURKA_");
    VARIABLES.get_or_init(|| std::env::vars_os().filter(is_ours).collect())
}

fn must_be(expected: &str) -> String {
    format!("this must be {expected}")
}

fn parse<T: FromStr>(value: &str, expected: &str) -> Result<T, String> {
    let digits = value.trim().replace('_', "");
    digits.parse().map_err(|_| must_be(expected))
}

fn switch(value: &str) -> Result<bool, String> {
    match value.trim().to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => Ok(true),
        "0" | "false" | "no" | "off" => Ok(false),
        _ => Err(must_be("`1` or `0` (or `true`, `yes`, `on`; `false`, `no`, `off`)")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    use mazurka_core::memory::MemoryModel;
    use mazurka_core::search::{Algorithm, PreemptionBound};

    fn with(name: &'static str, value: &'static str) -> Result<Settings, String> {
        Settings::default().with_variables([(name, value)].into_iter())
    }

    #[test]
    fn every_variable_is_heard() {
        let algorithm = with("MAZURKA_ALGORITHM", "naive").unwrap().algorithm;
        assert_eq!(algorithm, Some(Algorithm::Naive));
        let model = with("MAZURKA_MEMORY_MODEL", "rc11").unwrap().memory_model;
        assert_eq!(model, MemoryModel::Rc11);
        assert_eq!(with("MAZURKA_MAX_EXECUTIONS", "1_000").unwrap().max_executions, Some(1000));
        assert_eq!(with("MAZURKA_MAX_DEPTH", "9").unwrap().max_depth, Some(9));
        let bound = |value| with("MAZURKA_PREEMPTION_BOUND", value).unwrap().preemption_bound;
        assert_eq!(bound("2"), Some(PreemptionBound::AtMost(2)));
        assert_eq!(bound("auto"), Some(PreemptionBound::Auto));
        assert_eq!(with("MAZURKA_WORKERS", "4").unwrap().workers, NonZero::new(4));
        assert!(with("MAZURKA_WORKERS", "0").is_err());
        assert_eq!(with("MAZURKA_CHECKPOINT", "saved").unwrap().checkpoint, Some("saved".into()));
        let every = with("MAZURKA_CHECKPOINT_EVERY", "5s").unwrap().checkpoint_every;
        assert_eq!(every, Some(Duration::from_secs(5)));
        let cluster = with("MAZURKA_CLUSTER", "nats://a:4222").unwrap().cluster;
        assert_eq!(cluster.as_deref(), Some("nats://a:4222"));
        let nats = |name| with(name, "a/file").unwrap().nats;
        assert_eq!(nats("MAZURKA_NATS_CREDS").credentials, Some("a/file".into()));
        assert_eq!(nats("MAZURKA_NATS_NKEY").nkey, Some("a/file".into()));
        assert_eq!(nats("MAZURKA_NATS_CA").authorities, Some("a/file".into()));
        assert_eq!(nats("MAZURKA_NATS_CERT").certificate, Some("a/file".into()));
        assert_eq!(nats("MAZURKA_NATS_KEY").key, Some("a/file".into()));
        let replicas = with("MAZURKA_NATS_REPLICAS", "3").unwrap().nats.replicas;
        assert_eq!(replicas, NonZero::new(3));
        assert!(with("MAZURKA_KEEP_GOING", "yes").unwrap().keep_going);
        let incomplete = with("MAZURKA_INCOMPLETE", "warn").unwrap().incomplete;
        assert_eq!(incomplete, Some(Incomplete::Warn));
        assert!(with("MAZURKA_INCOMPLETE", "yes").is_err());
        assert!(with("MAZURKA_SPURIOUS_FAILURES", "1").unwrap().tuning.spurious_failures);
        assert!(with("MAZURKA_SPURIOUS_WAKEUPS", "on").unwrap().tuning.spurious_wakeups);
        assert_eq!(with("MAZURKA_SPURIOUS_POLLS", "2").unwrap().tuning.spurious_polls, 2);
        assert!(with("MAZURKA_ALLOW_LEAKS", "1").unwrap().tuning.allow_leaks);
        assert!(with("MAZURKA_ALLOW_IDLE_RECEIVERS", "1").unwrap().tuning.allow_idle_receivers);
        assert_eq!(with("MAZURKA_STACK_SIZE", "65536").unwrap().tuning.stack_size, 65536);
        assert!(!with("MAZURKA_CUTOFFS", "0").unwrap().unfolding.cut_offs);
        let order = with("MAZURKA_CUTOFF_ORDER", "total").unwrap().unfolding.order;
        assert_eq!(order, CutOffOrder::Total);
        assert_eq!(with("MAZURKA_CACHE", "10").unwrap().unfolding.cache, Some(10));
        assert_eq!(with("MAZURKA_ALTERNATIVES", "2").unwrap().unfolding.alternatives, Some(2));
        assert!(with("MAZURKA_ALTERNATIVES", "0").is_err());
        assert_eq!(with("MAZURKA_SAMPLES", "500").unwrap().sampling.samples, Some(500));
        assert_eq!(with("MAZURKA_SEED", "7").unwrap().sampling.seed, 7);
        assert_eq!(with("MAZURKA_BUG_DEPTH", "2").unwrap().sampling.bug_depth, 2);
        assert!(with("MAZURKA_SCOUT", "0").unwrap().no_scout);
        assert_eq!(with("MAZURKA_EXPLAIN", "0").unwrap().explain, Some(Duration::ZERO));
        assert_eq!(with("MAZURKA_HTML", "pages").unwrap().html, Some("pages".into()));
        assert_eq!(with("MAZURKA_TREE", "trees").unwrap().tree, Some("trees".into()));
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

    #[test]
    fn a_misspelt_variable_is_refused_with_the_right_one() {
        for (name, right) in [
            ("MAZURKA_ALGORITM", "MAZURKA_ALGORITHM"),
            ("MAZURKA_MAXDEPTH", "MAZURKA_MAX_DEPTH"),
            ("MAZURKA_KEEPGOING", "MAZURKA_KEEP_GOING"),
            ("MAZURKA_REPORT_DIRECTORY", "MAZURKA_ALGORITHM, "),
            ("MAZURKA_REPORT_DIRS", "MAZURKA_REPORT_DIR"),
        ] {
            let complaint = with(name, "1").unwrap_err();
            assert!(complaint.contains(name) && complaint.contains(right), "{complaint}");
        }
        assert!(with("MAZURKA_TEST_SEEDS", "7").is_ok() && with("MAZURKA_SEED", "7").is_ok());
    }

    #[test]
    fn distances_count_mistakes() {
        assert_eq!(distance("depth", "depth"), 0);
        assert_eq!(distance("depth", "dept"), 1);
        assert_eq!(distance("depth", "deptth"), 1);
        assert_eq!(distance("depth", "death"), 1);
        assert_eq!(distance("", "abc"), 3);
    }
}
