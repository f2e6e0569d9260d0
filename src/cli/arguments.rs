//! The commands, options and help texts of the command line.

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::thread;

use clap::{ArgGroup, Args, Parser, Subcommand};

/// Lossless compression of chess archives in PGN
///
/// A neural network predicts the moves, an entropy coder stores the surprise. Any
/// input comes back byte for byte; what is no PGN is kept as text.
#[derive(Debug, Clone, Parser)]
#[command(version, propagate_version = true, arg_required_else_help = true)]
#[command(after_help = "\
Examples:
    plyzip compress games.pgn            writes games.pgn.plz, keeps games.pgn
    plyzip test games.pgn.plz            decodes and checks it, writes nothing
    plyzip decompress games.pgn.plz      writes games.pgn; -f replaces one that is there
    zcat games.pgn.gz | plyzip compress - > games.pgn.plz

Exit status:
    0  all went well
    1  a file cannot be read or written, the output exists, a model is unusable,
       or plyzip has a defect
    2  the command line makes no sense
    3  the archive is damaged, unsupported or over the limits
    4  a model that the archive needs, or that --model names, is not at hand
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

/// The commands.
#[derive(Debug, Clone, Subcommand)]
pub enum Command {
    /// Compress a file to an archive
    #[command(visible_alias = "c")]
    Compress(CompressArguments),
    /// Decompress an archive
    #[command(visible_alias = "d")]
    Decompress(DecompressArguments),
    /// Decompress an archive and check everything, without writing anything
    #[command(visible_alias = "t")]
    Test(TestArguments),
    /// Print what an archive holds: games, sizes, its model, its checksum
    ///
    /// Of a file the index is read and checked, and nothing else: `plyzip test` tells whether the rest is whole. Of
    /// standard input all checksums are checked.
    #[command(visible_alias = "i")]
    Info(InfoArguments),
    /// Print single games of an archive as they stood in its original
    ///
    /// Only the pages that hold these games are decoded. The exit status is 1 if the archive has none of them.
    #[command(
        visible_alias = "x",
        after_help = "\
Examples:
    plyzip extract games.pgn.plz --game 5
    plyzip extract games.pgn.plz --games 10-20,40- -o some.pgn"
    )]
    Extract(ExtractArguments),
    /// Print a line for each game of an archive: number, White, Black, result, date, event
    ///
    /// Read from the columns of tags alone: no page is decoded, and no model is needed.
    #[command(
        visible_alias = "ls",
        after_help = "\
Examples:
    plyzip list games.pgn.plz
    plyzip list games.pgn.plz --json | grep Kasparov"
    )]
    List(ListArguments),
    /// Compare plyzip with zstd, xz and what others proposed for chess, on the games of a file
    ///
    /// Prints a table for whole files, one for codes of moves alone, and one for the ends of games. Everything is
    /// decoded again and compared with the original; if anything differs, the exit status is 1. Nothing is written but
    /// the pictures that are asked for.
    Compare(CompareArguments),
    /// List the models at hand: name, size, BLAKE3 hash and file
    #[command(after_help = "\
Models are built in, or files NAME.onnx in one of these folders:
    those that $PLYZIP_MODELS lists, separated as in $PATH
    the folder of the program
    plyzip in the user's data folder ($XDG_DATA_HOME or ~/.local/share)
    models in the checkout of plyzip that the current folder is in")]
    Models(ModelsArguments),
}

impl Command {
    /// IN, the file that the command reads, if it reads one.
    pub(super) fn input(&self) -> Option<&Path> {
        Some(match self {
            Command::Compress(command) => &command.input,
            Command::Decompress(command) => &command.decoding.input,
            Command::Test(command) => &command.decoding.input,
            Command::Info(command) => &command.input,
            Command::Extract(command) => &command.input,
            Command::List(command) => &command.input,
            Command::Compare(command) => &command.input,
            Command::Models(_) => return None,
        })
    }
}

/// How much to tell on stderr.
#[derive(Debug, Clone, Copy, Args)]
pub struct Verbosity {
    /// Tell nothing but errors
    #[arg(short, long, global = true, conflicts_with = "verbose", display_order = 900)]
    pub quiet: bool,
    /// Tell more: the size of each stream of an archive, the folders searched for models
    #[arg(short, long, global = true, display_order = 901)]
    pub verbose: bool,
}

/// Where the output goes.
#[derive(Debug, Clone, Args)]
pub struct Output {
    /// Write to OUT, `-` for standard output [default: IN.plz to compress, IN without .plz to decompress, `-`
    /// if IN is `-`]. IN is never deleted
    #[arg(short = 'o', long = "output", value_name = "OUT")]
    pub path: Option<PathBuf>,
    /// Replace OUT if it exists; write an archive even to a terminal
    #[arg(short, long)]
    pub force: bool,
}

/// Options of the codec that change its speed but never its output.
#[derive(Debug, Clone, Copy, Args)]
pub struct Coding {
    /// Use N threads, at most one per core; 0 for all cores. The output never depends on it
    #[arg(short = 'T', long, value_name = "N", default_value_t = 0)]
    pub threads: usize,
}

/// Originals of fewer bytes are taken for a single game.
const BYTES_OF_TWO_GAMES: u64 = 1 << 10;

impl Coding {
    /// How many threads shall work on an original of so many bytes, if their number is known. More than there are
    /// cores would take memory and gain nothing, and a single game has no work for two.
    pub(super) fn threads(self, original_bytes: Option<u64>) -> usize {
        if original_bytes.is_some_and(|bytes| bytes < BYTES_OF_TWO_GAMES) {
            return 1;
        }
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        if self.threads == 0 { cores } else { self.threads.min(cores) }
    }
}

/// `plyzip compress`
#[derive(Debug, Clone, Args)]
pub struct CompressArguments {
    /// The file to compress; `-` for standard input
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// Where to: IN.plz unless given, standard output if IN is `-`
    #[command(flatten)]
    pub output: Output,
    /// What predicts the moves: a model by its name or its file, or `none`. `standard` is in the program; `max`
    /// is denser, many times slower, and a file of its own (see `plyzip models --help`); `none` is the fastest
    #[arg(long, value_name = "NAME|PATH|none", default_value = "standard")]
    pub model: String,
    /// How the codec runs
    #[command(flatten)]
    pub coding: Coding,
    /// Put at most N games into a block. Large blocks are denser; a single game is reached sooner in small ones
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub block_games: u64,
    /// Put at most N games into a page, which is what is decoded to reach a single game [default: 256, with `none` 512]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub page_games: Option<u64>,
    /// Write the model's file into the archive, so that no other program or folder has to have it
    #[arg(long)]
    pub embed_model: bool,
    /// Store the name and the modification time of IN, if it is a file. `decompress -N` gives OUT both
    #[arg(short = 'N', long = "name")]
    pub keep_name: bool,
    /// Skip decoding each block again to compare it with the input. Twice as fast
    #[arg(long)]
    pub no_verify: bool,
}

/// The archive that `decompress` and `test` decode, and how.
#[derive(Debug, Clone, Args)]
pub struct Decoding {
    /// The archive; `-` for standard input
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// The archive's model, if it is not among those that `plyzip models` lists
    #[arg(long, value_name = "NAME|PATH")]
    pub model: Option<String>,
    /// How the codec runs
    #[command(flatten)]
    pub coding: Coding,
}

/// `plyzip decompress`
#[derive(Debug, Clone, Args)]
pub struct DecompressArguments {
    /// The archive
    #[command(flatten)]
    pub decoding: Decoding,
    /// Name OUT as the archive says, in the folder of IN, and give it the time that the archive says, as far as it does
    #[arg(short = 'N', long = "name")]
    pub keep_name: bool,
    /// Of a damaged archive, write all pages that are whole, and tell which games are missing. The exit status is 3 if
    /// any are
    #[arg(long)]
    pub salvage: bool,
    /// Where to: IN without .plz unless given, standard output if IN is `-`
    #[command(flatten)]
    pub output: Output,
}

/// `plyzip test`
#[derive(Debug, Clone, Args)]
pub struct TestArguments {
    /// The archive
    #[command(flatten)]
    pub decoding: Decoding,
}

/// `plyzip info`
#[derive(Debug, Clone, Args)]
pub struct InfoArguments {
    /// The archive; `-` for standard input
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// Print it as one line of JSON
    #[arg(long)]
    pub json: bool,
}

/// `plyzip extract`
#[derive(Debug, Clone, Args)]
#[command(group(ArgGroup::new("which").args(["game", "games"]).required(true)))]
pub struct ExtractArguments {
    /// The archive; a file
    #[arg(value_name = "ARCHIVE")]
    pub input: PathBuf,
    /// The game of this number; the first game has the number 1
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    pub game: Option<u64>,
    /// The games of these numbers and ranges of numbers, such as `10-20,40-`. They come in the archive's order
    #[arg(long, value_name = "RANGES", value_parser = game_numbers)]
    pub games: Option<GameNumbers>,
    /// Write to OUT; a file must not exist
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    pub output: PathBuf,
    /// Replace OUT if it exists
    #[arg(short, long)]
    pub force: bool,
    /// The archive's model, if it is not among those that `plyzip models` lists
    #[arg(long, value_name = "NAME|PATH")]
    pub model: Option<String>,
    /// How the codec runs
    #[command(flatten)]
    pub coding: Coding,
}

/// `plyzip list`
#[derive(Debug, Clone, Args)]
pub struct ListArguments {
    /// The archive; a file
    #[arg(value_name = "ARCHIVE")]
    pub input: PathBuf,
    /// Print each game as one line of JSON, with all tags but those that the moves foretell, such as ECO
    #[arg(long)]
    pub json: bool,
}

/// Numbers of games, from 1 on, in ranges that rise and do not touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameNumbers(Vec<RangeInclusive<u64>>);

impl GameNumbers {
    /// The single game `number`.
    pub fn one(number: u64) -> GameNumbers {
        GameNumbers(vec![number..=number])
    }

    /// The numbers up to `last`.
    pub fn up_to(&self, last: u64) -> impl Iterator<Item = u64> + use<'_> {
        self.0.iter().flat_map(move |range| *range.start()..=last.min(*range.end()))
    }
}

/// Reads ranges of games, such as `3,10-20,40-`.
fn game_numbers(text: &str) -> Result<GameNumbers, String> {
    let wanted =
        || "numbers from 1 on and ranges of them are wanted, such as 3,10-20,40-".to_owned();
    let number =
        |text: &str| text.trim().parse().ok().filter(|&number| number > 0).ok_or_else(wanted);
    let mut ranges: Vec<RangeInclusive<u64>> = vec![];
    for part in text.split(',') {
        let range = match part.split_once('-') {
            None => number(part)?..=number(part)?,
            Some((first, "")) => number(first)?..=u64::MAX,
            Some((first, last)) => number(first)?..=number(last)?,
        };
        if range.is_empty() {
            return Err(wanted());
        }
        ranges.push(range);
    }
    ranges.sort_by_key(|range| *range.start());
    let mut merged: Vec<RangeInclusive<u64>> = vec![];
    for range in ranges {
        match merged.last_mut() {
            Some(last) if *range.start() <= last.end().saturating_add(1) => {
                *last = *last.start()..=*range.end().max(last.end());
            }
            _ => merged.push(range),
        }
    }
    Ok(GameNumbers(merged))
}

/// `plyzip models`
#[derive(Debug, Clone, Copy, Args)]
pub struct ModelsArguments {
    /// Print it as one line of JSON
    #[arg(long)]
    pub json: bool,
}

/// `plyzip compare`
#[derive(Debug, Clone, Args)]
#[command(group(ArgGroup::new("pictures").args(["plot", "plot_sizes"]).multiple(true)))]
pub struct CompareArguments {
    /// The games, as PGN; `-` for standard input
    #[arg(value_name = "GAMES.pgn")]
    pub input: PathBuf,
    /// Take only the first N games of the file
    #[arg(long, value_name = "N")]
    pub games: Option<NonZeroUsize>,
    /// The models of plyzip's own rows: names, models' files, or `none`. `max` takes a second or so for a game
    #[arg(long, value_name = "MODEL,…", value_delimiter = ',', default_value = "none,standard")]
    pub models: Vec<String>,
    /// Add a row with the size of the same games as another program compressed them, such as
    /// `--also 'zpaq -m5=1094342'`. May be given several times
    #[arg(long, value_name = "NAME=BYTES", value_parser = figure)]
    pub also: Vec<Figure>,
    /// Compare codes for single positions, too
    #[arg(long)]
    pub positions: bool,
    /// Let the network of `standard` order the moves for the systems that ask for a good predictor, too. Slow
    #[arg(long)]
    pub network: bool,
    /// Print the tables as one line of JSON
    #[arg(long)]
    pub json: bool,
    /// Draw bits a move against speed, as SVG
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
    /// Draw bytes a game of all that compresses whole files, as SVG
    #[arg(long, value_name = "FILE.svg")]
    pub plot_sizes: Option<PathBuf>,
    /// Replace the files of pictures if they exist
    #[arg(short, long, requires = "pictures")]
    pub force: bool,
    /// How plyzip's own codec runs. The systems of others use one thread
    #[command(flatten)]
    pub coding: Coding,
}

/// The size of a file as another program compressed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    /// The program and its options.
    pub name: String,
    /// The length of the compressed file.
    pub bytes: u64,
}

/// Reads NAME=BYTES. The name may hold `=` itself.
fn figure(text: &str) -> Result<Figure, String> {
    let (name, bytes) = text.rsplit_once('=').ok_or("NAME=BYTES is wanted")?;
    let bytes = bytes.parse().map_err(|_| "BYTES is a whole number")?;
    if name.trim().is_empty() || bytes == 0 {
        return Err("a name and more than 0 bytes are wanted".into());
    }
    Ok(Figure { name: name.into(), bytes })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::archive::WriterOptions;

    #[test]
    fn the_definition_is_sound() {
        Arguments::command().debug_assert();
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
                let arguments = Arguments::try_parse_from(words(command));
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

    #[test]
    fn figures_are_names_and_bytes() {
        let read = |text| figure(text).map(|Figure { name, bytes }| (name, bytes));
        assert_eq!(read("zpaq -m5=12"), Ok(("zpaq -m5".into(), 12)));
        assert_eq!(read("xz --lzma2=dict=8=3"), Ok(("xz --lzma2=dict=8".into(), 3)));
        for wrong in ["zpaq", "=12", " =12", "zpaq=", "zpaq=0", "zpaq=-1", "zpaq=1.5"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn games_are_numbers_and_ranges() {
        let read = |text| game_numbers(text).map(|numbers| numbers.up_to(12).collect::<Vec<_>>());
        assert_eq!(read("3"), Ok(vec![3]));
        assert_eq!(read("11-,2-4,3,5,7-8"), Ok(vec![2, 3, 4, 5, 7, 8, 11, 12]));
        assert_eq!(read("20-30"), Ok(vec![]));
        assert_eq!(read("1-18446744073709551615,2").map(|numbers| numbers.len()), Ok(12));
        for wrong in ["", "0", "-", "-3", "4-3", "1,,2", "a", "1-2-3", "1e3"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn threads_are_never_more_than_cores() {
        let cores = thread::available_parallelism().unwrap().get();
        for (asked, started) in [(0, cores), (1, 1), (cores, cores), (100_000, cores)] {
            for bytes in [None, Some(1 << 20)] {
                assert_eq!(Coding { threads: asked }.threads(bytes), started, "-T {asked}");
            }
            assert_eq!(Coding { threads: asked }.threads(Some(700)), 1, "-T {asked}");
        }
    }
}
