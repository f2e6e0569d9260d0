//! Finds the buckets of the opening book that is built in, so that no start of the program has to.

use std::path::Path;
use std::{env, error, fs};

#[path = "src/predict/book/buckets.rs"]
mod buckets;

const BOOK: &str = "tables/book.bin";

fn main() -> Result<(), Box<dyn error::Error>> {
    for file in [BOOK, "build.rs", "src/predict/book/buckets.rs"] {
        println!("cargo::rerun-if-changed={file}");
    }
    let offsets = buckets::offsets(&fs::read(BOOK)?).ok_or_else(|| format!("{BOOK} is no book"))?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("book_buckets.bin"), offsets.as_flattened())?;
    Ok(())
}
