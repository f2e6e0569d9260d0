//! Models.

use std::path::PathBuf;

use plyzip::{GameCodec, Level, ModelStore};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::{UsageError, exception};
use crate::work::Work;

/// What predicts moves. Opening one takes a while: pass it to calls that are made often.
///
/// >>> plyzip.Model("standard").name
/// 'standard'
#[pyclass(frozen, module = "plyzip")]
#[derive(Debug)]
pub struct Model {
    model: plyzip::Model,
    /// What it was opened by.
    asked: String,
}

#[pymethods]
impl Model {
    #[new]
    #[pyo3(signature = (name=None))]
    fn new(py: Python<'_>, name: Option<NameOrPath>) -> PyResult<Model> {
        let asked = name.unwrap_or_default().0;
        let model = py.detach(|| ModelStore::of_system().open(&asked)).map_err(exception)?;
        Ok(Model { model, asked })
    }

    /// The model's name, as archives record it.
    #[getter]
    fn name(&self) -> &str {
        self.model.name()
    }

    /// BLAKE3 of the network's file; None for the model `none`.
    #[getter]
    fn hash<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.model.hash().map(|hash| PyBytes::new(py, hash.as_bytes()))
    }

    /// Opened again by what it was opened by.
    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (String,)) {
        (py.get_type::<Model>().into_any(), (self.asked.clone(),))
    }

    fn __repr__(&self) -> String {
        format!("Model({:?})", self.asked)
    }
}

/// The name of a model, or the path of its file.
pub struct NameOrPath(String);

impl<'py> FromPyObject<'_, 'py> for NameOrPath {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<NameOrPath> {
        let path: PathBuf = object.extract()?;
        let text = path.into_os_string().into_string();
        text.map(NameOrPath).map_err(|_| UsageError::new_err("the model's path is no UTF-8"))
    }
}

impl Default for NameOrPath {
    fn default() -> NameOrPath {
        NameOrPath("standard".into())
    }
}

/// A model that is open, or one to be opened.
#[derive(FromPyObject)]
pub enum AnyModel {
    Open(Py<Model>),
    Named(NameOrPath),
}

impl AnyModel {
    /// The model, and what it was asked for by.
    pub fn open(&self, py: Python<'_>) -> PyResult<(plyzip::Model, String)> {
        Ok(match self {
            AnyModel::Open(model) => (model.get().model.clone(), model.get().asked.clone()),
            AnyModel::Named(NameOrPath(name)) => {
                let model = py.detach(|| ModelStore::of_system().open(name)).map_err(exception)?;
                (model, name.clone())
            }
        })
    }

    /// What it was asked for by.
    pub fn asked(&self) -> String {
        match self {
            AnyModel::Open(model) => model.get().asked.clone(),
            AnyModel::Named(NameOrPath(name)) => name.clone(),
        }
    }

    /// What codes single games with the model, as long as `work` may go on.
    pub fn codec(&self, py: Python<'_>, work: &Work) -> PyResult<GameCodec> {
        Ok(GameCodec::new(self.open(py)?.0).interrupted_by(work.interrupt()))
    }

    /// The model of a level, or the one given; not both.
    pub fn of_level(level: Option<u8>, model: Option<AnyModel>) -> PyResult<Option<AnyModel>> {
        let Some(number) = level else { return Ok(model) };
        if model.is_some() {
            return Err(UsageError::new_err("either a level or a model"));
        }
        let level = Level::new(number)
            .ok_or_else(|| UsageError::new_err("a level is a number from 1 to 9"))?;
        Ok(Some(AnyModel::Named(NameOrPath(level.model().into()))))
    }

    /// The model, or `standard`.
    pub fn or_standard(model: Option<AnyModel>) -> AnyModel {
        model.unwrap_or(AnyModel::Named(NameOrPath::default()))
    }
}
