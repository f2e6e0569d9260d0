//! The available models.

use std::borrow::Cow;
use std::io::{self, Read};

use lzma_rust2::LzmaReader;
use plyzip::Model;
use plyzip::archive::Summary;
use wasm_bindgen::prelude::*;

/// How a file begins that `xz --format=lzma` has packed. A file of ONNX begins with the number of a field.
const LZMA: u8 = 0x5d;

/// The memory that unpacking may take, in KiB: four times what build.sh asks for.
const LZMA_MEMORY: u32 = 64 << 10;

/// The available models: `none`, and those that the page has given.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Models {
    given: Vec<Given>,
}

/// A model with its file, from which models with other efforts are made.
#[derive(Debug)]
struct Given {
    model: Model,
    file: Vec<u8>,
}

#[wasm_bindgen]
impl Models {
    /// No model but `none`.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Models {
        Models::default()
    }

    /// Takes the bytes of an ONNX file, which may be packed as .lzma, and returns the model's name. It takes the place of
    /// a model of that name.
    ///
    /// # Errors
    /// If it is no model of plyzip, or does not compute exactly.
    pub fn add(&mut self, file: &[u8]) -> Result<String, JsError> {
        let file = unpacked(file)?;
        let model = Model::from_bytes(&file)?;
        let name = model.name().to_owned();
        self.given.retain(|known| known.model.name() != name);
        self.given.push(Given { model, file: file.into_owned() });
        Ok(name)
    }
}

impl Models {
    /// The model of this name, which may say another effort than that of a model at hand: `standard@800x8`.
    pub fn named(&self, name: &str) -> Result<Model, JsError> {
        if name == "none" {
            return Ok(Model::none());
        }
        if let Some(given) = self.given.iter().find(|given| given.model.name() == name) {
            return Ok(given.model.clone());
        }
        let derived = self.derived(name).next();
        derived.ok_or_else(|| JsError::new(&format!("the model {name} is not at hand")))
    }

    /// The first that an archive names.
    pub fn of(&self, summary: &Summary) -> Option<Model> {
        summary.models.iter().find_map(|id| {
            let mut given = self.given.iter().map(|given| given.model.clone());
            given
                .find(|model| id.is(model))
                .or_else(|| self.derived(&id.name).find(|model| id.is(model)))
        })
    }

    /// What the models at hand are under `name`, if it says an effort.
    fn derived(&self, name: &str) -> impl Iterator<Item = Model> {
        let files =
            self.given.iter().filter_map(|given| Model::file_with_effort(&given.file, name).ok());
        files.filter_map(|file| Model::from_bytes(&file).ok())
    }
}

/// A model's file, unpacked if it is packed.
fn unpacked(file: &[u8]) -> io::Result<Cow<'_, [u8]>> {
    if file.first() != Some(&LZMA) {
        return Ok(file.into());
    }
    let mut plain = vec![];
    LzmaReader::new_mem_limit(file, LZMA_MEMORY, None)?
        .take(Model::MAX_FILE + 1)
        .read_to_end(&mut plain)?;
    if plain.len() as u64 > Model::MAX_FILE {
        return Err(io::Error::other("unpacked, it is larger than any model"));
    }
    Ok(plain.into())
}
