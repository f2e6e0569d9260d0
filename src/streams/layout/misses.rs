//! How often the favourite of a context is wrong.

use super::context::Context;
use crate::entropy::BitModel;

/// For each context one binary event for its favourite and one for what a rule
/// says instead. Shared by all profiles.
#[derive(Debug, Clone)]
pub(super) struct MissModels(Vec<[BitModel; 2]>);

impl MissModels {
    pub fn new() -> MissModels {
        MissModels(vec![[BitModel::with_limit(1023); 2]; Context::COUNT])
    }

    pub fn at(&mut self, context: Context, ruled: bool) -> &mut BitModel {
        &mut self.0[context.index()][usize::from(ruled)]
    }
}
