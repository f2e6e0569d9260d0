//! A thread that decodes the names of new players while another decodes all other tags.

use std::sync::mpsc;
use std::thread;

use super::new_players::NewPlayersDecoder;
use crate::{Error, Result};

/// Names that are sent at once.
const BATCH: usize = 32;
/// Batches that may wait to be used.
const WAITING: usize = 8;

/// Runs `work`, which asks for one name after the other, while a thread decodes them. Whether all were asked for.
///
/// # Errors
/// Those of `work`, [`Error::Io`] if there is no thread, [`Error::Damaged`] if there are fewer names.
pub(super) fn with_names(
    mut players: NewPlayersDecoder,
    work: impl FnOnce(&mut dyn FnMut() -> Result<Vec<u8>>) -> Result<()>,
) -> Result<bool> {
    let (sender, receiver) = mpsc::sync_channel(WAITING);
    thread::scope(|scope| {
        // Dropped before the thread is waited for, which may itself wait for a place in the channel.
        let mut names = receiver.into_iter().flatten();
        let decoder = thread::Builder::new().spawn_scoped(scope, move || {
            let mut failed = false;
            while !players.is_at_end() && !failed {
                let mut batch = Vec::with_capacity(BATCH);
                while batch.len() < BATCH && !players.is_at_end() && !failed {
                    let name = players.next();
                    failed = name.is_err();
                    batch.push(name);
                }
                // The receiver is gone if the other tags turned out to be damaged.
                if sender.send(batch).is_err() {
                    break;
                }
            }
        });
        decoder.map_err(Error::Io)?;
        let fewer = || Error::damaged("fewer names than players");
        work(&mut || names.next().ok_or_else(fewer)?)?;
        Ok(names.next().is_none())
    })
}
