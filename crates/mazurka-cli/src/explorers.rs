//! `mazurka explorers`.

use mazurka_core::search::Algorithm;

use crate::{Complaint, Outcome};

pub(crate) fn run() -> Result<Outcome, Complaint> {
    let width = Algorithm::EVERY.map(|algorithm| algorithm.name().len()).into_iter().max();
    for algorithm in Algorithm::EVERY {
        let (name, summary) = (algorithm.name(), algorithm.summary());
        println!("{name:width$}  {summary}", width = width.unwrap_or(0));
    }
    Ok(Outcome::Fine)
}
