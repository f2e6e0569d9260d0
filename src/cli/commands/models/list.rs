//! `plyzip models` without a command: the available models.

use std::fmt::Write as _;
use std::io;

use plyzip::{ModelStore, Result, StoredModel};
use serde::Serialize;

use crate::cli::arguments::Verbosity;
use crate::cli::files::standard;
use crate::cli::shown::{shown, shown_path, tell};

/// What `plyzip models --json` prints. Fields may be added, none goes.
#[derive(Debug, Serialize)]
struct Report {
    models: Vec<ModelReport>,
    /// Where they were looked for.
    folders: Vec<String>,
}

#[derive(Debug, Serialize)]
struct ModelReport {
    name: String,
    bytes: u64,
    /// Archives and `plyzip info` give its first 16 bytes as the model's hash.
    blake3: String,
    /// `null` if the model is built in.
    path: Option<String>,
}

/// Lists the available models, and with -v the folders that were searched.
pub fn run(as_json: bool, verbosity: Verbosity) -> Result<()> {
    let store = ModelStore::of_system();
    let models = store.models();
    let text = if as_json { json(&store, &models)? } else { table(&models) };
    standard::print(&text)?;
    if verbosity.verbose {
        for folder in store.folders() {
            tell(&format!("searched {}", folder.display()));
        }
    }
    Ok(())
}

fn json(store: &ModelStore, models: &[StoredModel]) -> Result<String> {
    let models = models.iter().map(|model| ModelReport {
        name: model.name.clone(),
        bytes: model.bytes,
        blake3: model.hash.to_string(),
        path: model.path.as_ref().map(|path| path.display().to_string()),
    });
    let folders = store.folders().iter().map(|folder| folder.display().to_string());
    let report = Report { models: models.collect(), folders: folders.collect() };
    Ok(serde_json::to_string(&report).map_err(io::Error::from)? + "\n")
}

fn table(models: &[StoredModel]) -> String {
    let mut text = String::new();
    for StoredModel { name, hash, bytes, path, .. } in models {
        let place = path.as_ref().map_or("built in".into(), |path| shown_path(path));
        let name = shown(name);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name:12} {bytes:>10} bytes  {hash}  {place}");
    }
    text
}
