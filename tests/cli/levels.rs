//! The levels of compression.

use crate::folder::Folder;

const FAMOUS: &[u8] = include_bytes!("../../samples/famous.pgn");

#[test]
fn each_level_is_its_model_and_needs_no_file_but_the_densest() {
    let folder = Folder::new();
    folder.write("games.pgn", FAMOUS);
    for (level, model) in [(1, "none"), (2, "standard@0"), (6, "standard")] {
        folder.ok(&format!("compress -{level} -q games.pgn -o level.plz"));
        folder.ok(&format!("compress --model {model} -q games.pgn -o model.plz"));
        assert_eq!(folder.read("level.plz"), folder.read("model.plz"));
        let info = String::from_utf8(folder.ok("info level.plz")).unwrap();
        assert!(info.contains(&format!(" {model}\n")), "{info}");
        folder.ok("decompress -q level.plz -o back.pgn");
        assert_eq!(folder.read("back.pgn"), FAMOUS);
        for name in ["level.plz", "model.plz", "back.pgn"] {
            std::fs::remove_file(folder.path(name)).unwrap();
        }
    }
    folder.ok("compress -q games.pgn -o a.plz");
    folder.ok("-6 -q games.pgn -o b.plz");
    assert_eq!(folder.read("a.plz"), folder.read("b.plz"));

    let densest = folder.run("-9 games.pgn");
    assert_eq!(densest.status.code(), Some(4));
    assert!(String::from_utf8_lossy(&densest.stderr).contains("`max`"));
}

#[test]
fn a_search_of_more_nodes_costs_no_more_bytes() {
    let folder = Folder::new();
    folder.write("games.pgn", FAMOUS);
    let sizes = [1, 2, 5].map(|level| {
        folder.ok(&format!("compress -{level} -q games.pgn -o {level}.plz"));
        folder.read(&format!("{level}.plz")).len()
    });
    assert!(sizes.is_sorted_by(|one, next| one > next), "{sizes:?}");
}

/// The levels, each with its numbers, of lines that begin with `before` and a level.
fn figures(text: &str, before: &str) -> Vec<Vec<String>> {
    let of_level = |line: &str| {
        let rest = line.strip_prefix(before)?;
        let words = rest.split([' ', '|', '`']).filter(|word| !word.is_empty());
        let words: Vec<String> = words.map(str::to_owned).collect();
        // The level and its model, then bits a move, bytes a game and games a second.
        let (level, rest) = words.split_first()?;
        level.starts_with('-').then(|| {
            let last = rest.len().saturating_sub(3);
            let model = rest[0].trim_end_matches(',').to_owned();
            [level.clone(), model].into_iter().chain(rest[last..].to_vec()).collect()
        })
    };
    text.lines().filter_map(of_level).collect()
}

#[test]
fn the_help_has_the_figures_of_the_documents() {
    let help = String::from_utf8(Folder::new().ok("compress --help")).unwrap();
    let (_, table) = help.split_once("Levels, on").unwrap();
    let of_help = figures(table, "    ");
    let documents = include_str!("../../docs/cli.md");
    let (_, table) = documents.split_once("| level | model |").unwrap();
    let (table, _) = table.split_once("\n\n").unwrap();
    let of_documents = figures(table, "| `");
    assert_eq!(of_help.len(), 9);
    assert_eq!(of_help, of_documents);
}

#[test]
fn help_and_documents_have_the_search_of_the_default() {
    let manifest = include_str!("../../models/standard.json");
    let (_, search) = manifest.split_once("\"search\": \"").unwrap();
    let (search, _) = search.split_once('"').unwrap();
    let (nodes, width) = search.split_once(' ').unwrap();
    let help = String::from_utf8(Folder::new().ok("compress --help")).unwrap();
    let words: Vec<&str> = help.split_whitespace().collect();
    let help = words.join(" ");
    let documents = include_str!("../../docs/cli.md");
    assert!(help.contains(&format!("{nodes} (6, the default)")));
    assert!(help.contains(&format!("instead of {nodes} for {width}")));
    assert!(documents.contains(&format!("`standard`, {nodes} nodes for {width} moves")));
    assert!(
        documents.contains(&format!("a search of {nodes} nodes for each position; the default"))
    );
}
