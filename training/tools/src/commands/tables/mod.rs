//! Tables that are counted or learned without a network: the files of `models/`, and what goes into a network's file.

pub mod book;
mod book_gains;
pub mod clock_weights;
pub mod evaluation_terms;
pub mod game_ends;
pub mod linear_policy;
mod popularity;
pub mod repertoires;
pub mod warm_tables;
