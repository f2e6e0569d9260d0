//! Searches of positions as evidence of which moves people play.

mod effort;
mod examine;
mod move_priors;
mod parameters;
mod reranker;
mod reranker_features;
mod reranker_index;
mod search_features;
mod search_model;

pub use effort::Effort;
pub use examine::{Analysis, AnalysisInput, AnalysisState, Before, MARKS, examine};
pub use move_priors::MovePriors;
pub use reranker::{
    LARGEST_ACTIVATION, LARGEST_VECTOR_WEIGHT, MAX_RERANKER_SIZE, RERANKER_HEADER, RERANKER_LAYERS,
    RERANKER_UNIT_BITS, Reranker, VECTOR_UNIT_BITS,
};
pub use reranker_features::reranker_features;
pub use reranker_index::{
    ANALYSIS_FEATURES, FIRST_FORM_SLOTS, RERANKER_FEATURES, RERANKER_SLOTS, RerankerFeatures,
};
pub use search_features::{SEARCH_FEATURES, SEARCH_SLOTS, features};
pub use search_model::{SearchFeatures, SearchModel};
