//! The IR of the library in `src/library/runtime` is what clang makes of its C files.
//!
//! `cargo xtask runtime` writes the IR anew: it runs this test with `MAZURKA_WRITE_RUNTIME` set.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The version of clang that the IR was made by. Others choose other instructions.
const CLANG: &str = "14";

const FILES: [&str; 8] =
    ["c", "cpp", "containers", "exceptions", "verifier", "posix", "signals", "calendar"];

/// Optimised a little, so that the functions take few steps; but nothing that makes the IR longer.
const FLAGS: [&str; 13] = [
    "-S",
    "-emit-llvm",
    "-O1",
    "-w",
    "-fno-builtin",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-fno-unroll-loops",
    "-fno-stack-protector",
    "-fno-strict-aliasing",
    "-fomit-frame-pointer",
    "-fno-asynchronous-unwind-tables",
    "--target=x86_64-linux-gnu",
];

/// Returns the first clang of the right version.
fn clang() -> Option<String> {
    [format!("clang-{CLANG}"), "clang".to_owned()].into_iter().find(|name| {
        let output = Command::new(name).arg("--version").output();
        let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        text.is_ok_and(|text| text.contains(&format!("version {CLANG}.")))
    })
}

/// Returns a line without the references that start so: a mark and a number.
fn without(line: &str, mark: &str) -> String {
    let mut parts = line.split(mark);
    let mut text = parts.next().unwrap_or_default().to_owned();
    parts.for_each(|part| text += part.trim_start_matches(|c: char| c.is_ascii_digit()));
    text
}

/// Returns IR without what does not matter to the VM: attributes, metadata, comments.
fn stripped(ir: &str) -> String {
    let starts = ["!", "attributes", "; ", "source_filename"];
    let lines = ir.lines().filter(|line| !starts.iter().any(|start| line.starts_with(start)));
    let marks = [", !tbaa !", ", !llvm.loop !", ", !srcloc !", " #"];
    lines
        .map(|line| marks.iter().fold(line.to_owned(), |l, mark| without(&l, mark)) + "\n")
        .collect()
}

#[test]
fn the_library_s_ir_is_made_of_its_sources() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/library/runtime");
    let writes = std::env::var_os("MAZURKA_WRITE_RUNTIME").is_some();
    let Some(clang) = clang() else {
        assert!(!writes, "clang {CLANG} is needed to make the IR; install `clang-{CLANG}`");
        println!("skipped: the IR was made by clang {CLANG}, which is not installed");
        return;
    };
    for name in FILES {
        let (source, ir) = (folder.join(format!("{name}.c")), folder.join(format!("{name}.ll")));
        let output = Command::new(&clang).args(FLAGS).arg(&source).args(["-o", "-"]).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let made = stripped(&String::from_utf8(output.stdout).unwrap());
        if writes {
            fs::write(&ir, made).unwrap();
            continue;
        }
        let known = fs::read_to_string(&ir).unwrap();
        let lines = known.lines().zip(made.lines()).enumerate();
        for (line, (known, made)) in lines {
            let place = format!("{}:{}", ir.display(), line + 1);
            assert_eq!(known, made, "{place} is not made of {name}.c; run `cargo xtask runtime`");
        }
        assert_eq!(known.len(), made.len(), "{name}.ll is out of date; run `cargo xtask runtime`");
    }
}
