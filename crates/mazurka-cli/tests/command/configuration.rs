//! `mazurka.toml` and `mazurka init`.

use std::process::Command;

use crate::schema::assert_sarif;
use crate::{Said, Scratch, root, run};

/// Writes a configuration whose programs are those of the repository.
fn configuration(text: &str) -> Scratch {
    let programs = root().join("programs").canonicalize().unwrap();
    Scratch::new("mazurka.toml", &text.replace("PROGRAMS", &programs.display().to_string()))
}

const TWO: &str = r#"
[defaults]
algorithm = "optimal"

[check.fine]
files = ["PROGRAMS/lastwrite.c"]
define = ["N=3"]

[check.lost]
files = ["PROGRAMS/lost_update.c"]
keep-going = false
time-limit = "1m"
"#;

#[test]
fn all_checks_run() {
    let file = configuration(TWO);
    let xml = Scratch::new("report.xml", "");
    let line = format!(
        "check --all --json --config {} --junit {}",
        file.path().display(),
        xml.path().display()
    );
    let said = run(&line).expect(1);
    let all: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    let checks = all["checks"].as_array().unwrap();
    assert_eq!((&checks[0]["name"], &checks[1]["name"]), (&"fine".into(), &"lost".into()));
    assert_eq!(checks[0]["verdict"]["executions"], 6);
    assert_eq!(checks[0]["verdict"]["algorithm"], "optimal");
    assert_eq!(checks[1]["verdict"]["violations"][0]["kind"], "assertion");
    let xml = std::fs::read_to_string(xml.path()).unwrap();
    assert!(xml.contains("tests=\"2\" failures=\"1\" errors=\"0\""), "{xml}");
}

/// Each check has its own time limit, also in the middle of one step.
#[test]
fn the_time_limit_of_a_later_check() {
    let endless = Scratch::new(
        "endless.c",
        "int main(void) {\n    for (volatile unsigned i = 0;; i++);\n}\n",
    );
    let file = configuration(&format!(
        "[check.a]\nfiles = [\"PROGRAMS/lastwrite.c\"]\n\n[check.b]\nfiles = [\"{}\"]\n\
         time-limit = \"200ms\"\nmax-local-steps = 1000000000000000\n",
        endless.path().display()
    ));
    let said = run(&format!("check --all --config {}", file.path().display())).expect(3);
    for words in ["a: 3 executions", "endless.c: the time limit stopped the check"] {
        assert!(said.stderr.contains(words), "{}", said.all());
    }
}

/// A program that does not compile, between two that do.
const BROKEN: &str = r#"
[check.a-fine]
files = ["PROGRAMS/lastwrite.c"]
define = ["N=3"]

[check.b-broken]
files = ["PROGRAMS/lastwrite.c"]
define = ["N=three"]

[check.c-lost]
files = ["PROGRAMS/lost_update.c"]
"#;

#[test]
fn a_check_that_cannot_run_stops_no_other() {
    let file = configuration(BROKEN);
    let (xml, log) = (Scratch::new("report.xml", ""), Scratch::new("log.sarif", ""));
    let page = Scratch::new("page.html", "");
    let line = format!(
        "check --all --json --config {} --junit {} --sarif {} --html {}",
        file.path().display(),
        xml.path().display(),
        log.path().display(),
        page.path().display()
    );
    let said = run(&line).expect(2);
    assert!(said.stderr.contains("error: check `b-broken`: "), "{}", said.all());
    let all: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(all["checks"][0]["verdict"]["executions"], 3);
    let error = all["checks"][1]["error"].as_str().unwrap();
    assert!(error.contains("three"), "{error}");
    assert_eq!(all["checks"][2]["verdict"]["violations"][0]["kind"], "assertion");
    let xml = std::fs::read_to_string(xml.path()).unwrap();
    assert!(xml.contains("tests=\"3\" failures=\"1\" errors=\"1\""), "{xml}");
    assert!(xml.contains("name=\"b-broken\"") && xml.contains("<error type=\"error\""), "{xml}");
    let log = serde_json::from_str(&std::fs::read_to_string(log.path()).unwrap()).unwrap();
    assert_sarif(&log);
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    assert_eq!(invocation["toolExecutionNotifications"][0]["level"], "error");
    assert_eq!(log["runs"][0]["results"].as_array().unwrap().len(), 1);
    let page = std::fs::read_to_string(page.path()).unwrap();
    assert!(page.contains("b-broken: error: "), "no error on the page");
}

#[test]
fn a_check_that_cannot_run_has_a_line_for_editors_and_an_annotation() {
    let file = configuration(BROKEN);
    let line =
        format!("check --all --format short --annotations --config {}", file.path().display());
    let said = run(&line).expect(2);
    for line in ["b-broken: error: ", "::error title=Mazurka::b-broken: "] {
        assert!(said.stdout.lines().any(|said| said.starts_with(line)), "{}", said.all());
    }
    assert!(said.stdout.contains("lost_update.c:"), "{}", said.all());
}

#[test]
fn files_for_all_checks_are_no_options_of_one() {
    for key in ["junit", "sarif", "html", "dot", "svg"] {
        let one = format!("[check.a]\nfiles = [\"PROGRAMS/lastwrite.c\"]\n{key} = \"file\"");
        let file = configuration(&one);
        run(&format!("check --all --config {}", file.path().display()))
            .refuses(&[&format!("`{key}` is no option of a check")]);
    }
}

#[test]
fn the_command_line_takes_precedence() {
    let file = configuration(TWO);
    let line = format!("check fine --json -a naive --config {}", file.path().display());
    let said = run(&line).expect(0);
    assert_eq!(said.member("algorithm"), "naive");
    assert!(!said.stdout.contains("lost"), "{}", said.all());
}

#[test]
fn mistakes_are_explained() {
    let refuse = |text: &str, line: &str, words: &[&str]| {
        let file = configuration(text);
        run(&format!("check {line} --config {}", file.path().display())).refuses(words);
    };
    refuse(TWO, "", &["name the checks to run", "fine, lost"]);
    refuse(TWO, "missing", &["no check `missing`", "fine, lost"]);
    refuse("[check.a]\nfiles = []", "--all", &["check `a`", "`files` must be a list"]);
    let unknown = "[check.a]\nfiles = [\"PROGRAMS/lastwrite.c\"]\nalgoritm = \"optimal\"";
    refuse(unknown, "--all", &["`algoritm` is no option of a check"]);
    let bad = "[check.a]\nfiles = [\"PROGRAMS/lastwrite.c\"]\nalgorithm = \"magic\"";
    refuse(bad, "--all", &["check `a`", "magic"]);
    let switch = "[check.a]\nfiles = [\"PROGRAMS/lastwrite.c\"]\nkeep-going = 1";
    refuse(switch, "--all", &["`keep-going` must be `true` or `false`"]);
    refuse("", "--all", &["there are no checks"]);
    refuse("[checks.a]\n", "--all", &["no checks"]);
    run("check --all --config no-such-file.toml").refuses(&["no-such-file.toml", "mazurka init"]);
}

#[test]
fn init_writes_a_configuration_that_runs() {
    let file = Scratch::new("fine.c", "int main(void) { return 0; }\n");
    let directory = file.path().parent().unwrap();
    let run = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mazurka"));
        Said::of(&command.current_dir(directory).args(words).output().unwrap())
    };
    run(&["init"]).expect(0);
    let text = std::fs::read_to_string(directory.join("mazurka.toml")).unwrap();
    assert!(text.contains("[check.fine]\nfiles = [\"fine.c\"]"), "{text}");
    run(&["check", "--all"]).expect(0);
    assert!(run(&["init"]).expect(2).stderr.contains("is there already"));
}
