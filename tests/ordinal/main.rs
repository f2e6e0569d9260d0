//! The historical game codecs: every game comes back, damage is refused, and the texts' own
//! figures.

#[path = "../games/mod.rs"]
mod games;

mod figures;
mod round_trips;
