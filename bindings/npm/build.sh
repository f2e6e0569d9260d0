#!/usr/bin/env bash
# Makes the package for npm, the folder target/npm/plyzip, and plyzip-VERSION.tgz beside it. Its module is that of the
# page (bindings/web). Needs Rust with the target wasm32-unknown-unknown, Python 3.11 and npm. With $CARGO_TARGET_DIR set,
# cargo compiles there.
set -euo pipefail
cd "$(dirname "$0")"

root=$(cd ../.. && pwd)
folder=$root/target/npm/plyzip
glue=$root/target/npm/glue
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$root/target}

# In the folder, since it has options of its own.
(cd ../web && cargo build --locked --release --target wasm32-unknown-unknown)
(cd ../web/bindgen && cargo build --quiet --locked)
rm -rf "$folder" "$glue"
mkdir -p "$folder"
"$CARGO_TARGET_DIR/debug/plyzip-web-bindgen" \
    "$CARGO_TARGET_DIR/wasm32-unknown-unknown/release/plyzip_web.wasm" "$glue" module

# The glue calls two functions by their names alone, and would have bundlers look for another file's name.
{
    echo 'import { plyzipPanic, plyzipProgress } from "./events.js";'
    sed 's/plyzip_web_bg\.wasm/plyzip.wasm/g' "$glue/plyzip_web.js"
} > "$folder/glue.js"
cp "$glue/plyzip_web_bg.wasm" "$folder/plyzip.wasm"
cp package.json README.md plyzip.d.ts ./*.js "$folder/"
cp "$root/LICENSE" "$root/models/standard.onnx" "$folder/"
python3 "$root/packaging/licences.py" --manifest ../web/Cargo.toml --target wasm32-unknown-unknown \
    > "$folder/THIRD-PARTY.txt"
(cd "$folder" && wc -c -- *)
(cd "$root/target/npm" && npm pack --silent ./plyzip)
