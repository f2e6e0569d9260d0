//! Labels: a teacher's policy, as `training/board/label.py` writes it (its head has the layout).

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// The first bytes of a file of labels, and the version of its layout.
pub const MAGIC: &[u8; 4] = b"PZTL";
pub const VERSION: u32 = 1;

const HEADER: usize = 20;
const RECORD: usize = 10;

/// The teacher's policy in one position of a game.
#[derive(Debug, Clone)]
pub struct Label {
    pub ply: u16,
    /// Places of moves in the canonical order, with their shares in 255; moves that it would play hardly ever are left
    /// out.
    pub shares: Vec<(u8, u8)>,
}

/// All labels of a folder, by game.
pub fn read(folder: &Path) -> io::Result<BTreeMap<usize, Vec<Label>>> {
    let mut games: BTreeMap<usize, Vec<Label>> = BTreeMap::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "labels") {
            let bytes = std::fs::read(&path)?;
            shard(&bytes, &mut games).ok_or_else(|| {
                io::Error::other(format!("{}: no labels of version {VERSION}", path.display()))
            })?;
        }
    }
    Ok(games)
}

fn shard(bytes: &[u8], games: &mut BTreeMap<usize, Vec<Label>>) -> Option<()> {
    let (header, mut rest) = bytes.split_first_chunk::<HEADER>()?;
    let number = |at: usize| {
        u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
    };
    if &header[..4] != MAGIC || number(4) != VERSION {
        return None;
    }
    for _ in 0..number(16) {
        let (record, after) = rest.split_first_chunk::<RECORD>()?;
        let (pairs, after) = after.split_at_checked(2 * usize::from(record[6]))?;
        let game = u32::from_le_bytes([record[0], record[1], record[2], record[3]]);
        let label = Label {
            ply: u16::from_le_bytes([record[4], record[5]]),
            shares: pairs.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect(),
        };
        games.entry(game as usize).or_default().push(label);
        rest = after;
    }
    rest.is_empty().then_some(())
}
