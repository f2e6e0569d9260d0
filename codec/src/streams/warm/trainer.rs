//! Learning from many documents what the next one begins with.

use std::collections::BTreeMap;

use super::Learner;
use crate::entropy::ContextMixer;

/// Mixers that stay while models come and go: every document gets new models, but what
/// the mixers have learned goes on.
#[derive(Debug, Default)]
pub struct Trainer {
    mixers: BTreeMap<&'static str, ContextMixer>,
}

/// The size of the tables in which mixers learn.
const SLOT_BITS: u32 = 21;

impl Trainer {
    /// Gives a model the mixers of the documents before, or takes them back. A model that has them
    /// is at the beginning of a document.
    pub fn swap(&mut self, learner: &mut dyn Learner) {
        for (name, mixer) in learner.mixers() {
            let kept = self.mixers.entry(name).or_insert_with(|| {
                let mut kept = mixer.alike(SLOT_BITS);
                kept.trace();
                kept
            });
            std::mem::swap(kept, mixer);
            mixer.next_document();
        }
    }

    /// The learned state, by section; of `most` slots in all, mixers get shares of `shares` by name,
    /// or else none. Slots that less than `least` documents have used are not kept.
    pub fn sections(&self, most: &BTreeMap<String, usize>, least: u32) -> Vec<(String, Vec<u8>)> {
        self.mixers
            .iter()
            .map(|(&name, mixer)| {
                let most = most.get(name).copied().unwrap_or(0);
                (name.to_owned(), mixer.learned(most, least))
            })
            .collect()
    }
}
