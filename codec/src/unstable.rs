//! Parts that the project's own packages, training tools, benches and tests need of the modules behind archives.
//!
//! Nothing here is stable: any of it may change or vanish with any version, whatever the version's
//! number says. If you need some of it, please say so: it may get a stable place.

/// The findings of a search, as evidence.
pub mod analysis {
    pub use crate::analysis::{
        ANALYSIS_FEATURES, Analysis, AnalysisInput, AnalysisState, Before, Effort,
        FIRST_FORM_SLOTS, LARGEST_ACTIVATION, LARGEST_VECTOR_WEIGHT, MARKS, MovePriors,
        RERANKER_FEATURES, RERANKER_HEADER, RERANKER_LAYERS, RERANKER_SLOTS, RERANKER_UNIT_BITS,
        RerankerFeatures, SEARCH_FEATURES, SEARCH_SLOTS, VECTOR_UNIT_BITS, examine, features,
        reranker_features,
    };
}

/// The canonical order of moves, the key of positions, the history of games.
pub mod chess {
    pub use crate::chess::{
        History, arrival, attackers, gives_check, is_insufficient_material, least_valuable,
        legal_moves, loses_more_than, position_key, role_value, see,
    };
}

/// The search.
pub mod engine {
    pub use crate::engine::{
        INFINITE, NNUE_SIZES, Nnue, Reply, RootScores, SearchLimits, SearchState, Searcher,
    };

    /// Sizes, units and limits of the network that evaluates positions.
    pub mod nnue {
        pub use crate::engine::nnue::{
            ACTIVATION_ONE, CENTIPAWNS, FEATURES, KING_BUCKET_OF_RANK, KING_BUCKETS,
            MAX_ACCUMULATOR_BIAS, MAX_FEATURE_WEIGHT, MAX_NUMBERS, MAX_OUTPUT_WEIGHT,
            OUTPUT_BUCKETS, OUTPUT_ONE, WIDTH,
        };
    }
}

/// The network that scores moves.
pub mod network {
    pub use crate::network::{Network, Query, Scores};

    /// Products of bytes, for each kind of registers.
    pub mod dot {
        #[cfg(target_arch = "x86_64")]
        pub use crate::network::Avx2;
        pub use crate::network::{BLOCK, Dot, Portable, QUAD, Weights};
    }

    /// The parts of a model's file that are read.
    pub mod onnx {
        pub use crate::network::onnx::{
            GraphProto, MAX_VALUES, ModelProto, StringStringEntryProto, TensorProto, decode,
        };
    }
}

/// The network that sees the squares of a board.
pub mod board_network {
    pub use crate::board_network::{BoardNetwork, Outputs, Sizes, View, sample};
}

pub use crate::brief_lock::brief_lock;
pub use crate::split_mix::{SplitMix, split_mix};

/// The coder and models that learn.
pub mod entropy {
    pub use crate::entropy::{
        BitModel, Coder, ContextMixer, Decoder, Encoder, Meter, fixed, hash, squash, stretch,
    };
}

/// Features of positions and moves.
pub mod features {
    pub use crate::features::index::board::RANGES as BOARD_RANGES;
    pub use crate::features::index::moves::RANGES as MOVE_RANGES;
    pub use crate::features::{
        BOARD_FEATURES, BOARD_PADDING, BOARD_SLOTS, BoardIndices, FEATURES_VERSION, MOVE_FEATURES,
        MOVE_SLOTS, MoveIndices, MoveTactics, PLAIN_FEATURES, PLAIN_SLOTS, TERMS, Tactics,
        board_features, move_features, phase, terms,
    };
}

/// What a game's text is made of, and how moves are spelled.
pub mod pgn {
    use std::ops::Range;

    pub use crate::pgn::atom::{Atom, AtomKind, Spelling};
    pub use crate::pgn::san::{San, SanForm};
    use crate::pgn::{Document, Item};

    /// The items of a document, for each the bytes that it was made from, and its atoms.
    pub fn parts(document: Document) -> (Vec<Item>, Vec<Range<usize>>, Vec<Vec<Atom>>) {
        (document.items, document.ranges, document.atoms)
    }

    /// For each item of a document, its atoms in the order of the input; none for text.
    pub fn atoms(document: &Document) -> &[Vec<Atom>] {
        &document.atoms
    }
}

/// Predictors, and the books and the linear policy that they use.
pub mod predict {
    #[cfg(feature = "training")]
    pub use crate::predict::{
        BOOK_PRIOR, BoardPolicy, GameEndModel, MixerScales, SCALE_BITS, SCALE_FILE_BITS, STAGES,
        WEIGHT_FILE_BITS, book, linear_policy, stage,
    };
    pub use crate::predict::{Pipeline, Predictor, Prepared, Surprisal};

    /// Names of the tensors and the metadata that a model file holds beside its network.
    pub mod model_file {
        pub use crate::network::LONG_NUMBER;
        pub use crate::predict::model::{
            BOARD, BOARD_WEIGHTS, BOOK, BUILT_IN_BOOK, MIXER_SCALES, NNUE, REPERTOIRES, RERANKER,
            SEARCH, SEARCH_FEATURE_WEIGHTS, WITH_BOARD,
        };
    }
}

/// The streams of a block, one by one.
pub mod streams {
    pub use crate::streams::{
        BlockStats, EncodedBlock, EncodedPage, StreamSizes, bytes, decode_columns, decode_page,
        decode_pages, encode_block, layout, moves, page_ranges, structure, text,
    };
    #[cfg(feature = "training")]
    pub use crate::streams::{comments, tags, warm};
}
