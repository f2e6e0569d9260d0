//! The arguments of `plyzip compare`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{ArgGroup, Args};

use crate::cli::arguments::Coding;

/// `plyzip compare`
#[derive(Debug, Clone, Args)]
#[command(group(ArgGroup::new("pictures").args(["plot", "plot_sizes"]).multiple(true)))]
pub struct CompareArguments {
    /// The games, as PGN, compressed by another program or not; `-` for standard input
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
    /// Measure only the rows with these ids, which are the first column of the tables
    #[arg(long, value_name = "ID,…", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Compare codes for single positions, too
    #[arg(long)]
    pub positions: bool,
    /// Let the network of `standard` order the moves for the systems that ask for a good predictor, too. Slow
    #[arg(long)]
    pub network: bool,
    /// Hold a policy network in Leela's format against the models: bits a move, and how many moves are its favourites,
    /// with each game by itself. 112 planes in, 1,858 moves out, as `lc0 leela2onnx` and Maia have it
    #[cfg(feature = "policy")]
    #[arg(long, value_name = "NETWORK.onnx")]
    pub policy: Option<PathBuf>,
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
    use super::*;

    #[test]
    fn figures_are_names_and_bytes() {
        let read = |text| figure(text).map(|Figure { name, bytes }| (name, bytes));
        assert_eq!(read("zpaq -m5=12"), Ok(("zpaq -m5".into(), 12)));
        assert_eq!(read("xz --lzma2=dict=8=3"), Ok(("xz --lzma2=dict=8".into(), 3)));
        for wrong in ["zpaq", "=12", " =12", "zpaq=", "zpaq=0", "zpaq=-1", "zpaq=1.5"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
