//! The list of the golden archives: how each was made, and what it and its original are.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use plyzip::archive::{FileInfo, ReaderOptions, WriterOptions};
use plyzip::{Model, ModelStore};
use serde::{Deserialize, Serialize};

/// An archive.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Golden {
    /// Its name in the folder.
    pub file: String,
    /// The files that it was put together from; then nothing else says how it was made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
    /// `none`, the name of a model that ships, or the name of a model that some archive holds.
    pub model: String,
    /// Whether the archive holds its model's file.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub embed_model: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_games: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_bytes: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_games: Option<u64>,
    /// The name of the original's file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The time of the original's file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified: Option<i64>,
    pub games: u64,
    pub original: Bytes,
    pub archive: Bytes,
}

/// What identifies a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bytes {
    pub bytes: usize,
    pub blake3: String,
}

impl Bytes {
    pub fn of(data: &[u8]) -> Bytes {
        Bytes { bytes: data.len(), blake3: blake3::hash(data).to_hex().to_string() }
    }
}

/// The folder of the archives of this generation.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/archives/1")
}

/// The archives of this generation.
pub fn manifest() -> Vec<Golden> {
    serde_json::from_slice(&fs::read(folder().join("manifest.json")).unwrap()).unwrap()
}

impl Golden {
    /// How the archive is cut.
    pub fn options(&self) -> WriterOptions {
        let usual = WriterOptions::default();
        usual
            .block_games(self.block_games.unwrap_or(usual.block_games))
            .block_bytes(self.block_bytes.unwrap_or(usual.block_bytes))
            .page_games(self.page_games)
            .verify(false)
    }

    /// What the archive says of the original's file.
    pub fn file_info(&self) -> FileInfo {
        FileInfo::new(self.name.as_deref(), self.modified).unwrap()
    }
}

/// The models that ship, each opened once.
#[derive(Default)]
pub struct Models(HashMap<String, Model>);

impl Models {
    /// The model of this name.
    pub fn open(&mut self, name: &str) -> Model {
        if name == "none" {
            return Model::none();
        }
        let model = self.0.entry(name.to_owned()).or_insert_with(|| {
            let file = format!("models/{name}.onnx");
            Model::open(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap()
        });
        model.clone()
    }

    /// What a reader of an archive is given: the model that it names, but not one that it holds. Models of the parts
    /// of an archive are found in the folder of models.
    pub fn options(&mut self, golden: &Golden) -> ReaderOptions {
        let given = !golden.embed_model && golden.parts.is_empty();
        let model = given.then(|| self.open(&golden.model));
        let store = ModelStore::new(vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("models")]);
        ReaderOptions::new().model(model).store(store)
    }
}

/// The file of the model that an archive begins with, as `docs/format.md` describes the section.
pub fn embedded_model(archive: &[u8]) -> &[u8] {
    fn varint(bytes: &mut &[u8]) -> usize {
        let length = 1 + bytes.iter().position(|&byte| byte < 0x80).unwrap();
        let (number, rest) = bytes.split_at(length);
        *bytes = rest;
        number.iter().rev().fold(0, |number, &byte| number << 7 | usize::from(byte & 0x7f))
    }
    let [_, _, _, _, _, _, _, 7, rest @ ..] = archive else { panic!("no model to begin with") };
    let mut rest = rest;
    let name = varint(&mut rest);
    rest = &rest[name + 16..];
    let length = varint(&mut rest);
    &rest[..length]
}
