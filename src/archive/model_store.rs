//! The store of models: those in the program, and those in folders.

use std::borrow::Cow;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::{env, io};

use super::format::digest::Digest;
use super::format::model_id::ModelId;
use crate::{Error, Model, ModelHash, Result};

/// The environment variable that names folders of models, separated as in `PATH`.
const FOLDERS: &str = "PLYZIP_MODELS";

/// The extension of a model's file; the rest of the file's name is the model's.
const EXTENSION: &str = "onnx";

/// The models at hand: those that are built into the program, and the files `NAME.onnx` in some folders.
///
/// The default has no folders. Nothing is read before a model is asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModelStore {
    folders: Vec<PathBuf>,
}

/// A model that a [`ModelStore`] has, not opened yet.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoredModel {
    /// Its name: its file's without the extension.
    pub name: String,
    /// The hash of the file.
    pub hash: ModelHash,
    /// Bytes of the file.
    pub bytes: u64,
    /// The file; `None` if the model is built into the program.
    pub path: Option<PathBuf>,
}

impl ModelStore {
    /// The built-in models and those in `folders`, which need not exist; the first are preferred.
    pub fn new(folders: Vec<PathBuf>) -> ModelStore {
        ModelStore { folders }
    }

    /// The built-in models and those in the folders where users keep them:
    ///
    /// 1. those that the environment variable `PLYZIP_MODELS` lists, separated as in `PATH`;
    /// 2. the folder of the executable;
    /// 3. `plyzip` in the user's data folder: `$XDG_DATA_HOME` or `~/.local/share`, on macOS
    ///    `~/Library/Application Support`, on Windows `%APPDATA%`;
    /// 4. `models` of the checkout of plyzip that the current folder is in.
    pub fn of_system() -> ModelStore {
        let listed = env::var_os(FOLDERS).unwrap_or_default();
        // WebAssembly's standard library splits no lists: the variable is one folder there.
        let listed: Vec<PathBuf> = match cfg!(target_family = "wasm") {
            true => vec![listed.into()],
            false => env::split_paths(&listed).collect(),
        };
        let listed = listed.into_iter().filter(|folder| !folder.as_os_str().is_empty());
        let executable = env::current_exe().ok();
        let executable = executable.as_deref().and_then(Path::parent).map(Path::to_owned);
        let data = ModelStore::user_folder();
        let checkout = env::current_dir().ok().and_then(|folder| models_of_checkout(&folder));
        let mut folders: Vec<PathBuf> = vec![];
        for folder in listed.chain(executable).chain(data).chain(checkout) {
            if !folders.iter().any(|known| is_same(known, &folder)) {
                folders.push(folder);
            }
        }
        ModelStore { folders }
    }

    /// The folder where a user keeps models: `plyzip` in the user's data folder. It need not exist; `None` if nothing
    /// says where that is.
    pub fn user_folder() -> Option<PathBuf> {
        dirs::data_dir().map(|folder| folder.join("plyzip"))
    }

    /// The folders, in the order in which they are searched.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// All models, the built-in ones first, then those of each folder by name. What cannot be read is left
    /// out. The files are hashed, but not checked otherwise.
    pub fn models(&self) -> Vec<StoredModel> {
        let built_in = Model::embedded_files().iter().map(|&(name, file)| StoredModel {
            name: name.into(),
            hash: ModelHash::of(file),
            bytes: file.len() as u64,
            path: None,
        });
        let mut models: Vec<StoredModel> = built_in.collect();
        for folder in &self.folders {
            let Ok(entries) = fs::read_dir(folder) else { continue };
            let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
            let mut paths: Vec<PathBuf> = paths.filter(|path| has_extension(path)).collect();
            paths.sort();
            models.extend(paths.into_iter().filter_map(|path| stored(path).ok()));
        }
        models
    }

    /// `none`, the model of this name, or the file of this path. Only what is a plain file name without the
    /// extension `.onnx` can be a name; it is the path of a file if no model has that name.
    ///
    /// A name or path may end in an effort, `@NODESxMOVES`, or `@0` for neither a search nor a board network: the same
    /// networks with another effort, as the levels of [`Level`](crate::Level) have it. It is made when it is opened, and
    /// again when an archive names it.
    ///
    /// ```
    /// let store = plyzip::ModelStore::default();
    /// assert_eq!(store.open("standard@300x5")?.name(), "standard@300x5");
    /// # Ok::<(), plyzip::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::ModelMissing`] if there is none, otherwise those of [`Model::open`].
    pub fn open(&self, name_or_path: &str) -> Result<Model> {
        match self.locate(name_or_path)? {
            Located::Nowhere => Ok(Model::none()),
            Located::BuiltIn(file) => Model::from_bytes(file),
            Located::File(path) => Model::open(&path),
            Located::Derived { .. } => Model::from_bytes(&self.read(name_or_path)?),
        }
    }

    /// The file that [`open`](ModelStore::open) would open, as
    /// [`ArchiveWriter::embed_model`](super::ArchiveWriter::embed_model) wants it; empty for `none`.
    ///
    /// # Errors
    /// [`Error::ModelMissing`] if there is none, [`Error::Io`] if it cannot be read.
    pub fn read(&self, name_or_path: &str) -> Result<Vec<u8>> {
        match self.locate(name_or_path)? {
            Located::Nowhere => Ok(vec![]),
            Located::BuiltIn(file) => Ok(file.to_vec()),
            Located::File(path) => Model::read(&path),
            Located::Derived { base, name } => Model::file_with_effort(&self.read(&base)?, &name),
        }
    }

    fn locate(&self, name_or_path: &str) -> Result<Located> {
        let path = Path::new(name_or_path);
        if name_or_path == "none" {
            return Ok(Located::Nowhere);
        }
        if let Some((base, _)) = Model::split_name(name_or_path)
            && !path.exists()
        {
            let effort = &name_or_path[base.len()..];
            let stem = Path::new(base).file_stem().unwrap_or_default().to_string_lossy();
            let (base, name) = (base.to_owned(), format!("{stem}{effort}"));
            return Ok(Located::Derived { base, name });
        }
        if path.file_name() != Some(path.as_os_str()) || has_extension(path) {
            return Ok(Located::File(path.to_owned()));
        }
        let mut built_in = Model::embedded_files().iter();
        if let Some((_, file)) = built_in.find(|(known, _)| *known == name_or_path) {
            return Ok(Located::BuiltIn(file));
        }
        let files =
            self.folders.iter().map(|folder| folder.join(format!("{name_or_path}.{EXTENSION}")));
        match files.chain([path.to_owned()]).find(|file| file.is_file()) {
            Some(file) => Ok(Located::File(file)),
            None => Err(Error::ModelMissing {
                name: name_or_path.into(),
                hash: None,
                searched: self.folders.clone(),
            }),
        }
    }

    /// The model that an archive names. Only the hash decides: an archive's names open no files.
    ///
    /// # Errors
    /// [`Error::ModelMissing`] if there is none, otherwise those of [`Model::open`].
    pub fn find(&self, id: &ModelId) -> Result<Model> {
        let mut built_in = Model::embedded_files().iter();
        if let Some((_, file)) =
            built_in.find(|(_, file)| Digest::from(ModelHash::of(file)) == id.hash)
        {
            return Model::from_bytes(file);
        }
        let found = self.models().into_iter().find(|model| Digest::from(model.hash) == id.hash);
        if let Some(path) = found.and_then(|model| model.path) {
            return Model::open(&path);
        }
        match self.derive(id)? {
            Some(model) => Ok(model),
            None => Err(Error::ModelMissing {
                name: id.name.clone(),
                hash: Some(id.hash.to_string()),
                searched: self.folders.clone(),
            }),
        }
    }

    /// The model of `id` if it is one of those at hand with another effort, which its name says.
    fn derive(&self, id: &ModelId) -> Result<Option<Model>> {
        if Model::split_name(&id.name).is_none() {
            return Ok(None);
        }
        let built_in = Model::embedded_files().iter().map(|(_, file)| Cow::Borrowed(*file));
        let paths = self.models().into_iter().filter_map(|model| model.path);
        let files =
            built_in.chain(paths.filter_map(|path| Model::read(&path).ok().map(Cow::Owned)));
        for file in files {
            // A file that is no model, or does not search, is not the one.
            let Ok(derived) = Model::file_with_effort(&file, &id.name) else { continue };
            if Digest::from(ModelHash::of(&derived)) == id.hash {
                return Model::from_bytes(&derived).map(Some);
            }
        }
        Ok(None)
    }
}

/// Where a model's file is.
#[derive(Debug)]
enum Located {
    /// `none` has no file.
    Nowhere,
    BuiltIn(&'static [u8]),
    File(PathBuf),
    /// What `base` names, under this name and with the effort that it says.
    Derived {
        base: String,
        name: String,
    },
}

/// `models` of the checkout of plyzip that `folder` is in, if it is in one.
fn models_of_checkout(folder: &Path) -> Option<PathBuf> {
    let is_ours = |folder: &&Path| {
        fs::read_to_string(folder.join("Cargo.toml"))
            .is_ok_and(|manifest| manifest.lines().any(|line| line == "name = \"plyzip\""))
    };
    Some(folder.ancestors().find(is_ours)?.join("models"))
}

fn has_extension(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == EXTENSION)
}

/// The model in the file `path`.
fn stored(path: PathBuf) -> io::Result<StoredModel> {
    // Opening a named pipe would wait for its writer.
    if !fs::metadata(&path)?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(&path)?)?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let hash = <[u8; 32]>::from(hasher.finalize()).into();
    Ok(StoredModel { name, hash, bytes: hasher.count(), path: Some(path) })
}

fn is_same(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkout_is_found_from_all_its_folders_and_no_other_is_one() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let models = Some(root.join("models"));
        assert_eq!(models_of_checkout(root), models);
        assert_eq!(models_of_checkout(&root.join("src/archive")), models);
        let other = tempfile::tempdir().unwrap();
        fs::write(other.path().join("Cargo.toml"), "[package]\nname = \"other\"\n").unwrap();
        assert_eq!(models_of_checkout(other.path()), None);
    }

    #[test]
    fn only_files_with_the_extension_are_models() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.onnx", "a.onnx", "c.json", "onnx"] {
            fs::write(folder.path().join(name), name).unwrap();
        }
        fs::create_dir(folder.path().join("d.onnx")).unwrap();
        let store = ModelStore::new(vec![folder.path().join("missing"), folder.path().into()]);
        let models = store.models();
        assert_eq!(models.len(), Model::embedded_files().len() + 2);
        let [.., a, b] = &models[..] else { unreachable!() };
        assert_eq!((&*a.name, &*b.name, b.bytes), ("a", "b", 6));
        assert_eq!(b.hash, ModelHash::of(b"b.onnx"));
        assert_eq!(b.path.as_deref(), Some(&*folder.path().join("b.onnx")));
    }

    #[test]
    fn a_missing_model_is_told_with_where_it_was_sought() {
        let folder = tempfile::tempdir().unwrap();
        let store = ModelStore::new(vec![folder.path().join("here"), folder.path().join("there")]);
        let named = store.open("giant").unwrap_err().to_string();
        let id = ModelId { name: "giant".into(), hash: Digest([0xab; 16]) };
        let needed = store.find(&id).unwrap_err().to_string();
        for message in [&named, &needed] {
            for part in ["`giant`", "here", "there"] {
                assert!(message.contains(part), "{message}");
            }
        }
        assert!(needed.contains(&"ab".repeat(16)), "{needed}");
    }

    #[test]
    fn names_with_folders_or_an_extension_are_paths() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("giant.onnx"), b"no network").unwrap();
        let store = ModelStore::new(vec![folder.path().into()]);
        let error = |name: &str| store.open(name).unwrap_err();
        assert!(matches!(error("giant"), Error::Model(_)));
        for path in ["giant.onnx", "./giant", "../giant", "/giant"] {
            assert!(matches!(error(path), Error::Io(_)), "{path}");
        }
    }

    #[test]
    fn a_model_with_another_effort_is_made_from_what_is_there() {
        let store = ModelStore::default();
        let model = store.open("standard@50x4").unwrap();
        let id = ModelId::of(&model).unwrap();
        assert_eq!(id.name, "standard@50x4");
        assert_eq!(Digest::from(ModelHash::of(&store.read("standard@50x4").unwrap())), id.hash);
        assert!(id.is(&store.find(&id).unwrap()));
        // The name says how it is made, the hash decides.
        let other = ModelId { name: "standard@51x4".into(), ..id.clone() };
        assert!(matches!(store.find(&other), Err(Error::ModelMissing { .. })));
        assert!(matches!(store.open("giant@50x4"), Err(Error::ModelMissing { .. })));
        assert!(matches!(store.open("none@0"), Err(Error::Model(_))));

        // Of a file, by its path and from a folder.
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("club.onnx");
        fs::write(&path, store.read("standard@60x4").unwrap()).unwrap();
        let derived = store.open(&format!("{}@70x4", path.display())).unwrap();
        assert_eq!(derived.name(), "club@70x4");
        let id = ModelId::of(&derived).unwrap();
        // It differs from `standard` by what the name says alone, so `standard` leads to it, too.
        for store in [store, ModelStore::new(vec![folder.path().into()])] {
            assert!(id.is(&store.find(&id).unwrap()));
        }
    }

    #[test]
    fn an_archives_hash_finds_the_built_in_model() {
        let standard = ModelId::of(&Model::embedded().unwrap()).unwrap();
        let renamed = ModelId { name: "../etc/passwd".into(), ..standard };
        assert!(renamed.is(&ModelStore::default().find(&renamed).unwrap()));
    }
}
