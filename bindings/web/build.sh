#!/usr/bin/env bash
# Makes the folder of the page, target/web/plyzip: index.html and what it loads. It works from any place, without a
# server. Needs Rust with the target wasm32-unknown-unknown.
set -euo pipefail
cd "$(dirname "$0")"

root=$(cd ../.. && pwd)
folder=$root/target/web/plyzip
glue=$root/target/web/glue
export CARGO_TARGET_DIR=$root/target

cargo build --locked --release --target wasm32-unknown-unknown
(cd bindgen && cargo build --quiet --locked)
rm -rf "$folder" "$glue"
mkdir -p "$folder"
"$CARGO_TARGET_DIR/debug/plyzip-web-bindgen" \
    "$CARGO_TARGET_DIR/wasm32-unknown-unknown/release/plyzip_web.wasm" "$glue"

# A page from a file may start no worker from a file and fetch nothing: all of it is text in scripts.
script_of() {
    "$CARGO_TARGET_DIR/debug/plyzip-web-script" "$@"
}
{
    cat "$glue/plyzip_web.js"
    sed '/^"use strict";$/d' page/{gzip,address,worker}.js
} > "$glue/worker.js"
"$CARGO_TARGET_DIR/debug/plyzip-web-gzip" < "$glue/plyzip_web_bg.wasm" > "$glue/module.gz"
# The module unpacks it, in as much memory as the dictionary has.
xz --stdout --format=lzma --lzma1=preset=9e,dict=16MiB "$root/models/standard.onnx" > "$glue/standard.lzma"
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml)
{
    echo '"use strict";'
    echo "const PLYZIP = { version: \"$version\", magic: [0xc1, 0x50, 0x4c, 0x5a] };"
} | script_of worker="$glue/worker.js" famous="$root/samples/famous.pgn" module="$glue/module.gz" > "$folder/plyzip.js"
script_of standard="$glue/standard.lzma" < /dev/null > "$folder/standard.js"

(cd page && cat {elements,engine,files,board,curve,replay,list,tree,state,work,models,archive,app}.js) \
    | sed '2,${/^"use strict";$/d}' > "$folder/page.js"
cp page/page.css "$folder/"
# The pieces of `plyzip explain --html`, which may have a style of their own there and must not here.
sed 's/ style="[^"]*"//' "$root/src/cli/commands/explain/html/pieces.svg" > "$glue/pieces.svg"
sed -e "/^@pieces@\$/{r $glue/pieces.svg" -e 'd}' page/index.html > "$folder/index.html"
cp "$root/LICENSE" "$folder/"

(cd "$folder" && wc -c -- *)
