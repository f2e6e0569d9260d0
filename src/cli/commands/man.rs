//! `plyzip man`

use clap::Args;
use clap_mangen::Man;
use plyzip::{Error, Result};

use crate::cli::files::standard;

/// `plyzip man`
#[derive(Debug, Clone, Args)]
pub struct ManArguments {
    /// A command, which has a page of its own; without one, the page of the program
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
}

/// Prints a page of the manual of `program`.
pub fn run(arguments: &ManArguments, mut program: clap::Command) -> Result<()> {
    // Names of commands begin with that of the program from then on.
    program.build();
    let command = match &arguments.command {
        None => program,
        Some(name) => {
            let none = || Error::Usage(format!("there is no command `{name}`"));
            program.find_subcommand(name).ok_or_else(none)?.clone()
        }
    };
    let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let source = concat!("plyzip ", env!("CARGO_PKG_VERSION"));
    let has_commands = command.has_subcommands();
    let man = Man::new(command).source(source);
    let mut page = vec![];
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if has_commands {
        man.render_subcommands_section(&mut page)?;
    }
    standard::print(&(String::from_utf8_lossy(&page) + &*sections(&text)))
}

/// What stands after the options in the help, as sections in troff: a line that begins at the left and ends in a colon is
/// the title of one. Lines are not filled, since they are commands and tables.
fn sections(text: &str) -> String {
    let mut page = String::new();
    let mut begun = false;
    for line in text.lines() {
        match line.strip_suffix(':').filter(|title| !title.starts_with(' ')) {
            Some(title) => {
                page += if begun { ".fi\n" } else { "" };
                page += &format!(".SH {}\n.nf\n", title.to_uppercase());
                begun = true;
            }
            // `\&` keeps a first dot or quotation mark from being a request.
            None => page += &format!("\\&{}\n", line.replace('\\', "\\e").replace('-', "\\-")),
        }
    }
    page + if begun { ".fi\n" } else { "" }
}
