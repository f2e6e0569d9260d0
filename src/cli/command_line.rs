//! The definition of the command line: its commands and the options that go before any of them.

use std::ffi::OsString;

use clap::{CommandFactory, FromArgMatches, Parser};

use super::arguments::Verbosity;
use super::commands::Command;
use super::short_forms::with_command;

/// Lossless compression of chess archives in PGN
///
/// A neural network predicts the moves, an entropy coder stores the surprise. Any
/// input comes back byte for byte; what is no PGN is kept as text.
#[derive(Debug, Clone, Parser)]
#[command(version, propagate_version = true, arg_required_else_help = true)]
#[command(after_help = "\
Examples:
    plyzip compress games.pgn            writes games.pgn.plz; --rm deletes games.pgn
    plyzip test games.pgn.plz            decodes and checks it, writes nothing
    plyzip decompress games.pgn.plz      writes games.pgn; -f replaces one that is there
    plyzip compress games.pgn.gz         writes games.pgn.plz, with the PGN inside

As with gzip, xz and zstd:
    plyzip games.pgn                     compress; the options are those of plyzip compress
    plyzip -d games.pgn.plz              decompress; -t is test, -l is info
    plyzip -dc games.pgn.plz             decompress to standard output

Exit status:
    0  success
    1  a file cannot be read or written, the output exists, a model is unusable,
       or plyzip has a defect
    2  the command line is invalid
    3  the archive is damaged, unsupported or over the limits
    4  a model that the archive needs, or that --model names, is not found
  130  interrupted by SIGINT (129 by SIGHUP, 131 by SIGQUIT, 143 by SIGTERM)
  141  the reader of the output went away")]
pub struct Arguments {
    /// The command to run
    #[command(subcommand)]
    pub command: Command,
    /// How much to tell
    #[command(flatten)]
    pub verbosity: Verbosity,
}

impl Arguments {
    /// Reads a command line, the name of the program first.
    ///
    /// # Errors
    /// What clap says of a line that makes no sense, or that asks for help.
    pub fn of(line: impl IntoIterator<Item = OsString>) -> Result<Arguments, clap::Error> {
        let mut definition = definition();
        let line = with_command(line, &definition);
        let matches = definition.try_get_matches_from_mut(line)?;
        Arguments::from_arg_matches(&matches).map_err(|error| error.format(&mut definition))
    }
}

/// The definition of the command line, for its parser, its help texts, its manual pages and the completions of shells.
pub fn definition() -> clap::Command {
    // What stands behind the filters would be under their heading; its own is the one that clap has for the rest.
    let usual = |option: clap::Arg| match option.get_help_heading() {
        Some("Options") => option.help_heading(None),
        _ => option,
    };
    Arguments::command().mut_subcommands(|command| command.mut_args(usual))
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyzip::archive::WriterOptions;

    #[test]
    fn the_definition_is_sound() {
        definition().debug_assert();
    }

    /// The words of a line as a shell would take them, if it has no quotes but single ones.
    fn words(line: &str) -> Vec<String> {
        let mut words = vec![];
        for (part, text) in line.split('\'').enumerate() {
            if part % 2 == 1 {
                words.push(text.to_owned());
            } else {
                words.extend(text.split_whitespace().map(String::from));
            }
        }
        words
    }

    #[test]
    fn commands_in_the_documents_are_understood() {
        let documents = [include_str!("../../README.md"), include_str!("../../docs/history.md")];
        for document in documents {
            let lines = document.lines().map(|line| line.split(" #").next().unwrap());
            let commands = lines
                .flat_map(|line| line.split(" && "))
                .filter(|line| line.starts_with("plyzip "));
            let mut understood = 0;
            for command in commands {
                let arguments = Arguments::of(words(command).into_iter().map(OsString::from));
                assert!(arguments.is_ok(), "{command}: {}", arguments.unwrap_err());
                understood += 1;
            }
            assert!(understood > 0);
        }
    }

    #[test]
    fn the_default_block_is_the_librarys() {
        let arguments = Arguments::try_parse_from(["plyzip", "compress", "in"]).unwrap();
        let Command::Compress(command) = arguments.command else { unreachable!() };
        assert_eq!(command.block_games, WriterOptions::default().block_games);
    }
}
