//! Prints the public API of a library, an item a line, from what `rustdoc --output-format json` has written. What is in
//! its module `unstable` is left out.

use std::env::args;
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let json = args().nth(1).ok_or("the file that rustdoc has written is wanted")?;
    let name = Path::new(&json).file_stem().ok_or("a file has a name")?;
    let library = format!("{}::", name.to_string_lossy());
    let api = public_api::Builder::from_rustdoc_json(&json)
        .omit_auto_derived_impls(true)
        .omit_auto_trait_impls(true)
        .omit_blanket_impls(true)
        .build()?;
    for item in api.items() {
        let line = item.to_string();
        // The first path is the item's own; of an implementation, the one behind `for`.
        let of_type = line.strip_prefix("impl").and_then(|line| line.split_once(" for "));
        let item = of_type.map_or(&line[..], |(_, of_type)| of_type);
        let path = item.split_once(&library).map_or("", |(_, path)| path);
        if !path.starts_with("unstable") {
            println!("{line}");
        }
    }
    Ok(())
}
