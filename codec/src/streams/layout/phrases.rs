//! The phrases that layouts are made of.

use crate::entropy::{Coder, NumberModel, SymbolModel};
use crate::pgn::SanForm;
use crate::streams::values::HashMap;
use crate::{Error, Result};

/// The marks with which phrases begin: regular, and word for word.
pub(super) const REGULAR: u8 = b'=';
pub(super) const LITERAL: u8 = b'#';

/// The phrase for a move's form.
pub(super) fn form_phrase(form: SanForm) -> [u8; 3] {
    let [high, low] = form.to_bits().to_be_bytes();
    [REGULAR, high, low]
}

/// Index of a phrase in the [`PhraseDictionary`].
pub(super) type PhraseId = u32;

/// The topic of a phrase. Misses are coded apart for each topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Topic {
    Gap,
    Number,
    Tag,
    Nag,
    San,
}

const TOPICS: usize = 5;

/// All phrases met so far, in both directions in the same order.
#[derive(Debug, Clone)]
pub(super) struct PhraseDictionary {
    phrases: Vec<Vec<u8>>,
    ids: HashMap<Vec<u8>, PhraseId>,
    /// No phrase can be longer.
    limit: usize,
    indices: Vec<NumberModel>,
    length: NumberModel,
    /// Bytes after each byte, and the first bytes of each topic.
    bytes: Vec<SymbolModel>,
}

impl PhraseDictionary {
    /// A dictionary of what is usual, for a block of `limit` bytes.
    pub fn new(limit: usize) -> PhraseDictionary {
        let mut dictionary = PhraseDictionary {
            phrases: Vec::new(),
            ids: HashMap::default(),
            // Literal spellings have a mark before them.
            limit: limit.saturating_add(1),
            indices: vec![NumberModel::new(); TOPICS],
            length: NumberModel::new(),
            bytes: vec![SymbolModel::new(8); TOPICS + 256],
        };
        for phrase in [&b""[..], b" ", b"\n", b"\n\n"] {
            dictionary.id(phrase);
        }
        dictionary
    }

    /// Phrases that are read from now on belong to a block of `limit` bytes.
    pub fn set_limit(&mut self, limit: usize) {
        // Literal spellings have a mark before them.
        self.limit = limit.saturating_add(1);
    }

    pub fn get(&self, id: PhraseId) -> &[u8] {
        self.phrases.get(id as usize).map_or(b"", |phrase| phrase)
    }

    /// The phrase's index; it is added if it is new.
    pub fn id(&mut self, phrase: &[u8]) -> PhraseId {
        match self.ids.get(phrase) {
            Some(&id) => id,
            None => {
                let id = self.phrases.len() as PhraseId;
                self.phrases.push(phrase.to_vec());
                self.ids.insert(phrase.to_vec(), id);
                id
            }
        }
    }

    /// Codes a phrase without any guess; `phrase` is empty when decoding.
    pub fn code<C: Coder>(
        &mut self,
        coder: &mut C,
        topic: Topic,
        phrase: &[u8],
    ) -> Result<PhraseId> {
        let new = self.phrases.len() as u64;
        let known = self.ids.get(phrase).map_or(0, |&id| u64::from(id) + 1);
        let index = self.indices[topic as usize].code(coder, known)?;
        if index > new {
            return Err(Error::damaged("a layout phrase that does not exist"));
        }
        if index > 0 {
            return Ok((index - 1) as PhraseId);
        }
        let len = self.length.code(coder, phrase.len() as u64)?;
        if len > self.limit as u64 {
            return Err(Error::damaged("a layout phrase longer than its block"));
        }
        let mut read = Vec::new();
        let mut before = topic as usize;
        for at in 0..len as usize {
            let byte = phrase.get(at).copied().unwrap_or(0);
            let byte = self.bytes[before].code(coder, u32::from(byte))? as u8;
            before = TOPICS + usize::from(byte);
            read.push(byte);
        }
        Ok(self.id(&read))
    }
}
