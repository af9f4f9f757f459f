//! `mazurka completions` and `mazurka man`.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Cli;
use crate::{Complaint, Outcome};

pub(crate) fn completions(shell: Shell) -> Result<Outcome, Complaint> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "mazurka", &mut script);
    print(&script)
}

pub(crate) fn man(command: Option<&str>) -> Result<Outcome, Complaint> {
    let mut cli = Cli::command();
    cli.build();
    let described = match command {
        None => cli,
        Some(name) => match cli.find_subcommand(name) {
            Some(found) => found.clone(),
            None => {
                let names: Vec<_> = cli.get_subcommands().map(clap::Command::get_name).collect();
                return Err(format!(
                    "`{name}` is not a command; the commands are {}",
                    names.join(", ")
                ));
            }
        },
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(described).render(&mut page).map_err(|error| error.to_string())?;
    print(&page)
}

/// A reader that has seen enough is no error.
fn print(text: &[u8]) -> Result<Outcome, Complaint> {
    match io::stdout().write_all(text) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.to_string()),
        _ => Ok(Outcome::Fine),
    }
}
