//! `plyzip completions`

use std::fmt::Write as _;

use clap::Args;
use clap_complete::Shell;
use plyzip::Result;

use crate::cli::files::standard;

/// `plyzip completions`
#[derive(Debug, Clone, Args)]
pub struct CompletionsArguments {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

/// Prints the script by which a shell completes words of the command line of `program`.
pub fn run(arguments: &CompletionsArguments, mut program: clap::Command) -> Result<()> {
    let mut script = vec![];
    clap_complete::generate(arguments.shell, &mut program, "plyzip", &mut script);
    standard::print(&with_models(arguments.shell, &String::from_utf8_lossy(&script)))
}

/// What prints the names of the models at hand, one on each line.
const NAMES: &str = r#"echo none; plyzip models 2>/dev/null | cut -d" " -f1 | sort -u"#;

/// A script that completes the values of `--model`, too: which models there are is known when a shell asks, and
/// clap_complete's scripts know what the program is built with.
fn with_models(shell: Shell, script: &str) -> String {
    match shell {
        Shell::Bash => {
            let files = r#"COMPREPLY=($(compgen -f "${cur}"))"#;
            let option = "                --model)\n                    ";
            let models = format!(
                r#"COMPREPLY=($(compgen -W "$({NAMES})" -- "${{cur}}") $(compgen -f "${{cur}}"))"#
            );
            script.replace(&format!("{option}{files}"), &format!("{option}{models}"))
        }
        Shell::Fish => {
            let mut text = String::with_capacity(2 * script.len());
            for line in script.lines() {
                let names = if line.contains(" -l model ") { NAMES } else { "" };
                // Writing to a string cannot fail.
                let _ = match names {
                    "" => writeln!(text, "{line}"),
                    names => writeln!(text, "{line} -a '({names})'"),
                };
            }
            text
        }
        Shell::Zsh => {
            let mut text = String::with_capacity(2 * script.len());
            for line in script.lines() {
                match line.starts_with("'--model=") {
                    true => text += &line.replace(":_default'", ":_plyzip_models'"),
                    false => {
                        if line.starts_with("if [ \"$funcstack[1]\"") {
                            let _ = writeln!(
                                text,
                                "(( $+functions[_plyzip_models] )) ||\n_plyzip_models() {{\n    \
                                 compadd -- ${{(f)\"$({NAMES})\"}}\n    _files\n}}\n"
                            );
                        }
                        text += line;
                    }
                }
                text.push('\n');
            }
            text
        }
        _ => script.to_owned(),
    }
}
