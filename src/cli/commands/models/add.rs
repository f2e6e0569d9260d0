//! `plyzip models add`

use std::ffi::OsStr;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use plyzip::{Error, Model, ModelHash, ModelStore, Result};

use super::Released;
use crate::cli::arguments::{Output, Verbosity};
use crate::cli::files::{Input, Sink, at};
use crate::cli::shown::{shown, shown_path, tell};

/// No model's file is larger.
const LARGEST: u64 = 64 << 20;

/// `plyzip models add`
#[derive(Debug, Clone, Args)]
pub struct AddArguments {
    /// The model's file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The name that it is found by [default: that of the file, without .onnx]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Replace another model that has this name
    #[arg(short, long)]
    force: bool,
}

/// Checks a model's file and copies it to the user's folder of models.
///
/// # Errors
/// [`Error::Usage`] if it cannot have the name, [`Error::Model`] if it is no model or not the one that it claims to be,
/// [`Error::Io`] if it cannot be read, or is there already and may not be replaced.
pub fn run(arguments: &AddArguments, verbosity: Verbosity) -> Result<()> {
    let AddArguments { file, name, force } = arguments;
    let mut input = Input::open(file)?;
    let mut bytes = vec![];
    Input::by_ref(&mut input).take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(Error::Model(format!("{} has over {LARGEST} bytes", file.display())));
    }
    let hash = ModelHash::of(&bytes).to_string();
    let released = Released::of_hash(&hash);
    let name = match (name, released) {
        (Some(name), _) => name.clone(),
        (None, Some(released)) => released.name.into(),
        (None, None) => stem(input.path())?,
    };
    let store = ModelStore::of_system();
    check_name(&name, &store)?;
    let what = match (released, Released::of_name(&name)) {
        (Some(released), _) => format!("the released model `{}`", released.name),
        (None, Some(wanted)) => {
            return Err(Error::Model(format!(
                "{} is not the released model `{name}`: its BLAKE3 is {hash}, and not {} (--name gives another name)",
                file.display(),
                wanted.blake3
            )));
        }
        (None, None) => {
            let named = |error| match error {
                Error::Model(what) => Error::Model(format!("{}: {what}", file.display())),
                other => other,
            };
            format!(
                "a model named `{}`, none that was released",
                Model::from_bytes(&bytes).map_err(named)?.name()
            )
        }
    };

    let no_folder = || {
        Error::Usage("there is no data folder of the user's; set PLYZIP_MODELS to a folder".into())
    };
    let folder = ModelStore::user_folder().ok_or_else(no_folder)?;
    let target = folder.join(format!("{name}.onnx"));
    let is_there = fs::read(&target).is_ok_and(|there| there == bytes);
    if !is_there {
        fs::create_dir_all(&folder).map_err(|error| at(&folder, &error))?;
        let default = |_: &Path| Ok(target.clone());
        let mut sink = Sink::open(&Output::at(target.clone(), *force), &input, default, true)?;
        sink.write_all(&bytes)?;
        sink.commit()?;
    }
    if !verbosity.quiet {
        let (is, place) = (if is_there { "is already" } else { "is now" }, shown_path(&target));
        tell(&format!("{what}, BLAKE3 {hash}, {is} {place}"));
        tell(&format!("--model {} finds it", shown(&name)));
    }
    Ok(())
}

/// The name of a file without `.onnx`.
fn stem(path: Option<&Path>) -> Result<String> {
    let none = || Error::Usage("standard input has no name (use --name)".into());
    let stem = path.ok_or_else(none)?.file_stem().unwrap_or_default();
    let no_text = || Error::Usage("the file's name is no text (use --name)".into());
    Ok(stem.to_str().ok_or_else(no_text)?.to_owned())
}

/// Whether a model can be found by this name.
fn check_name(name: &str, store: &ModelStore) -> Result<()> {
    let models = store.models();
    let is_built_in =
        name == "none" || models.iter().any(|model| model.path.is_none() && model.name == name);
    if is_built_in {
        return Err(Error::Usage(format!("`{name}` is built in (--name gives another name)")));
    }
    let is_plain =
        Path::new(name).file_name() == Some(OsStr::new(name)) && !name.contains(['/', '\\', ':']);
    if !is_plain || name.starts_with('-') || name.ends_with(".onnx") {
        return Err(Error::Usage(format!(
            "`{name}` cannot be a model's name (--name gives another one)"
        )));
    }
    Ok(())
}
