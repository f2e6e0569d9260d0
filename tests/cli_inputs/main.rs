//! What commands read: several files, folders, what other programs have compressed; and the short forms.

#[path = "../cli_folder/mod.rs"]
mod cli_folder;
#[path = "../pgn/mod.rs"]
mod pgn;

mod packed;
mod progress;
mod several;
mod short_forms;

use cli_folder::Folder;

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
