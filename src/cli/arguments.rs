//! The commands, options and help texts of the command line.

use std::num::NonZeroUsize;
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
    #[command(visible_alias = "i")]
    Info(InfoArguments),
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

impl Coding {
    /// How many threads to start. More than there are cores would take memory and gain nothing.
    pub(super) fn threads(self) -> usize {
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
    /// Put at most N games into a page, which is what is decoded to reach a single game
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = clap::value_parser!(u64).range(1..))]
    pub page_games: u64,
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
    fn threads_are_never_more_than_cores() {
        let cores = thread::available_parallelism().unwrap().get();
        for (asked, started) in [(0, cores), (1, 1), (cores, cores), (100_000, cores)] {
            assert_eq!(Coding { threads: asked }.threads(), started, "-T {asked}");
        }
    }
}
