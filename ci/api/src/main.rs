//! Prints the public API of a crate, a line for each item, from what `rustdoc --output-format json` has written. Items of
//! the modules named behind the file are left out.

use std::env::args;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = args().skip(1);
    let json = arguments.next().ok_or("the file that rustdoc has written is wanted")?;
    let unstable: Vec<String> = arguments.collect();
    let api = public_api::Builder::from_rustdoc_json(json)
        .omit_auto_derived_impls(true)
        .omit_auto_trait_impls(true)
        .omit_blanket_impls(true)
        .sorted(true)
        .build()?;
    for item in api.items() {
        let line = item.to_string();
        if !unstable.iter().any(|module| line.contains(module.as_str())) {
            println!("{line}");
        }
    }
    Ok(())
}
