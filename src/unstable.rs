//! What the project's own training tools, benches, bindings and tests need besides what is stable.
//!
//! Nothing here is stable: any of it may change or vanish with any version, whatever the version's
//! number says. Who needs some of it should say so, that it gets a stable place.

pub use plyzip_codec::unstable::*;

pub use crate::drawn::{drawn_board, drawn_square};
pub use crate::pools::Pool;
