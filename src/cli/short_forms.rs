//! The forms that users of gzip, xz and zstd know: `plyzip FILE`, `plyzip -d FILE` and so on.
//!
//! That `-d` is a command is said where the commands are defined. What is left is to find the command in a line that
//! names none, or not first; options are what the commands say.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::Command;

/// The command of a line without one.
const DEFAULT: &str = "compress";

/// `line` (with the name of the program first) with its command in front, one of those of `program`.
pub fn with_command(line: impl IntoIterator<Item = OsString>, program: &Command) -> Vec<OsString> {
    let mut line: Vec<OsString> = line.into_iter().collect();
    // Options of the program itself may come first.
    let is_global = |word: &OsStr| {
        let mut options = program.get_arguments().filter(|option| option.is_global_set());
        options.any(|option| {
            let long = option.get_long().map(|long| format!("--{long}"));
            let short = option.get_short().map(|short| format!("-{short}"));
            long.is_some_and(|long| word == &*long) || short.is_some_and(|short| word == &*short)
        })
    };
    let Some(first) = (1..line.len()).find(|&place| !is_global(&line[place])) else { return line };
    // To a command that is misspelt behind `help` clap suggests nothing, without it it does.
    let is_known = |word: &OsString| {
        let is_option = word.to_string_lossy().starts_with('-');
        is_option || word == "help" || program.find_subcommand(word).is_some()
    };
    if line[first] == "help" && line.get(first + 1).is_some_and(|word| !is_known(word)) {
        line.remove(first);
        return line;
    }
    if !is_input_or_option(program, &line[first]) {
        return line;
    }
    let end = line.iter().position(|word| word == "--").unwrap_or(line.len());
    for place in first..end {
        if let Some(flag) = command_flag(program, &mut line[place]) {
            if line[place].is_empty() {
                line.remove(place);
            }
            line.insert(first, flag);
            return line;
        }
    }
    line.insert(first, DEFAULT.into());
    line
}

/// Whether a line that begins with `word` is one without a command: a file, or an option that the program itself does
/// not have. A word that looks like neither may be a command that is misspelt.
fn is_input_or_option(program: &Command, word: &OsStr) -> bool {
    let text = word.to_string_lossy();
    if let Some(option) = text.strip_prefix("--") {
        let of_command = |command: &Command| command.get_long_flag() == Some(option);
        return !matches!(option, "help" | "version") && !program.get_subcommands().any(of_command);
    }
    if let Some(options) = text.strip_prefix('-').filter(|options| !options.is_empty()) {
        let letter = options.chars().next().unwrap_or_default();
        let of_command = |command: &Command| command.get_short_flag() == Some(letter);
        return !matches!(letter, 'h' | 'V') && !program.get_subcommands().any(of_command);
    }
    let is_command = program.find_subcommand(word).is_some() || text == "help";
    !is_command && (text == "-" || text.contains(['.', '/', '\\']) || Path::new(word).exists())
}

/// The flag of a command that `word` is or has among its letters, taken out of it.
fn command_flag(program: &Command, word: &mut OsString) -> Option<OsString> {
    let text = word.to_str()?.to_owned();
    if let Some(long) = text.strip_prefix("--") {
        let known = program.get_subcommands().any(|command| command.get_long_flag() == Some(long));
        return known.then(|| std::mem::take(word));
    }
    let letters = text.strip_prefix('-').filter(|letters| !letters.is_empty())?;
    let of_command = |letter: char| {
        program.get_subcommands().any(|command| command.get_short_flag() == Some(letter))
    };
    // Not the value of an option that takes one.
    let is_flag = |letter: char| {
        let options = program.get_subcommands().flat_map(Command::get_arguments);
        let options = program.get_arguments().chain(options);
        let mut options = options.filter(|option| option.get_short() == Some(letter)).peekable();
        options.peek().is_some() && options.all(|option| !option.get_action().takes_values())
    };
    let flag = letters.chars().find(|&letter| of_command(letter))?;
    if !letters.chars().all(|letter| letter == flag || is_flag(letter)) {
        return None;
    }
    let others: String = letters.chars().filter(|&letter| letter != flag).collect();
    *word = if others.is_empty() { OsString::new() } else { format!("-{others}").into() };
    Some(format!("-{flag}").into())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::super::command_line::Arguments;
    use super::*;

    #[test]
    fn lines_without_a_command_get_one() {
        for (line, expected) in [
            ("games.pgn", "compress games.pgn"),
            ("-", "compress -"),
            ("-q games.pgn --rm", "-q compress games.pgn --rm"),
            ("-c games.pgn", "compress -c games.pgn"),
            ("--best -T2 games.pgn", "compress --best -T2 games.pgn"),
            ("-- -d", "compress -- -d"),
            ("games.plz -d", "-d games.plz"),
            ("-kd games.plz", "-d -k games.plz"),
            ("-f -t games.plz", "-t -f games.plz"),
            ("-qcd games.plz", "-d -qc games.plz"),
            ("games.plz -f --decompress", "--decompress games.plz -f"),
            ("-o -d games.pgn", "-d -o games.pgn"),
            ("-od games.pgn", "compress -od games.pgn"),
            // What is a command, or none, is left to the parser.
            ("-d games.plz", "-d games.plz"),
            ("-dc games.plz", "-dc games.plz"),
            ("compress games.pgn", "compress games.pgn"),
            ("c games.pgn", "c games.pgn"),
            ("-q test games.plz", "-q test games.plz"),
            ("comprss games.pgn", "comprss games.pgn"),
            ("help compress", "help compress"),
            ("--help", "--help"),
            ("-V", "-V"),
            ("-q", "-q"),
            ("", ""),
        ] {
            let words = ["plyzip"].into_iter().chain(line.split_whitespace());
            let found = with_command(words.map(OsString::from), &Arguments::command());
            let found: Vec<&str> = found[1..].iter().map(|word| word.to_str().unwrap()).collect();
            assert_eq!(found.join(" "), expected, "{line}");
        }
    }
}
