//! Position codes: they come back, hold their bounds, and have the sizes of their texts.

mod bounds;
mod damage;
mod figures;
mod random;
mod round_trip;
