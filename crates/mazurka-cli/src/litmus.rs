//! `mazurka litmus`.

use std::fs;

use mazurka_litmus::{Outcome as Answer, Test};

use crate::args::LitmusArgs;
use crate::{Complaint, Outcome};

pub(crate) fn run(args: &LitmusArgs) -> Result<Outcome, Complaint> {
    let mut worst = Outcome::Fine;
    for (i, file) in args.files.iter().enumerate() {
        let name = file.display();
        let text = fs::read_to_string(file).map_err(|error| format!("{name}: {error}"))?;
        let test: Test = text.parse().map_err(|error| format!("{name}:{error}"))?;
        let answer = Answer::of(&test, args.memory_model);
        if i > 0 {
            println!();
        }
        print!("{answer}");
        if !answer.is_validated() {
            worst = Outcome::Violation;
        }
    }
    Ok(worst)
}
