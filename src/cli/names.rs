//! Names that commands take for granted.

/// The extension of archives.
pub const SUFFIX: &str = "plz";

/// The model of new archives, unless another is asked for.
pub const DEFAULT_MODEL: &str = "standard";
