//! The search's network, learned from the evaluation of a stronger engine: labels, training, checks.

pub mod check_teacher;
pub mod label;
mod record;
pub mod searcher;
mod shape;
mod teacher;
pub mod train;
mod trainer;
