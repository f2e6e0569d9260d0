//! Packed games: what training needs of games from the usual start, one byte a ply.
//!
//! A game is: ratings of White and Black (u16 each, 0 if unknown, little-endian as all numbers here), result (u8: 0
//! unknown, 1 White won, 2 Black won, 3 a draw), whether moves are missing at its end (u8), year (u16, 0 if unknown),
//! twice the pace and 1 more if it was played online (u8), plies (u16), and for each ply the move's place in the
//! canonical order (u8). Games follow each other without anything between; a file may be compressed with xz.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, bail, ensure};
use lzma_rust2::XzReader;

/// Bytes before the moves.
const HEADER: usize = 11;

/// How a file of xz begins.
const XZ: &[u8] = b"\xfd7zXZ\0";

/// Paces, each with and without a server.
const PACES: u8 = 5;

/// A game from the usual start.
#[derive(Debug, Clone, Copy)]
pub struct Game<'a> {
    /// Ratings of White and Black, 0 if unknown.
    pub elo: [u16; 2],
    /// 0 unknown, 1 White won, 2 Black won, 3 a draw.
    pub result: u8,
    /// Whether moves are missing at its end.
    pub cut: bool,
    /// 0 if unknown.
    pub year: u16,
    /// Twice the pace, and 1 more if it was played online.
    pub pace: u8,
    /// The place of each move in the canonical order.
    pub moves: &'a [u8],
}

impl Game<'_> {
    /// Positions of the game, the one after its last move among them.
    pub fn positions(&self) -> usize {
        self.moves.len() + 1
    }

    /// Bytes of the packed game.
    #[cfg(feature = "plyzip")]
    pub fn size(&self) -> usize {
        HEADER + self.moves.len()
    }

    /// Packs the game. It must have less than 65,536 plies.
    #[cfg(feature = "plyzip")]
    pub fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        let plies = u16::try_from(self.moves.len()).map_err(io::Error::other)?;
        out.write_all(&self.elo[0].to_le_bytes())?;
        out.write_all(&self.elo[1].to_le_bytes())?;
        out.write_all(&[self.result, self.cut.into()])?;
        out.write_all(&self.year.to_le_bytes())?;
        out.write_all(&[self.pace])?;
        out.write_all(&plies.to_le_bytes())?;
        out.write_all(self.moves)
    }
}

/// The bytes of a file of packed games, decompressed.
pub fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let read = || {
        let bytes = fs::read(path)?;
        if !bytes.starts_with(XZ) {
            return Ok(bytes);
        }
        let mut packed = vec![];
        XzReader::new(bytes.as_slice(), true).read_to_end(&mut packed)?;
        io::Result::Ok(packed)
    };
    read().with_context(|| format!("cannot read {}", path.display()))
}

/// All games of a file; only their moves are not looked at yet.
///
/// Errors name a game by its number, counted from 0 as in game.bin.
pub fn games(bytes: &[u8]) -> anyhow::Result<Vec<Game<'_>>> {
    let mut games = vec![];
    let mut rest = bytes;
    while !rest.is_empty() {
        let (game, next) = game(rest).with_context(|| format!("game {}", games.len()))?;
        games.push(game);
        rest = next;
    }
    Ok(games)
}

fn game(bytes: &[u8]) -> anyhow::Result<(Game<'_>, &[u8])> {
    let Some((header, rest)) = bytes.split_first_chunk::<HEADER>() else {
        bail!("the file ends within its header")
    };
    let number = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
    let [result, cut, pace] = [header[4], header[5], header[8]];
    ensure!(result <= 3, "there is no result {result}");
    ensure!(cut <= 1, "{cut} does not say whether moves are missing");
    ensure!(pace < 2 * PACES, "there is no pace {pace}");
    let Some((moves, next)) = rest.split_at_checked(usize::from(number(9))) else {
        bail!("the file ends within its moves")
    };
    let game =
        Game { elo: [number(0), number(2)], result, cut: cut == 1, year: number(6), pace, moves };
    Ok((game, next))
}
