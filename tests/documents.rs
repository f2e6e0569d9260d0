//! What the documents say of the project itself.

use std::fs;
use std::path::{Path, PathBuf};

use plyzip::archive::WriterOptions;

/// The root of the project.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The documents for readers, experiments included.
fn documents() -> Vec<PathBuf> {
    let folders = ["", "docs", "docs/experiments", "docs/format"].map(|folder| root().join(folder));
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let paths = files.map(|file| file.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect()
}

fn text(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap()
}

#[test]
fn all_name_the_same_version_of_rust() {
    let manifest = text("Cargo.toml");
    let version = manifest.split("rust-version = \"").nth(1).unwrap().split('"').next().unwrap();
    for name in ["README.md", "CONTRIBUTING.md"] {
        let text = text(name);
        let named: Vec<&str> = text
            .split("Rust ")
            .skip(1)
            .map(|rest| rest.split(|letter: char| letter != '.' && !letter.is_ascii_digit()).next())
            .map(|version| version.unwrap().trim_end_matches('.'))
            .filter(|version| !version.is_empty())
            .collect();
        assert!(
            !named.is_empty() && named.iter().all(|&named| named == version),
            "{name}: {named:?}"
        );
    }
}

#[test]
fn the_wheel_has_the_address_of_the_program() {
    let addresses = |manifest: &str| -> Vec<String> {
        let lines = text(manifest);
        let named = lines
            .lines()
            .filter(|line| line.starts_with("repository = ") || line.starts_with("homepage = "));
        named.map(str::to_owned).collect()
    };
    let program = addresses("Cargo.toml");
    assert_eq!(program.len(), 2, "{program:?}");
    assert_eq!(addresses("bindings/python/Cargo.toml"), program);
}

#[test]
fn links_lead_to_files() {
    let documents = documents();
    assert!(documents.len() > 10);
    for document in documents {
        let text = fs::read_to_string(&document).unwrap();
        let folder = document.parent().unwrap();
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let sources = text.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next());
        for target in targets.chain(sources) {
            let path = target.split('#').next().unwrap();
            if !path.is_empty() && !path.contains("://") {
                assert!(folder.join(path).exists(), "{}: {target}", document.display());
            }
        }
    }
}

#[test]
fn lines_of_prose_are_no_longer_than_120_columns() {
    let named = [
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "docs/c.md",
        "docs/cli.md",
        "docs/cluster.md",
        "docs/format.md",
        "docs/generation.md",
        "docs/history.md",
        "docs/portability.md",
        "docs/positions.md",
        "docs/python.md",
        "docs/single-games.md",
        "docs/web.md",
    ];
    let chapters =
        documents().into_iter().filter(|path| path.starts_with(root().join("docs/format")));
    for path in named.into_iter().map(|name| root().join(name)).chain(chapters) {
        for (number, line) in fs::read_to_string(&path).unwrap().lines().enumerate() {
            // A table's row cannot be broken.
            let long = !line.starts_with('|') && line.chars().count() > 120;
            assert!(!long, "{}:{}", path.display(), number + 1);
        }
    }
}

#[test]
fn named_files_of_the_source_are_there() {
    // Experiments name the files of their time.
    let documents =
        documents().into_iter().filter(|path| !path.starts_with(root().join("docs/experiments")));
    let mut seen = 0;
    for document in documents {
        let text = fs::read_to_string(&document).unwrap();
        for name in text.split('`').skip(1).step_by(2) {
            let folders = ["src/", "codec/", "history/", "tests/"];
            let source = folders.iter().any(|folder| name.starts_with(folder));
            if source && !name.contains(['{', '*', ' ', '\n']) {
                assert!(root().join(name).exists(), "{}: {name}", document.display());
                seen += 1;
            }
        }
    }
    assert!(seen > 10);
}

#[test]
fn defaults_are_those_of_the_library() {
    let thousands = |number: u64, mark: &str| {
        let digits = number.to_string();
        let (head, tail) = digits.split_at(digits.len() - 3);
        format!("{head}{mark}{tail}")
    };
    let block = WriterOptions::default().block_games;
    let (block, typed) = (thousands(block, ","), thousands(block, "_"));
    let (page, none) = (WriterOptions::PAGE_GAMES, WriterOptions::PAGE_GAMES_WITHOUT_NETWORK);
    for (name, told) in [
        ("src/archive/options.rs", format!("Default: {block}.")),
        ("src/cli/commands/compress.rs", format!("[default: {page}, with `none` {none}]")),
        ("bindings/c/src/settings.rs", format!("the default is {block}.")),
        (
            "bindings/c/src/settings.rs",
            format!("default is {page} with a network, and {none} with"),
        ),
        ("bindings/c/plyzip.h", format!("the default is {block}.")),
        ("bindings/c/plyzip.h", format!("default is {page} with a network, and {none} with")),
        ("bindings/c/plyzip.h", format!("decoded for it, {page} games by default")),
        ("bindings/python/src/compress.rs", format!("block_games={typed},")),
        ("bindings/python/plyzip/slices/__init__.py", format!("block_games: int = {typed},")),
        ("bindings/python/plyzip/spark.py", format!("block_games: int = {typed},")),
        ("docs/cluster.md", format!("blocks with {block} games")),
        ("docs/cluster.md", format!("page ({page} games, without a network {none})")),
        ("docs/format.md", format!("cuts a block after {block} games")),
        ("docs/format.md", format!("a page after {page} games, without a network {none}")),
        ("docs/web.md", format!("a page of {page} takes")),
    ] {
        let text = text(name).replace("///", "").replace(" * ", " ");
        let words: Vec<&str> = text.split_whitespace().collect();
        assert!(words.join(" ").contains(&told), "{name}: {told}");
    }
}
