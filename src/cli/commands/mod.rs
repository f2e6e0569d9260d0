//! The commands, a file each: its arguments, and what it does.

mod append;
mod cat;
mod compare;
mod completions;
mod compress;
mod decompress;
mod explain;
mod extract;
mod index;
mod man;
mod models;
mod predict;
mod protect;
mod repack;
mod repair;
mod show;
mod stats;
mod tree;

use std::path::Path;

use clap::Subcommand;
use plyzip::Result;

use append::AppendArguments;
use cat::CatArguments;
use compare::CompareArguments;
use completions::CompletionsArguments;
use compress::CompressArguments;
use decompress::{DecompressArguments, TestArguments};
use explain::ExplainArguments;
use extract::ExtractArguments;
use index::IndexArchivesArguments;
use man::ManArguments;
use models::ModelsArguments;
pub(super) use models::{Needed, Released};
use predict::PredictArguments;
use protect::ProtectArguments;
use repack::RepackArguments;
use repair::RepairArguments;
use show::{InfoArguments, ListArguments};
use stats::StatsArguments;
use tree::TreeArguments;

use super::arguments::Verbosity;
use super::exit::ExitStatus;
use super::failure::Failure;

/// The commands.
#[derive(Debug, Clone, Subcommand)]
pub enum Command {
    /// Compress files to archives
    ///
    /// Each file gets an archive of its own beside it, as with zstd. With -o or -c, all files become one archive of what
    /// they hold, one after the other. What gzip, bzip2, xz, zstd or zip have compressed is read through, whatever its
    /// name: the archive holds the PGN inside. A zip must have one file in it.
    #[command(
        visible_alias = "c",
        short_flag = 'z',
        after_help = "\
Examples:
    plyzip compress -f games.pgn other.pgn     # games.pgn.plz and other.pgn.plz
    plyzip compress games.pgn other.pgn -o both.plz
    plyzip compress -r . --fast -f             # all .pgn, .pgn.gz, .pgn.zst and so on below
    cat games.pgn | plyzip compress - > games.plz

Levels, on 1,000 master games; games/s of one core:
        model                   bits/move   bytes/game   games/s
    -1  none                        2.535         33.5     2,409
    -2  standard@0                  2.141         29.2       272
    -3  standard@100x4-board        2.083         28.5       175
    -4  standard@330x5-board        2.047         28.1       139
    -5  standard@100x5              1.986         27.4       126
    -6  standard                    1.937         26.9        93
    -7  standard@7000x12            1.857         25.9        23
    -8  standard@30000x12           1.814         25.5       7.0
    -9  max                         1.723         24.4       1.7"
    )]
    Compress(CompressArguments),
    /// Decompress archives
    ///
    /// Each archive gets a file of its own beside it. With -o or -c, all go to one output, one after the other.
    #[command(
        visible_alias = "d",
        short_flag = 'd',
        long_flag = "decompress",
        after_help = "\
Examples:
    plyzip decompress -f games.pgn.plz other.pgn.plz
    plyzip decompress games.pgn.plz -o copy.pgn
    plyzip -dc games.pgn.plz other.pgn.plz > both.pgn
    plyzip decompress - < games.pgn.plz | grep -c '^.Event '
    plyzip decompress games.pgn.plz -o strange.pgn --max-output 2G --max-games 1000000"
    )]
    Decompress(DecompressArguments),
    /// Decompress archives and check everything, without writing anything
    #[command(
        visible_alias = "t",
        short_flag = 't',
        long_flag = "test",
        after_help = "\
Examples:
    plyzip test games.pgn.plz other.pgn.plz
    plyzip test -r .                           # all .plz below"
    )]
    Test(TestArguments),
    /// Print what archives hold: games, sizes, their model, their checksum
    ///
    /// Of a file the index is read and checked, and nothing else: `plyzip test` tells whether the rest is whole. Of
    /// standard input all checksums are checked.
    #[command(
        visible_alias = "i",
        short_flag = 'l',
        after_help = "\
Examples:
    plyzip info games.pgn.plz
    plyzip info games.pgn.plz --json | grep -o '\"games\":[0-9]*'"
    )]
    Info(InfoArguments),
    /// Print games of archives or of PGN, as they stood in the original
    ///
    /// Only the pages that hold these games are decoded. The number of games found is told on standard error; the exit
    /// status is 1 if there is none. Of several files, one that cannot be read is told, and the others are looked
    /// through.
    #[command(
        visible_alias = "x",
        override_usage = "plyzip extract [OPTIONS] <FILTER>... <IN>...",
        after_help = "\
Examples:
    plyzip extract games.pgn.plz --game 5
    plyzip extract games.pgn.plz --games 1-2,4- -o some.pgn
    plyzip extract games.pgn.plz --player anderssen --date 1850..1869 --result 1-0
    plyzip extract games.pgn.plz --white 'morphy paul' --tag 'Site=^Paris' --plies ..40
    plyzip extract games.pgn.plz --result '*' --not --count
    plyzip extract games.pgn.plz --moves 'e4 e5 f4' --date ..1900
    plyzip extract games.pgn.plz --position '1n1Rkb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2K5 b k -'
    plyzip extract games.pgn.plz --material KQRvKR --not --first 3
    plyzip extract games.pgn.plz --player morphy -o morphy.plz
    plyzip extract games.pgn other.pgn --result draw --not -o decided.pgn"
    )]
    Extract(Box<ExtractArguments>),
    /// Print a line for each game: number, date, players with their ratings, result, event
    ///
    /// Archives are read from the columns of tags alone: no page is decoded, and no model is needed, unless --full or a
    /// filter asks for what stands with the moves.
    #[command(
        visible_alias = "ls",
        after_help = "\
Examples:
    plyzip list games.pgn.plz
    plyzip list games.pgn.plz --csv --tags White,Black,Round > games.csv
    plyzip list games.pgn.plz --json | grep Morphy
    plyzip list games.pgn.plz --player morphy --full
    plyzip list games.pgn other.pgn --elo 2700+"
    )]
    List(Box<ListArguments>),
    /// Explain a game: what each move cost in bits, how likely it was, and what was expected instead
    ///
    /// Of an archive, the costs are those that its moves are coded with, among the other games of their page: with the
    /// ends of games and the moves of variations, those of all games add up to the bytes of its moves. Of PGN, each game
    /// is predicted by itself, as are games that an archive keeps as they are. A surprising move is one that the model
    /// took to be unlikely for a player to choose: it may be a blunder or a brilliancy, and bits do not tell which.
    #[command(after_help = "\
Examples:
    plyzip explain games.pgn.plz --game 5
    plyzip explain games.pgn --game 2 --html -o game.html
    plyzip explain games.pgn.plz --game 2 --svg > game.svg
    plyzip explain games.pgn.plz --player morphy --first 3
    plyzip explain games.pgn.plz --games 1-2 --pgn > explained.pgn
    plyzip explain games.pgn.plz --json | grep -c '\"rank\":0,'
    plyzip explain games.pgn.plz --top 20")]
    Explain(Box<ExplainArguments>),
    /// Print how likely each legal move of a position is
    ///
    /// What a player is likely to choose is not always what is best. The moves before count, too: give them with
    /// --moves, rather than the position that they lead to.
    #[command(after_help = "\
Examples:
    plyzip predict
    plyzip predict --moves 'e4 c5 Nf3' --elo 2500,2400
    plyzip predict 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3'
    plyzip predict startpos --model none --json")]
    Predict(PredictArguments),
    /// Count the games of archives or of PGN by year, result, rating, length and opening
    ///
    /// Openings are a tree of first moves from the initial position, each with the results of the games that begin so.
    /// A game's rating is the mean of both players'; results are those of the tag Result.
    #[command(after_help = "\
Examples:
    plyzip stats games.pgn.plz
    plyzip stats games.pgn.plz --player morphy --depth 6 --min-games 2
    plyzip stats games.pgn.plz --depth 0 --no-lengths --json
    plyzip stats games.pgn.plz --svg games.svg")]
    Stats(Box<StatsArguments>),
    /// Count the moves that were played from a position: how often, with what results, by whom rated and when
    ///
    /// With an index (`plyzip index`) the answer is immediate. With --position, games count that come there by whatever
    /// moves; a game that comes there twice counts with its first move.
    #[command(after_help = "\
Examples:
    plyzip tree games.pgn.plz
    plyzip tree games.pgn.plz --moves 'e4 c5' --elo 2600.. --predict
    plyzip tree games.pgn.plz --position '8/8/1KP5/3r4/8/8/8/k7 w - -' --json")]
    Tree(Box<TreeArguments>),
    /// Append games to an archive
    ///
    /// The games become the last of the archive, compressed among themselves: what is in it already is copied as it is,
    /// and its checksums are checked on the way. The archive is replaced when all is done, so that it is never half
    /// written. Several runs may append to one archive at the same time: they replace it one after the other, and no
    /// games are lost, as long as the file system has locks.
    #[command(after_help = "\
Examples:
    plyzip append games.pgn.plz new.pgn
    plyzip append games.pgn.plz new.pgn other.pgn --separate
    cat new.pgn other.pgn | plyzip append games.pgn.plz -")]
    Append(AppendArguments),
    /// Put archives together to one of all their games
    ///
    /// They are copied as they are: nothing is decoded, and no model is needed. Before anything is written, the index
    /// and the checksums of each archive are checked. If all have an index, OUT gets one that is put together of these.
    #[command(after_help = "\
Examples:
    plyzip cat games.pgn.plz other.pgn.plz -o both.plz
    plyzip cat games.pgn.plz other.pgn.plz -o indexed.plz --index
    plyzip cat games.pgn.plz other.pgn.plz | plyzip decompress - > both.pgn")]
    Cat(CatArguments),
    /// Repair a damaged archive from its recovery record
    ///
    /// The archive comes back bit for bit, as far as the record reaches: the record finds what is damaged, lost, doubled
    /// or moved, and knows what stood there. What is repaired is compared with its hash before it takes the place of
    /// what is there. Archives of several members are repaired member by member. The exit status is 3 if something is
    /// beyond repair: then `plyzip decompress --salvage` writes what can be decoded.
    #[command(after_help = "\
Examples:
    plyzip repair games.pgn.plz
    plyzip repair games.pgn.plz -o repaired.plz")]
    Repair(RepairArguments),
    /// Add a recovery record to an archive, or change its size
    ///
    /// The record is parity, from which `plyzip repair` makes damage good. It takes the place of those that are there.
    /// `plyzip compress --recovery 1%` makes one on the way.
    #[command(after_help = "\
Examples:
    plyzip protect games.pgn.plz
    plyzip protect games.pgn.plz --recovery 5%
    plyzip protect games.pgn.plz --recovery none")]
    Protect(ProtectArguments),
    /// Code an archive that was put together from several as one, which takes fewer bytes
    ///
    /// All games are decoded and coded again, and each block is compared with the original before the new archive takes
    /// the place of the old one. `plyzip info` says how many members an archive has.
    #[command(after_help = "\
Examples:
    plyzip repack games.pgn.plz
    plyzip repack games.pgn.plz --model fast")]
    Repack(RepackArguments),
    /// Write an index beside an archive, with which all questions are answered without the model
    ///
    /// The index of games.plz is games.plz.idx. `decompress`, `extract`, `list`, `stats` and `tree` use it without being
    /// asked. It holds the moves of all games in a simple form, in some 50 bytes a game, and can be deleted at any time.
    /// `append` and `cat` go on with it, and `info` tells whether it fits.
    #[command(after_help = "\
Examples:
    plyzip index games.pgn.plz
    plyzip index --check games.pgn.plz         # does it say what the archive says?")]
    Index(IndexArchivesArguments),
    /// Compare plyzip with zstd, xz and what others proposed for chess, on the games of a file
    ///
    /// Prints a table for whole files, one for codes of moves alone, and one for the ends of games. Everything is
    /// decoded again and compared with the original; if anything differs, the exit status is 1. Nothing is written but
    /// the pictures that are asked for.
    Compare(CompareArguments),
    /// List the installed models: name, size, BLAKE3 hash and file; `add` puts one in place
    #[command(after_help = "\
Models are built in, or files NAME.onnx in one of these folders:
    those that $PLYZIP_MODELS lists, separated as in $PATH
    the folder of the program
    plyzip in the user's data folder ($XDG_DATA_HOME or ~/.local/share; on macOS
    ~/Library/Application Support, on Windows %APPDATA%), where `add` puts one
    models in the checkout of plyzip that the current folder is in")]
    Models(ModelsArguments),
    /// Print what a shell needs to complete commands and options
    #[command(after_help = "\
Examples:
    plyzip completions bash > plyzip.bash     # for ~/.local/share/bash-completion/completions
    plyzip completions zsh > _plyzip          # for a folder of $fpath
    plyzip completions fish > plyzip.fish     # for ~/.config/fish/completions")]
    Completions(CompletionsArguments),
    /// Print a page of the manual in troff, of the program or of one of its commands
    #[command(after_help = "\
Examples:
    plyzip man > plyzip.1
    plyzip man compress > plyzip-compress.1     # for `man ./plyzip-compress.1`")]
    Man(ManArguments),
}

impl Command {
    /// Does what the command says.
    pub(super) fn run(
        &self,
        verbosity: Verbosity,
        definition: fn() -> clap::Command,
    ) -> Result<ExitStatus, Failure> {
        let done = |result: Result<()>| Ok(result.map(|()| ExitStatus::Success)?);
        match self {
            Command::Compress(arguments) => compress::run(arguments, verbosity),
            Command::Decompress(arguments) => decompress::run(arguments, verbosity),
            Command::Test(arguments) => decompress::test(arguments, verbosity),
            Command::Info(arguments) => show::info(arguments),
            Command::Explain(arguments) => done(explain::run(arguments, verbosity)),
            Command::Predict(arguments) => done(predict::run(arguments)),
            Command::Extract(arguments) => extract::run(arguments, verbosity),
            Command::List(arguments) => show::list(arguments, verbosity),
            Command::Index(arguments) => index::run(arguments, verbosity),
            Command::Stats(arguments) => stats::run(arguments, verbosity),
            Command::Tree(arguments) => tree::run(arguments, verbosity),
            Command::Append(arguments) => done(append::run(arguments, verbosity)),
            Command::Cat(arguments) => cat::run(arguments, verbosity).map(|()| ExitStatus::Success),
            Command::Repair(arguments) => done(repair::run(arguments, verbosity)),
            Command::Protect(arguments) => done(protect::run(arguments, verbosity)),
            Command::Repack(arguments) => done(repack::run(arguments, verbosity)),
            Command::Compare(arguments) => done(compare::run(arguments, verbosity)),
            Command::Completions(arguments) => done(completions::run(arguments, definition())),
            Command::Man(arguments) => done(man::run(arguments, definition())),
            Command::Models(arguments) => done(models::run(arguments, verbosity)),
        }
    }

    /// IN, the file that the command reads, if it reads one.
    pub(super) fn input(&self) -> Option<&Path> {
        Some(match self {
            Command::Explain(command) => &command.input,
            Command::Append(command) => &command.input,
            Command::Repair(command) => &command.input,
            Command::Protect(command) => &command.input,
            Command::Repack(command) => &command.input,
            Command::Compare(command) => &command.input,
            // These name the file themselves.
            Command::Compress(_)
            | Command::Decompress(_)
            | Command::Info(_)
            | Command::Extract(_)
            | Command::List(_)
            | Command::Stats(_)
            | Command::Tree(_)
            | Command::Test(_)
            | Command::Cat(_)
            | Command::Index(_)
            | Command::Completions(_)
            | Command::Man(_)
            | Command::Models(_)
            | Command::Predict(_) => {
                return None;
            }
        })
    }
}
