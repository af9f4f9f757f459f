//! The crates whose loom tests are run, and where Mazurka's verdict differs from loom's.

/// What all tests are compiled with. It is the same for all crates, so that they share a build; tokio's CI
/// sets all of these.
pub(super) const RUSTFLAGS: &str = "--cfg loom --cfg tokio_unstable -C debug-assertions";

/// A published crate that has tests for loom.
pub(super) struct Package {
    pub(super) name: &'static str,
    pub(super) version: &'static str,
    /// Its features.
    pub(super) features: &'static str,
    /// The `cfg` that turns its tests for loom on, if it is not `loom`. It is replaced by `loom`.
    pub(super) cfg: Option<&'static str>,
    /// The arguments of `cargo test` that select the tests.
    pub(super) target: &'static [&'static str],
    /// A part of the names of the tests that are for loom.
    pub(super) filter: &'static str,
    /// The dev-dependencies that the tests need. Others are not built.
    pub(super) needs: &'static [&'static str],
    /// The variables that its own CI sets, except for bounds on preemptions.
    pub(super) variables: &'static [(&'static str, &'static str)],
}

/// loom itself. Its tests are copied into a package of their own.
pub(super) const LOOM: Package = Package {
    name: "loom",
    version: "0.7.2",
    features: "futures",
    cfg: None,
    target: &["--tests"],
    filter: "",
    needs: &[],
    variables: &[],
};

/// A crate with tests for loom in `tests/loom.rs`.
const IN_FILE: Package = Package { features: "loom", target: &["--test", "loom"], ..LOOM };

pub(super) const PACKAGES: [Package; 8] = [
    LOOM,
    Package { name: "oneshot", version: "0.1.13", cfg: Some("oneshot_loom"), ..IN_FILE },
    Package { name: "event-listener", version: "5.4.2", needs: &["waker-fn"], ..IN_FILE },
    Package { name: "parking", version: "2.2.1", ..IN_FILE },
    Package { name: "concurrent-queue", version: "2.5.0", ..IN_FILE },
    Package { name: "left-right", version: "0.11.8", features: "", ..IN_FILE },
    Package { name: "haphazard", version: "0.1.8", features: "", ..IN_FILE },
    Package {
        name: "tokio",
        version: "1.54.1",
        features: "full,test-util",
        cfg: None,
        target: &["--lib"],
        filter: "loom_",
        needs: &["futures", "futures-test", "loom", "proptest", "tokio-test"],
        variables: &[("LOOM_MAX_BRANCHES", "10000")],
    },
];

/// A test that ends differently on Mazurka, and why.
pub(super) struct Difference {
    pub(super) package: &'static str,
    pub(super) test: &'static str,
    pub(super) why: &'static str,
}

/// The tests that are known to end differently.
pub(super) const DIFFERENCES: &[Difference] = &[
    Difference {
        package: "loom",
        test: "acq_rel",
        why: "needs an ordering that is weaker than SeqCst, and bounds preemptions",
    },
    Difference {
        package: "loom",
        test: "double_panic_at_branch_max",
        why: "counts yields as steps",
    },
];

/// Returns why a test ends differently, if that is known.
pub(super) fn difference(package: &str, test: &str) -> Option<&'static str> {
    let is_it = |known: &&Difference| known.package == package && known.test == test;
    DIFFERENCES.iter().find(is_it).map(|known| known.why)
}
