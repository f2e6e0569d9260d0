//! The models at hand.

use plyzip::Model;
use plyzip::archive::Summary;
use wasm_bindgen::prelude::*;

/// The models at hand: `none`, and those that the page has given.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Models {
    given: Vec<Model>,
}

#[wasm_bindgen]
impl Models {
    /// No model but `none`.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Models {
        Models::default()
    }

    /// Takes the bytes of an ONNX file, and returns the model's name. It takes the place of a model of that name.
    ///
    /// # Errors
    /// If it is no model of plyzip, or does not compute exactly.
    pub fn add(&mut self, file: &[u8]) -> Result<String, JsError> {
        let model = Model::from_bytes(file)?;
        let name = model.name().to_owned();
        self.given.retain(|known| known.name() != name);
        self.given.push(model);
        Ok(name)
    }
}

impl Models {
    /// The model of this name.
    pub fn named(&self, name: &str) -> Result<Model, JsError> {
        if name == "none" {
            return Ok(Model::none());
        }
        let found = self.given.iter().find(|model| model.name() == name);
        found.cloned().ok_or_else(|| JsError::new(&format!("the model {name} is not at hand")))
    }

    /// The first that an archive names.
    pub fn of(&self, summary: &Summary) -> Option<Model> {
        let is_named = |model: &&Model| summary.models.iter().any(|id| id.is(model));
        self.given.iter().find(is_named).cloned()
    }
}
