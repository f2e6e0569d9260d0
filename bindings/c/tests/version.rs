//! The version is the library's, and what decides an archive's bytes is of the same versions in both lock files.

// A test may stop where the library may not.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A file of the library, by its path in the repository.
fn text(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(root.join(path)).unwrap()
}

#[test]
fn the_version_is_that_of_the_library() {
    let version = concat!("\nversion = \"", env!("CARGO_PKG_VERSION"), "\"\n");
    assert!(text("Cargo.toml").contains(version));
}

#[test]
fn pinned_dependencies_are_those_of_the_library() {
    const PINNED: [&str; 3] = ["constriction", "lzma-rust2", "shakmaty"];
    let pinned = |path| {
        let lock = text(path);
        let packages = lock.split("[[package]]\n").map(|package| {
            let mut lines = package.lines();
            (lines.next().unwrap_or("").to_owned(), lines.next().unwrap_or("").to_owned())
        });
        let wanted = packages.filter(|(name, _)| {
            PINNED.iter().any(|pinned| *name == format!("name = \"{pinned}\""))
        });
        wanted.collect::<BTreeSet<_>>()
    };
    let ours = pinned("bindings/c/Cargo.lock");
    assert_eq!(ours.len(), PINNED.len());
    assert_eq!(ours, pinned("Cargo.lock"));
}
