#!/usr/bin/env bash
# Makes the package of the crate, installs the program from it, and does the README's main job with that program in
# a folder without anything else. The dependencies that are compiled already serve for that.
# (`cargo package` would compile them all again, for the profile `dev`.)
set -euo pipefail
cd "$(dirname "$0")/.."

# crates.io accepts 10 MiB.
LIMIT=10000000

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
package=$PWD/target/package/plyzip-$version
cargo package --quiet --locked --allow-dirty --no-verify
bytes=$(wc -c < "$package.crate")
echo "$package.crate: $bytes bytes"
[ "$bytes" -le "$LIMIT" ] || { echo "more than $LIMIT bytes" >&2; exit 1; }
rm -rf "$package"
tar -xzf "$package.crate" -C target/package

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
CARGO_TARGET_DIR=$PWD/target cargo install --locked --path "$package" --root "$folder/installed" --no-track
mkdir "$folder/empty"
cd "$folder/empty"
cp "$package/samples/famous.pgn" .
plyzip=$folder/installed/bin/plyzip
"$plyzip" compress famous.pgn
"$plyzip" test famous.pgn.plz
"$plyzip" decompress famous.pgn.plz -o back.pgn
cmp famous.pgn back.pgn
echo "the program from the package gave famous.pgn back: $(wc -c < famous.pgn) bytes in $(wc -c < famous.pgn.plz)"
