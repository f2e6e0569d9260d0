//! A chess engine as another process, spoken to by the
//! [Universal Chess Interface](https://www.chessprogramming.org/UCI).

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, bail};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move};

/// Centipawns that stand for a mate.
const MATE: i32 = 10_000;

/// An engine that has been started; it ends when this is dropped.
pub struct UciEngine {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl UciEngine {
    /// Starts a program, with one thread.
    ///
    /// # Errors
    /// If it cannot be started, or does not answer as an engine.
    pub fn start(program: &str) -> anyhow::Result<UciEngine> {
        let mut process = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {program}"))?;
        let input = process.stdin.take().context("the engine has no input")?;
        let output = BufReader::new(process.stdout.take().context("the engine has no output")?);
        let mut engine = UciEngine { process, input, output };
        engine.say("uci")?;
        engine.until("uciok")?;
        engine.say("setoption name Threads value 1")?;
        engine.new_game()?;
        Ok(engine)
    }

    /// Has it forget the game before.
    ///
    /// # Errors
    /// If it does not answer.
    pub fn new_game(&mut self) -> anyhow::Result<()> {
        self.say("ucinewgame")?;
        self.say("isready")?;
        self.until("readyok")?;
        Ok(())
    }

    /// The best move after `moves` from `begin`, of which `position` is the end, and what it is worth to the side to move,
    /// in centipawns, by a search of `nodes` positions.
    ///
    /// # Errors
    /// If it does not answer with a legal move and its value.
    pub fn choose(
        &mut self,
        begin: &Chess,
        moves: &[Move],
        position: &Chess,
        nodes: u64,
    ) -> anyhow::Result<(Move, i32)> {
        let mut line =
            format!("position fen {} moves", Fen::from_position(begin, EnPassantMode::Legal));
        for &played in moves {
            line += &format!(" {}", played.to_uci(CastlingMode::Standard));
        }
        self.say(&line)?;
        self.say(&format!("go nodes {nodes}"))?;
        let (lines, last) = self.until("bestmove ")?;
        let value = lines.iter().rev().find_map(|line| value(line)).context("no value")?;
        let word = last.split_whitespace().nth(1).unwrap_or_default();
        let Ok(played) = word.parse::<UciMove>() else { bail!("the engine says {last:?}") };
        let played = played.to_move(position).with_context(|| format!("{word} is not legal"))?;
        Ok((played, value))
    }

    fn say(&mut self, line: &str) -> anyhow::Result<()> {
        writeln!(self.input, "{line}").context("the engine has ended")
    }

    /// Reads to the line that begins with `word`: those before, and that line.
    fn until(&mut self, word: &str) -> anyhow::Result<(Vec<String>, String)> {
        let mut lines = vec![];
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                bail!("the engine has ended");
            }
            if line.starts_with(word) {
                return Ok((lines, line));
            }
            lines.push(line);
        }
    }
}

impl Drop for UciEngine {
    fn drop(&mut self) {
        // One that has ended by itself is as good.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The value that a line of the engine's output tells.
fn value(line: &str) -> Option<i32> {
    let mut words = line.split_whitespace().skip_while(|&word| word != "score").skip(1);
    let (unit, number) = (words.next()?, words.next()?.parse::<i32>().ok()?);
    match unit {
        "cp" => Some(number),
        "mate" if number > 0 => Some(MATE),
        "mate" => Some(-MATE),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_from_lines() {
        assert_eq!(value("info depth 5 seldepth 6 score cp -34 nodes 420 pv e7e5\n"), Some(-34));
        assert_eq!(value("info depth 5 score cp 12 upperbound nodes 9"), Some(12));
        assert_eq!(value("info depth 9 score mate -3 nodes 9"), Some(-MATE));
        assert_eq!(value("info depth 9 score mate 2 nodes 9"), Some(MATE));
        assert_eq!(value("info depth 9 currmove e2e4 currmovenumber 1"), None);
    }

    #[test]
    fn a_program_that_is_no_engine_is_refused() {
        assert!(UciEngine::start("true").is_err());
        assert!(UciEngine::start("no such program").is_err());
    }
}
