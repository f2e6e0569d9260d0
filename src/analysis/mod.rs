//! What a search found of a position, as evidence of what people play.

mod effort;
mod examine;
mod opinion;
mod reranker;
mod reranker_features;
mod search_features;
mod search_model;

pub use effort::Effort;
pub use examine::{AnalysisMemory, Before, Findings, MARKS, Question, examine};
pub use opinion::Opinion;
pub use reranker::{SECOND_LOOK_SIZE, SecondLook};
pub use reranker_features::{VIEW_SLOTS, VIEWS, View, views};
pub use search_features::{VERDICT_FEATURES, VERDICT_SLOTS, features};
pub use search_model::{Expert, Verdicts};
