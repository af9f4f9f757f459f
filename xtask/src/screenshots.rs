//! `cargo xtask screenshots`: the pictures of pages in the book.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use crate::run;

/// A picture: its name, the arguments of `mazurka check`, the option that writes the page, the step to
/// show, the size of the window, and whether it is dark.
struct Picture {
    name: &'static str,
    check: &'static [&'static str],
    option: &'static str,
    address: &'static str,
    size: (u32, u32),
    is_dark: bool,
}

const PICTURES: [Picture; 4] = [
    Picture {
        name: "lost-update",
        check: &["examples/c/lost_update.c"],
        option: "--html",
        address: "#step-4",
        size: (1200, 660),
        is_dark: false,
    },
    Picture {
        name: "deadlock",
        check: &["examples/c/deadlock.c"],
        option: "--html",
        address: "#step-2",
        size: (1000, 620),
        is_dark: false,
    },
    Picture {
        name: "missed-notification",
        check: &["examples/cpp/missed_notification.cpp"],
        option: "--html",
        address: "#step-11",
        size: (1300, 760),
        is_dark: true,
    },
    Picture {
        name: "search-tree",
        check: &["programs/lastwrite.c", "-D", "N=3", "--algorithm", "optimal"],
        option: "--tree",
        address: "",
        size: (1000, 640),
        is_dark: false,
    },
];

/// Writes all pictures to `docs/screenshots`. `command` is the command to run, or `None` to build it.
pub(crate) fn screenshots(command: Option<&str>) -> ExitCode {
    let command = match command {
        Some(command) => PathBuf::from(command),
        None if !run::succeeds(&["build", "--quiet", "--release", "--package", "mazurka-cli"]) => {
            return ExitCode::FAILURE;
        }
        None => run::root().join("target/release/mazurka"),
    };
    match PICTURES.iter().try_for_each(|picture| take(&command, picture)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn take(command: &Path, picture: &Picture) -> Result<(), String> {
    let root = run::root();
    let page = root.join(format!("target/{}.html", picture.name));
    let mut check = Command::new(command);
    check.current_dir(&root).arg("check").args(picture.check).arg(picture.option).arg(&page);
    let output = check.output().map_err(|error| format!("{}: {error}", command.display()))?;
    if !page.exists() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let directory = root.join("docs/screenshots");
    std::fs::create_dir_all(&directory).map_err(|error| error.to_string())?;
    let file = directory.join(format!("{}.png", picture.name));
    let (width, height) = picture.size;
    let mut browser = Command::new("chromium");
    browser.args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]);
    browser.arg(format!("--user-data-dir={}", root.join("target/chromium").display()));
    browser.arg(format!("--window-size={width},{height}"));
    if picture.is_dark {
        browser.args(["--force-dark-mode", "--blink-settings=preferredColorScheme=0"]);
    }
    browser.arg(format!("--screenshot={}", file.display()));
    browser.arg(format!("file://{}{}", page.display(), picture.address));
    let status = browser.stdout(Stdio::null()).stderr(Stdio::null()).status();
    match status {
        Ok(status) if status.success() && file.exists() => {
            println!("{}", file.display());
            Ok(())
        }
        Ok(_) => Err(format!("chromium took no picture of {}", page.display())),
        Err(error) => Err(format!("chromium does not start: {error}. Install Debian's `chromium`")),
    }
}
