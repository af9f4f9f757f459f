//! The page of `--html`, in a browser.
//!
//! A script is added to the page that presses keys and notes what it sees. Headless Chromium runs it
//! from a `file://` address, and prints the result. Without Chromium, the tests say so and pass.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

fn browser() -> Option<&'static str> {
    let runs = |name: &&str| {
        let mut command = Command::new(name);
        command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let found = BROWSERS.into_iter().find(runs);
    if found.is_none() {
        println!("skipped: there is no Chromium");
    }
    found
}

/// A directory that goes away.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("mazurka-page-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Checks a program and writes its page.
fn write_page(line: &str, path: &Path) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut command = Command::new(env!("CARGO_BIN_EXE_mazurka"));
    command.current_dir(root).args(line.split_whitespace()).arg("--html").arg(path);
    let output = command.output().unwrap();
    assert!(path.exists(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Opens a page in the browser at `address`, runs `script` there, and returns what that puts into
/// the object `seen`. The page must not have an error.
fn look(browser: &str, page: &Path, address: &str, script: &str) -> Value {
    let text = std::fs::read_to_string(page).unwrap();
    let before = "<head><script>const errors = [];\n\
                  window.addEventListener('error', (e) => errors.push(e.message));\n\
                  console.error = (...all) => errors.push(all.join(' '));</script>";
    let after = format!(
        "<script>const seen = {{}};\n\
         const key = (name) => document.dispatchEvent(new KeyboardEvent('keydown', {{ key: name }}));\n\
         const said = () => document.getElementById('announcer').textContent;\n\
         const cells = (kind) => Object.fromEntries([...document.querySelectorAll(\
         `table[data-kind=${{kind}}] tr`)].slice(1).map((tr) => [tr.cells[0].textContent, \
         [...tr.cells].slice(1).map((td) => td.textContent).join('|')]));\n\
         try {{ {script} }} catch (e) {{ errors.push(String(e.stack)); }}\n\
         document.body.innerHTML = '';\n\
         document.body.textContent = '[[' + btoa(unescape(encodeURIComponent(\
         JSON.stringify({{ seen, errors }})))) + ']]';</script></body>"
    );
    let text = text.replacen("<head>", before, 1).replacen("</body>", &after, 1);
    let tested = page.with_extension("tested.html");
    std::fs::write(&tested, text).unwrap();
    let profile = page.with_extension("profile");
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--window-size=1200,800",
            "--dump-dom",
        ])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}{address}", tested.display()))
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout);
    let found = dom.split("[[").last().and_then(|rest| rest.split_once("]]"));
    let found = found.unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let all: Value = serde_json::from_slice(&decode(found.0)).unwrap();
    assert_eq!(all["errors"].as_array().unwrap().len(), 0, "{}", all["errors"]);
    all["seen"].clone()
}

/// Decodes base 64.
fn decode(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0u32, 0);
    for c in text.bytes().filter(|c| *c != b'=') {
        bits = (bits << 6) | u32::from(digit(c));
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

#[test]
fn a_lost_update_is_stepped_through() {
    let Some(browser) = browser() else { return };
    let scratch = Scratch::new("lost");
    let page = scratch.0.join("report.html");
    write_page("check examples/c/lost_update.c", &page);
    let seen = look(
        browser,
        &page,
        "#step-2",
        "seen.title = document.title;
         seen.linked = said();
         seen.selected = document.querySelectorAll('.row[aria-selected=true]').length;
         seen.arrows = document.querySelectorAll('.arrows path').length;
         seen.before = cells('variable');
         key('ArrowDown'); seen.third = said(); seen.after = cells('variable');
         seen.hash = location.hash;
         key('ArrowUp'); seen.back = said();
         seen.source = document.querySelector('.code.here').textContent;
         seen.failing = document.querySelector('.row.failing').getAttribute('aria-label');
         const search = document.getElementById('search');
         search.value = 'balance = 120'; search.dispatchEvent(new Event('input'));
         seen.found = said(); seen.matches = document.getElementById('matches').textContent;
         key('ArrowLeft'); seen.block = said();
         key('f'); seen.folded = document.getElementById('fold').getAttribute('aria-pressed');
         key('/'); seen.focus = document.activeElement.id;",
    );
    assert_eq!(seen["title"], "examples/c/lost_update.c – Mazurka");
    assert_eq!(
        seen["linked"],
        "step 2, thread 2 (teller): balance → 100, examples/c/lost_update.c:14"
    );
    assert_eq!(seen["selected"], 1);
    assert_eq!(seen["before"]["balance"], "100");
    assert_eq!(
        seen["third"],
        "step 3, thread 2 (teller): balance = 150, examples/c/lost_update.c:15"
    );
    assert_eq!(seen["after"]["balance"], "150");
    assert_eq!(seen["hash"], "#step-3");
    assert_eq!(seen["back"], seen["linked"]);
    assert!(seen["source"].as_str().unwrap().starts_with("14"), "{seen}");
    assert!(seen["failing"].as_str().unwrap().contains("main"), "{seen}");
    assert!(seen["found"].as_str().unwrap().starts_with("step 4, thread 1"), "{seen}");
    // Once in the failing execution, and once in the passing one beside it.
    assert_eq!(seen["matches"], "2 found");
    assert!(seen["arrows"].as_u64().unwrap() > 0, "{seen}");
    assert_eq!((&seen["folded"], &seen["focus"]), (&"false".into(), &"search".into()));
}

#[test]
fn a_deadlock_shows_who_holds_what() {
    let Some(browser) = browser() else { return };
    let scratch = Scratch::new("deadlock");
    let page = scratch.0.join("report.html");
    write_page("check examples/c/deadlock.c", &page);
    let script = "seen.locks = cells('lock'); seen.rows = document.querySelectorAll('.row').length;
                  seen.wrong = document.querySelectorAll('.row.failing').length;";
    let seen = look(browser, &page, "#step-2", script);
    assert_eq!(seen["locks"]["checking.lock"], "thread 1 (save)|thread 2 (spend)", "{seen}");
    assert_eq!(seen["locks"]["savings.lock"], "thread 2 (spend)|thread 1 (save)", "{seen}");
    assert_eq!(seen["wrong"], 3);
}

#[test]
fn several_violations_share_a_page() {
    let Some(browser) = browser() else { return };
    let scratch = Scratch::new("several");
    let page = scratch.0.join("report.html");
    let program = scratch.0.join("two.c");
    std::fs::write(
        &program,
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\natomic_int x;\n\
         void *f(void *a) { x++; x++; return a; }\n\
         int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, f, 0);\n  int seen = x;\n  \
         assert(seen != 1);\n  assert(seen != 2);\n  pthread_join(t, 0);\n  return 0;\n}\n",
    )
    .unwrap();
    write_page(&format!("check {} --keep-going", program.display()), &page);
    let script = "const buttons = document.querySelectorAll('#violations button');
                  seen.buttons = buttons.length;
                  seen.first = document.getElementById('message').textContent;
                  buttons[1].click();
                  seen.second = document.getElementById('message').textContent;
                  key('ArrowUp'); seen.hash = location.hash;";
    let seen = look(browser, &page, "", script);
    assert_eq!(seen["buttons"], 2, "{seen}");
    assert_ne!(seen["first"], seen["second"]);
    assert!(seen["hash"].as_str().unwrap().starts_with("#violation-2-step-"), "{seen}");
}

/// The mailboxes of an Erlang program have their messages, and its processes are called so.
#[test]
fn mailboxes_have_messages() {
    let Some(browser) = browser() else { return };
    let scratch = Scratch::new("mailboxes");
    let page = scratch.0.join("report.html");
    let program = scratch.0.join("bank.erl");
    std::fs::write(
        &program,
        "-module(bank).\n-export([test/0]).\n\
         test() ->\n    Self = self(),\n    spawn(fun() -> Self ! {pay, 20} end),\n    \
         spawn(fun() -> Self ! {pay, 50} end),\n    \
         receive {pay, First} -> ok end,\n    receive {pay, _} -> 20 = First end.\n",
    )
    .unwrap();
    write_page(&format!("check {} --call bank:test()", program.display()), &page);
    let script = "key('Home'); seen.first = cells('queue'); seen.said = said();
                  key('ArrowDown'); seen.second = cells('queue');
                  key('ArrowDown'); seen.third = cells('queue');
                  seen.arrows = [...document.querySelectorAll('.arrows path')].map((p) => \
                  p.getAttribute('class'));
                  seen.word = view.failing.execution.word;";
    let seen = look(browser, &page, "", script);
    assert_eq!(seen["word"], "process");
    assert_eq!(seen["first"]["<P>"], "{pay,50}|", "{seen}");
    assert_eq!(seen["second"]["<P>"], "{pay,50}, {pay,20}|", "{seen}");
    assert_eq!(seen["third"]["<P>"], "{pay,20}|", "{seen}");
    assert!(seen["arrows"].as_array().unwrap().contains(&"message".into()), "{seen}");
}

/// The steps in the explanation are links, and threads outside of the window are listed.
#[test]
fn explanations_link_to_steps() {
    let Some(browser) = browser() else { return };
    let scratch = Scratch::new("links");
    let page = scratch.0.join("report.html");
    write_page("check examples/c/lost_update.c", &page);
    let script = "seen.code = document.querySelector('#why code').textContent;
                  const links = [...document.querySelectorAll('#why .link')];
                  links[1].click(); seen.said = said(); seen.hash = location.hash;
                  seen.who = [...document.querySelectorAll('.who')].map((w) => w.textContent);
                  seen.decisive = document.querySelectorAll('#failing .row.decisive').length;
                  key('p'); seen.beside = document.getElementById('passing').hidden;
                  seen.names = [...document.querySelectorAll('#failing .names span')].length;";
    let seen = look(browser, &page, "", script);
    assert_eq!(seen["code"], "balance → 100");
    assert!(seen["said"].as_str().unwrap().starts_with("step 3, thread 2"), "{seen}");
    assert_eq!(seen["hash"], "#step-3");
    // Thread 1 is where it read, and thread 2 where it wrote.
    let who = seen["who"].to_string();
    assert!(who.contains("thread 1 (teller)") && who.contains("thread 2 (teller)"), "{seen}");
    assert_eq!((&seen["decisive"], &seen["beside"]), (&4.into(), &true.into()), "{seen}");
    assert_eq!(seen["names"], 3, "{seen}");
}

/// Ten thousand steps of fifty threads: only some rows are elements, and a step takes no time.
#[test]
fn long_executions_are_virtual() {
    let Some(browser) = browser() else { return };
    let scratch = Scratch::new("long");
    let page = scratch.0.join("report.html");
    let program = scratch.0.join("long.c");
    std::fs::write(
        &program,
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y[50];\n\
         void *f(void *a) { for (int i = 0; i < 200; i++) { y[(long)a]++; } x++; return 0; }\n\
         int main(void) {\n  pthread_t t[49];\n  \
         for (long i = 0; i < 49; i++) pthread_create(&t[i], 0, f, (void *)i);\n  \
         for (int i = 0; i < 49; i++) pthread_join(t[i], 0);\n  assert(x != 49);\n  return 0;\n}\n",
    )
    .unwrap();
    write_page(&format!("check {}", program.display()), &page);
    let script = "key('f');
                  seen.lines = view.failing.execution.lines.length;
                  seen.threads = view.failing.execution.threads.length;
                  const started = performance.now();
                  key('Home'); for (let i = 0; i < 20; i += 1) key('PageDown');
                  seen.milliseconds = (performance.now() - started) / 21;
                  seen.elements = document.querySelectorAll('.row').length;
                  key('End'); seen.last = said();";
    let seen = look(browser, &page, "", script);
    assert!(seen["lines"].as_u64().unwrap() > 9_800, "{seen}");
    assert_eq!(seen["threads"], 50);
    assert!(seen["elements"].as_u64().unwrap() < 100, "{seen}");
    println!("{} ms for each key", seen["milliseconds"]);
    assert!(seen["last"].as_str().unwrap().contains("main"), "{seen}");
}

#[test]
fn a_page_needs_no_network() {
    let scratch = Scratch::new("offline");
    let page = scratch.0.join("report.html");
    write_page("check examples/c/lost_update.c", &page);
    let text = std::fs::read_to_string(&page).unwrap();
    let markup = text.split("id=\"data\"").next().unwrap();
    for word in ["src=", "href=", "@import", "url("] {
        assert!(!markup.contains(word), "{word}");
    }
    assert!(!text.contains("fetch(") && !text.contains("import("));
}
