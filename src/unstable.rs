//! What the project's own examples, benches and tests need of the rooms behind archives.
//!
//! Nothing here is stable: any of it may change or vanish with any version, whatever the version's
//! number says. Who needs some of it should say so, that it gets a stable place.

/// What a search found, as evidence.
pub mod analysis {
    pub use crate::analysis::{
        AnalysisMemory, Before, Effort, Findings, MARKS, Opinion, Question, VERDICT_FEATURES,
        VERDICT_SLOTS, VIEW_SLOTS, VIEWS, View, examine, features, views,
    };
}

/// The canonical order of moves, the key of positions, the history of games.
pub mod chess {
    pub use crate::chess::{History, legal_moves, position_key};
}

/// The search.
pub mod engine {
    pub use crate::engine::{Extent, Found, INFINITE, NNUE_SIZES, Nnue, SearchMemory, Searcher};
}

/// The coder and models that learn.
pub mod entropy {
    pub use crate::entropy::{
        BitModel, Coder, Decoder, Encoder, Mixing, NumberModel, SymbolModel, fixed, hash, squash,
        stretch,
    };
}

/// What a predictor knows of positions and moves.
pub mod features {
    pub use crate::features::{
        BOARD_FEATURES, BOARD_PADDING, BOARD_SLOTS, BoardIndices, FEATURES_VERSION, MOVE_FEATURES,
        MOVE_SLOTS, MoveIndices, PLAIN_FEATURES, PLAIN_SLOTS, Prospect, TERMS, Tactics,
        board_features, move_features, phase, terms,
    };
}

/// The network's answers.
pub mod network {
    pub use crate::network::Scores;
}

/// Predictors at work, and the books that they look into.
pub mod predict {
    pub use crate::predict::{LineState, Pipeline, PlyEvidence, Predictor, Prepared, book};
}

/// The streams of a block, one by one.
pub mod streams {
    pub use crate::streams::{bytes, decode_block, encode_block, layout, moves, structure, text};
}
