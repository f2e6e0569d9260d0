//! What commands read: several files, folders, what other programs have compressed; and the short forms.

mod packed;
mod progress;
mod several;
mod short_forms;

use crate::folder::Folder;
use crate::pgn;

/// A folder with `games.pgn` and `other.pgn` in it.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("games.pgn", games());
    folder.write("other.pgn", other());
    folder
}

fn games() -> Vec<u8> {
    pgn::games(8).concat()
}

fn other() -> Vec<u8> {
    pgn::games(12)[8..].concat()
}
