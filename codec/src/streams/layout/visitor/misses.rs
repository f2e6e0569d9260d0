//! How often the favourite of a context is wrong.

use crate::entropy::BitModel;
use crate::streams::layout::context::Context;

/// For each context one binary event for its favourite and one for what a rule
/// says instead. Shared by all profiles.
#[derive(Debug, Clone)]
pub(in crate::streams::layout) struct MissModels(Vec<[BitModel; 2]>);

impl MissModels {
    pub fn new() -> MissModels {
        MissModels(vec![[BitModel::with_limit(1023); 2]; Context::COUNT])
    }

    pub fn at(&mut self, context: Context, ruled: bool) -> &mut BitModel {
        &mut self.0[context.index()][usize::from(ruled)]
    }
}
