//! Prediction: the probability of each legal move, and of the end of the game.

mod board_policy;
pub mod book;
mod costs;
mod counts;
mod evidence_view;
mod game_end;
mod kept_evidence;
pub mod linear_policy;
mod mixer;
mod mixer_input;
mod mixer_scales;
pub mod model;
mod parameters;
mod pipeline;
mod player;
mod ply_counter;
mod position_facts;
mod predictor;
mod run;
mod surprisal;

/// The generation of the predictor: everything that decides a probability and is no model (docs/generation.md).
pub const GENERATION: u8 = 1;

#[cfg(feature = "training")]
pub use board_policy::BoardPolicy;
pub use costs::{GameCosts, LikelyMove, PlyCost, likeliest_first, of_bit as probability_of_bit};
pub use evidence_view::EvidenceView;
#[cfg(feature = "training")]
pub use game_end::GameEndModel;
pub use kept_evidence::KeptEvidence;
#[cfg(feature = "training")]
pub use mixer::WEIGHT_FILE_BITS;
#[cfg(feature = "training")]
pub use mixer_scales::{MixerScales, SCALE_FILE_BITS, STAGES, WEIGHT_BITS as SCALE_BITS};
#[cfg(test)]
pub use model::tests as test_models;
pub use model::{Model, ModelHash};
#[cfg(feature = "training")]
pub use parameters::{BOOK_PRIOR, stage};
pub use pipeline::{LineState, Pipeline, PlyEvidence, Prepared};
pub use player::Player;
pub use ply_counter::PlyCounter;
pub use predictor::Predictor;
pub use run::Run;
pub use surprisal::Surprisal;
