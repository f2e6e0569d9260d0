//! Makes JavaScript's side of a module in the folder OUT, as this does:
//! `wasm-bindgen --target no-modules --no-typescript --out-dir OUT MODULE`

use std::env;
use std::error::Error;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let [module, out]: [String; 2] = env::args()
        .skip(1)
        .collect::<Vec<_>>()
        .try_into()
        .map_err(|_| "plyzip-web-bindgen MODULE OUT")?;
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).no_modules(true)?.typescript(false).generate(out)?;
    Ok(())
}
