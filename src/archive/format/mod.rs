//! The parts of an archive, field by field.

pub mod contents;
pub mod digest;
pub mod figures;
pub mod file_info;
pub mod limits;
pub mod model_id;
pub mod section;
pub mod source;
