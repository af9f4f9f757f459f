//! Damaged inputs: every reader of text gives an error or a program, but never a panic.
//!
//! The corpus is the catalogue. The test `mutations` of `mazurka-llvm` does the same with LLVM IR.

use std::fs;
use std::path::Path;

use mazurka_core::verdict::Schedule;
use mazurka_llvm::Property;
use mazurka_petri::Net;
use mazurka_testkit::damage::survives;
use mazurka_trace::TraceProgram;

/// How many mutations there are of each kind of file.
const COUNT: usize = 3_000;

const PIECES: [&str; 16] = [
    "",
    "0",
    "-1",
    "1",
    "4294967296",
    "18446744073709551616",
    "<",
    ">",
    "\"",
    "&amp;",
    "(",
    ")",
    "x",
    "-",
    " ",
    "é",
];

/// Returns the files of the catalogue whose names end so.
fn catalogue(ending: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs");
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.to_string_lossy().ends_with(ending));
    files.sort();
    files.iter().map(|file| fs::read_to_string(file).unwrap()).collect()
}

#[test]
fn damaged_nets_do_not_panic() {
    survives("net.pnml", &catalogue(".pnml"), &PIECES, COUNT, |text| drop(Net::from_pnml(text)));
}

#[test]
fn damaged_recordings_do_not_panic() {
    survives("recording.trace", &catalogue(".trace"), &PIECES, COUNT, |text| {
        drop(TraceProgram::parse("damaged.trace", text, None));
    });
}

#[test]
fn damaged_schedules_do_not_panic() {
    let schedules = ["0-1x2-2", "1-2x3-1", "rc11:0-1<0", "0.1-1.2x3-2", ""].map(str::to_owned);
    survives("schedule", &schedules, &PIECES, COUNT, |text| drop(text.parse::<Schedule>()));
}

#[test]
fn damaged_properties_do_not_panic() {
    let properties = ["CHECK( init(main()), LTL(G ! call(reach_error())) )", "G ! overflow"];
    let properties = properties.map(str::to_owned);
    survives("property.prp", &properties, &PIECES, COUNT, |text| drop(Property::parse(text)));
}
