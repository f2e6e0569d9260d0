//! The options of a call: model, threads, limits.

use std::sync::{Arc, OnceLock};

use plyzip::archive::{Limits, ReaderOptions, WriterOptions};
use plyzip::{GameCodec, Model, ModelStore, Result};

use crate::work::Work;

/// What a call may use: model, threads, limits, how archives are cut. Where a function takes options, NULL stands for
/// the defaults.
///
/// The model is opened once and kept: options are worth keeping, too. Any number of threads may use the same options, but
/// none while they are set.
#[derive(Debug, Default)]
pub struct plyzip_options {
    /// The model that was asked for, and by which name or path.
    pub(crate) model: Option<(Model, String)>,
    /// The default model, once it was wanted.
    standard: OnceLock<Model>,
    pub(crate) limits: Limits,
    /// Whether the limit of the original was set.
    pub(crate) original_is_limited: bool,
    pub(crate) writer: WriterOptions,
    pub(crate) embed_model: bool,
    pub(crate) overwrite: bool,
    pub(crate) work: Arc<Work>,
}

/// The model of who asks for none.
const STANDARD: &str = "standard";

/// New options, with the defaults. Freed with plyzip_options_free.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_options_new() -> Box<plyzip_options> {
    Box::default()
}

/// Frees options, or nothing for NULL. Archives that were opened with them stay open.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_options_free(options: Option<Box<plyzip_options>>) {
    drop(options);
}

/// Ends the work that is done with these options, and with archives that were opened with them: it fails soon with
/// PLYZIP_ERROR_INTERRUPTED, and so does all that begins before plyzip_options_resume. May be called by any thread.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_options_interrupt(options: Option<&plyzip_options>) {
    if let Some(options) = options {
        options.work.interrupt.set();
    }
}

/// Lets new work begin after plyzip_options_interrupt. Archives that are open can be read on.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_options_resume(options: Option<&plyzip_options>) {
    if let Some(options) = options {
        options.work.interrupt.clear();
    }
}

impl plyzip_options {
    /// The model that new archives and single games are coded with.
    pub(crate) fn coding_model(&self) -> Result<Model> {
        Ok(match (&self.model, self.standard.get()) {
            (Some((model, _)), _) | (None, Some(model)) => model.clone(),
            (None, None) => {
                let opened = ModelStore::of_system().open(STANDARD)?;
                self.standard.get_or_init(|| opened).clone()
            }
        })
    }

    /// What codes single games.
    pub(crate) fn game_codec(&self) -> Result<GameCodec> {
        Ok(GameCodec::new(self.coding_model()?).interrupted_by(&self.work.interrupt))
    }

    /// The file of that model, for an archive that is to hold it. `None` if it is not to, or if the model has none.
    pub(crate) fn model_file(&self) -> Result<Option<Vec<u8>>> {
        let name = self.model.as_ref().map_or(STANDARD, |(_, name)| name);
        let file = match self.embed_model {
            true => ModelStore::of_system().read(name)?,
            false => vec![],
        };
        Ok((!file.is_empty()).then_some(file))
    }

    /// The options of a reader.
    pub(crate) fn reader(&self) -> ReaderOptions {
        ReaderOptions::new()
            .limits(self.limits)
            .model(self.model.as_ref().map(|(model, _)| model.clone()))
            .store(ModelStore::of_system())
            .interrupt(&self.work.interrupt)
    }
}
