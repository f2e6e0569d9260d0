//! What the project's own examples, benches and tests need of the rooms behind archives.
//!
//! Nothing here is stable: any of it may change or vanish with any version, whatever the version's
//! number says. Who needs some of it should say so, that it gets a stable place.

/// What a search found, as evidence.
pub mod analysis {
    pub use crate::analysis::{
        Analysis, AnalysisInput, AnalysisState, Before, Effort, MARKS, MovePriors,
        RERANKER_FEATURES, RERANKER_SLOTS, RerankerFeatures, SEARCH_FEATURES, SEARCH_SLOTS,
        examine, features, reranker_features,
    };
}

/// The canonical order of moves, the key of positions, the history of games.
pub mod chess {
    pub use crate::chess::{History, legal_moves, position_key};
}

/// The search.
pub mod engine {
    pub use crate::engine::{
        INFINITE, NNUE_SIZES, Nnue, RootScores, SearchLimits, SearchState, Searcher,
    };
}

/// The coder and models that learn.
pub mod entropy {
    pub use crate::entropy::{
        BitModel, Coder, ContextMixer, Decoder, Encoder, NumberModel, SymbolModel, fixed, hash,
        squash, stretch,
    };
}

/// What a predictor knows of positions and moves.
pub mod features {
    pub use crate::features::{
        BOARD_FEATURES, BOARD_PADDING, BOARD_SLOTS, BoardIndices, FEATURES_VERSION, MOVE_FEATURES,
        MOVE_SLOTS, MoveIndices, MoveTactics, PLAIN_FEATURES, PLAIN_SLOTS, TERMS, Tactics,
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
