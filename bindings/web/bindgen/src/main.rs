//! Makes JavaScript's side of a module in the folder OUT: a script, or a module of ECMAScript if the third argument says
//! so. It does what these commands do:
//! `wasm-bindgen --target no-modules --no-typescript --out-dir OUT MODULE`
//! `wasm-bindgen --target web --no-typescript --out-dir OUT MODULE`

use std::env;
use std::error::Error;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (module, out, is_module) = match arguments[..] {
        [module, out] => (module, out, false),
        [module, out, "module"] => (module, out, true),
        _ => return Err("plyzip-web-bindgen MODULE OUT [module]".into()),
    };
    let mut bindgen = Bindgen::new();
    let bindgen = bindgen.input_path(module);
    let bindgen = if is_module { bindgen.web(true)? } else { bindgen.no_modules(true)? };
    bindgen.typescript(false).generate(out)?;
    Ok(())
}
