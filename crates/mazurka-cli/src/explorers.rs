//! `mazurka explorers`.

use mazurka_core::search::Algorithm;

use crate::{Complaint, Outcome};

pub(crate) fn run() -> Result<Outcome, Complaint> {
    let width = Algorithm::ALL.map(|algorithm| algorithm.name().len()).into_iter().max();
    for algorithm in Algorithm::ALL {
        let (name, summary) = (algorithm.name(), algorithm.summary());
        println!("{name:width$}  {summary}", width = width.unwrap_or(0));
    }
    Ok(Outcome::Fine)
}
