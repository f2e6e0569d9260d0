//! What a search found of a position, as evidence of what people play.

mod effort;
mod examine;
mod opinion;
mod reranker;
mod reranker_features;
mod search_features;
mod search_model;

pub use effort::Effort;
pub use examine::{Analysis, AnalysisInput, AnalysisState, Before, MARKS, examine};
pub use opinion::Opinion;
pub use reranker::{RERANKER_SIZE, Reranker};
pub use reranker_features::{
    RERANKER_FEATURES, RERANKER_SLOTS, RerankerFeatures, reranker_features,
};
pub use search_features::{SEARCH_FEATURES, SEARCH_SLOTS, features};
pub use search_model::{SearchFeatures, SearchModel};
