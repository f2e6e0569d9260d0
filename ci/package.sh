#!/usr/bin/env bash
# Makes the package of the crate and compiles what is in it, with the dependencies that are compiled already.
# (`cargo package` would compile them all again, for the profile `dev`.)
set -euo pipefail
cd "$(dirname "$0")/.."

# crates.io accepts 10 MiB.
LIMIT=10000000

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
package=target/package/plyzip-$version
cargo package --quiet --locked --allow-dirty --no-verify
bytes=$(wc -c < "$package.crate")
echo "$package.crate: $bytes bytes"
[ "$bytes" -le "$LIMIT" ] || { echo "more than $LIMIT bytes" >&2; exit 1; }
rm -rf "$package"
tar -xzf "$package.crate" -C target/package
CARGO_TARGET_DIR=$PWD/target cargo check --locked --release --manifest-path "$package/Cargo.toml"
