//! The files that a command shall work on.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use plyzip::{Error, Result};

use super::input::STANDARD;
use super::kind::Format;
use super::named::at;
use crate::cli::names::SUFFIX;

/// `paths` in their order; if `recursive`, in the place of each folder all files below it that `wanted` knows by their
/// names, sorted by name folder by folder. Symbolic links below a folder are not followed.
///
/// # Errors
/// [`Error::Io`] if a folder is named and they shall not be searched, or if one cannot be; [`Error::Usage`] if a folder
/// has no such file.
pub fn found(
    paths: &[PathBuf],
    recursive: bool,
    wanted: impl Fn(&Path) -> bool,
) -> Result<Vec<PathBuf>> {
    let mut found = vec![];
    for path in paths {
        let is_folder = path.as_os_str() != STANDARD && path.is_dir();
        if !is_folder {
            found.push(path.clone());
        } else if recursive {
            let before = found.len();
            search(path, &wanted, &mut found)?;
            if found.len() == before {
                return Err(Error::Usage(format!("{}: no such files below it", path.display())));
            }
        } else {
            let kind = io::ErrorKind::IsADirectory;
            let what = "is a directory (-r takes the files below it)";
            return Err(at(path, &io::Error::new(kind, what)));
        }
    }
    Ok(found)
}

fn search(folder: &Path, wanted: &impl Fn(&Path) -> bool, found: &mut Vec<PathBuf>) -> Result<()> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut entries = entries.map_err(|error| at(folder, &error))?;
    entries.sort_unstable_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let kind = entry.file_type().map_err(|error| at(&path, &error))?;
        if kind.is_dir() {
            search(&path, wanted, found)?;
        } else if kind.is_file() && wanted(&path) {
            found.push(path);
        }
    }
    Ok(())
}

/// `paths` in their order; in the place of each folder all archives and all PGN below it, as [`found`] has them. Of a PGN
/// whose archive is there, too, only the archive.
///
/// # Errors
/// Those of [`found`].
pub fn games_found(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    found(paths, true, |path| is_named_archive(path) || is_named_pgn(path) && !has_archive(path))
}

/// Whether the archive that `plyzip compress` makes of a PGN lies beside it.
fn has_archive(path: &Path) -> bool {
    // The archive of games.pgn.gz is games.pgn.plz.
    let packed = Format::ALL.iter().any(|format| format.is_named_by(path));
    let pgn = if packed { path.with_extension("") } else { path.to_owned() };
    let mut archive = pgn.into_os_string();
    archive.push(".");
    archive.push(SUFFIX);
    Path::new(&archive).exists()
}

/// Whether a file is a PGN by its name, as it is or compressed: `.pgn`, `.pgn.gz` and so on.
pub fn is_named_pgn(path: &Path) -> bool {
    let packed = Format::ALL.iter().any(|format| format.is_named_by(path));
    let inner = if packed { path.file_stem().map(Path::new) } else { Some(path) };
    let extension = inner.and_then(Path::extension);
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"))
}

/// Whether a file is an archive by its name.
pub fn is_named_archive(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == SUFFIX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_is_searched_for() {
        for name in ["a.pgn", "A.PGN", "a.pgn.gz", "a.pgn.ZST", "a.b.pgn.zip"] {
            assert!(is_named_pgn(Path::new(name)), "{name}");
        }
        for name in ["pgn", ".pgn", "a.pgn.plz", "a.gz", "a.zip", "a.txt", "a.pgn.gz.gz"] {
            assert!(!is_named_pgn(Path::new(name)), "{name}");
        }
    }
}
