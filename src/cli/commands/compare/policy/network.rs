//! A policy network in ONNX, run by tract.
//!
//! For research: unlike plyzip's models such a file is trusted, and what it computes is not exact.

use std::path::Path;
use std::sync::Arc;

use ndarray::{Array4, ArrayView2, Ix2};
use plyzip::{Error, Result};
use tract_onnx::prelude::*;

use super::planes::PLANES;
use super::policy_map::PolicyMap;

/// Positions that are computed at once.
pub const BATCH: usize = 16;

/// A network of Leela's kind: planes (batch, 112, 8, 8) in, logits (batch, 1858) out.
#[derive(Debug)]
pub struct PolicyNetwork {
    plan: Arc<TypedRunnableModel>,
    /// Which output is the policy.
    policy: usize,
}

impl PolicyNetwork {
    /// Reads a network as `lc0 leela2onnx` writes it. Its first input are the planes in f32; the policy is the output of
    /// 1,858 numbers for each position.
    ///
    /// # Errors
    /// [`Error::Model`] if the file is no such network, or has an operator that tract does not know.
    pub fn open(path: &Path) -> Result<PolicyNetwork> {
        let unusable = |error: TractError| Error::Model(format!("{}: {error:#}", path.display()));
        let mut model = tract_onnx::onnx().model_for_path(path).map_err(unusable)?;
        model
            .set_input_fact(0, f32::fact([BATCH, PLANES, 8, 8]).into())
            .and_then(|_| model.analyse(false))
            .map_err(unusable)?;
        let model = model.into_optimized().map_err(unusable)?;
        let is_policy = |place: &usize| {
            let shape = model.output_fact(*place).ok().and_then(|fact| fact.shape.as_concrete());
            shape == Some(&[BATCH, PolicyMap::MOVES])
        };
        let policy = (0..model.outputs.len()).find(is_policy).ok_or_else(|| {
            let wanted = PolicyMap::MOVES;
            Error::Model(format!("{}: no output of {wanted} moves", path.display()))
        })?;
        let plan = model.into_runnable().map_err(unusable)?;
        Ok(PolicyNetwork { plan, policy })
    }

    /// Gives `each` the logits of [`BATCH`] positions, a row each, whose planes are `planes`.
    ///
    /// # Errors
    /// [`Error::Model`] if the network fails.
    pub fn logits<T>(
        &self,
        planes: Array4<f32>,
        each: impl FnOnce(ArrayView2<f32>) -> T,
    ) -> Result<T> {
        let failed = |error: TractError| Error::Model(format!("the policy network: {error:#}"));
        let outputs = self.plan.run(tvec![Tensor::from(planes).into()]).map_err(failed)?;
        let policy = outputs[self.policy].to_plain_array_view::<f32>().map_err(failed)?;
        let policy = policy.into_dimensionality::<Ix2>();
        Ok(each(policy.map_err(|error| Error::Model(error.to_string()))?))
    }
}
