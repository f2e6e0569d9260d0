//! `plyzip completions`

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
    let script = String::from_utf8_lossy(&script);
    standard::print(&match arguments.shell {
        Shell::Bash => bash(&script),
        Shell::Fish => fish(&script),
        Shell::Zsh => zsh(&script),
        _ => script.into_owned(),
    })
}

/// What prints the names of the models at hand, one on each line: which there are is known when a shell asks, and
/// clap_complete's scripts know what the program is built with.
const NAMES: &str = r#"echo none; plyzip models 2>/dev/null | cut -d" " -f1 | sort -u"#;

/// The commands whose files are archives, most of all: these are proposed before all others.
const OF_ARCHIVES: [&str; 14] = [
    "decompress",
    "test",
    "info",
    "extract",
    "list",
    "explain",
    "stats",
    "tree",
    "append",
    "cat",
    "repair",
    "protect",
    "repack",
    "index",
];

/// The lines of a script, each as `line` makes it.
fn lines(script: &str, mut line: impl FnMut(&str) -> String) -> String {
    script.lines().map(|text| line(text) + "\n").collect()
}

/// Behind `-`, options; else archives and folders, and all files where there is no archive.
fn bash(script: &str) -> String {
    let models =
        format!(r#"COMPREPLY=($(compgen -W "$({NAMES})" -- "${{cur}}") $(compgen -f "${{cur}}"))"#);
    let archives = r#"
            if [[ ${cur} != -* && ${prev} != -* ]] ; then
                local IFS=$'\n'
                COMPREPLY=( $(compgen -f -X '!*.plz' -- "${cur}") )
                if [[ ${#COMPREPLY[@]} -gt 0 ]] ; then
                    COMPREPLY+=( $(compgen -d -- "${cur}") )
                    compopt -o filenames 2>/dev/null
                    return 0
                fi
                unset IFS
            fi"#;
    let (mut is_model, mut command) = (false, "");
    lines(script, |line| {
        let word = line.trim();
        if let Some(case) =
            word.strip_prefix("plyzip__subcmd__").and_then(|it| it.strip_suffix(')'))
        {
            command = OF_ARCHIVES.into_iter().find(|name| *name == case).unwrap_or_default();
        }
        let files = r#"COMPREPLY=($(compgen -f "${cur}"))"#;
        let line = match std::mem::replace(&mut is_model, word == "--model)") {
            true => line.replace(files, &models),
            false => line.to_owned(),
        };
        match word.starts_with("opts=\"") && !std::mem::take(&mut command).is_empty() {
            true => line + archives,
            false => line,
        }
    })
}

fn fish(script: &str) -> String {
    let mut script = lines(script, |line| match line.contains(" -l model ") {
        true => format!("{line} -a '({NAMES})'"),
        false => line.to_owned(),
    });
    for command in OF_ARCHIVES {
        script += &format!(
            "complete -c plyzip -n \"__fish_plyzip_using_subcommand {command}\" -k -a \
             '(__fish_complete_suffix .plz)'\n"
        );
    }
    script
}

fn zsh(script: &str) -> String {
    let models = format!(
        "(( $+functions[_plyzip_models] )) ||\n_plyzip_models() {{\n    \
         compadd -- ${{(f)\"$({NAMES})\"}}\n    _files\n}}\n\n"
    );
    let mut is_of_archives = false;
    let is_argument = |line: &str| line.starts_with("'*::") || line.starts_with("':");
    lines(script, |line| {
        if let Some(command) = line.strip_prefix('(').and_then(|line| line.strip_suffix(')')) {
            is_of_archives = OF_ARCHIVES.contains(&command);
        }
        match line {
            line if line.starts_with("'--model=") => line.replace(":_default'", ":_plyzip_models'"),
            line if line.starts_with("if [ \"$funcstack[1]\"") => models.clone() + line,
            // Neither the values of options nor new games are archives.
            line if is_of_archives && is_argument(line) && !line.starts_with("'*::new") => {
                line.replace(":_files'", ":_files -g \"*.plz(-.)\"'")
            }
            line => line.to_owned(),
        }
    })
}
