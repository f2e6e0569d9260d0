//! Prints what a network says of every position of some games, as integers in units of 2^-16 nat:
//!
//!     cargo run --release -p plyzip-board --example outputs -- small.onnx games.pgn
//!
//! A line for each position: the logits of the legal moves in the canonical order, of moves that people play and then of
//! those that the teacher plays; the game's end; won, drawn, lost. The groups are parted by `|`.
//!
//!     cargo run --release -p plyzip-board --example outputs -- --sample toy|small|large > random.onnx
//!
//! writes the file of a network of random weights.

use std::io::{BufWriter, Write, stdout};

use anyhow::{Context, bail};
use plyzip_board::{GameContext, Network, Seen, Sizes, sample};
use plyzip_codec::pgn;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut out = BufWriter::new(stdout().lock());
    match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--sample", size] => {
            let sizes = match *size {
                "toy" => Sizes::TOY,
                "small" => Sizes::SMALL,
                "large" => Sizes::LARGE,
                _ => bail!("there is no size {size}"),
            };
            out.write_all(&sample(&sizes, 1))?;
        }
        [network, games] => print(network, games, &mut out)?,
        _ => bail!("usage: outputs NETWORK GAMES; outputs --sample SIZE"),
    }
    Ok(out.flush()?)
}

fn print(network: &str, games: &str, out: &mut impl Write) -> anyhow::Result<()> {
    let network = std::fs::read(network).with_context(|| format!("cannot read {network}"))?;
    let network = Network::from_bytes(&network)?;
    let games = std::fs::read(games).with_context(|| format!("cannot read {games}"))?;
    for game in pgn::parse(&games).into_games() {
        let (Some(line), Some(start)) = (game.lines.first(), game.start()) else { continue };
        let context = GameContext::from_tags(&game);
        let mut seen = Seen::new(start);
        let mut views = vec![seen.view(&context)];
        for &played in &line.moves {
            seen.play(played);
            views.push(seen.view(&context));
        }
        for outputs in network.evaluate(&views) {
            let text =
                |numbers: &[i32]| numbers.iter().map(i32::to_string).collect::<Vec<_>>().join(" ");
            let groups = [&outputs.played[..], &outputs.taught, &[outputs.end], &outputs.value];
            writeln!(out, "{}", groups.map(text).join("|"))?;
        }
    }
    Ok(())
}
