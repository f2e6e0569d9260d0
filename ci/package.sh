#!/usr/bin/env bash
# Makes the packages of the workspace, installs the program from them, and does the README's main job with that program in
# a folder without anything else. Then builds tests/generations from the codec's package, which has two versions of it in
# one program. The dependencies that are compiled already serve for all that. (Cargo's own verification would compile them
# all again, for the profile `dev`, and once for each package.) With the argument `short`, as ci/check.sh has it, the
# packages and both programs are only checked: all files are there, and they compile; ci/full.sh runs them.
set -euo pipefail
cd "$(dirname "$0")/.."

# crates.io accepts 10 MiB.
LIMIT=10000000
# In the order in which they can be published.
PACKAGES=(plyzip-models plyzip-kernel plyzip-codec plyzip-history plyzip)
FOLDERS=(models kernel codec history .)

packages=$PWD/target/package
export CARGO_TARGET_DIR=$PWD/target
rm -rf "$packages"
cargo package --quiet --locked --allow-dirty --no-verify --workspace \
    --exclude plyzip-training --exclude plyzip-tract-tests

# None of them is on crates.io yet, or not in this version: each is taken from here.
here=()
for number in "${!PACKAGES[@]}"; do
    name=${PACKAGES[$number]}
    version=$(sed -n 's/^version = "\(.*\)"/\1/p' "${FOLDERS[$number]}/Cargo.toml" | head -n 1)
    package=$packages/$name-$version
    bytes=$(wc -c < "$package.crate")
    echo "$package.crate: $bytes bytes"
    [ "$bytes" -le "$LIMIT" ] || { echo "more than $LIMIT bytes" >&2; exit 1; }
    tar -xzf "$package.crate" -C "$packages"
    [ "$name" = plyzip ] || here+=(--config "patch.crates-io.$name.path=\"$package\"")
done

generations() {
    # docs/generation.md: a codec of the next generation beside the one that is frozen.
    cp -r "$packages/plyzip-codec-1.0.0" "$packages/plyzip-codec-2.0.0"
    sed -i '0,/^version = "1.0.0"/s//version = "2.0.0"/' "$packages/plyzip-codec-2.0.0/Cargo.toml"
    cp Cargo.lock tests/generations/Cargo.lock
    cargo "$1" --quiet --release --manifest-path tests/generations/Cargo.toml
}

if [ "${1:-}" = short ]; then
    cargo check "${here[@]}" --release --manifest-path "$package/Cargo.toml"
    generations check
    exit
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cargo install "${here[@]}" --path "$package" --root "$folder/installed" --no-track
mkdir "$folder/empty"
(
    cd "$folder/empty"
    cp "$package/samples/famous.pgn" .
    plyzip=$folder/installed/bin/plyzip
    "$plyzip" compress famous.pgn
    "$plyzip" test famous.pgn.plz
    "$plyzip" decompress famous.pgn.plz -o back.pgn
    cmp famous.pgn back.pgn
    echo "the program from the packages gave famous.pgn back: $(wc -c < famous.pgn) bytes in $(wc -c < famous.pgn.plz)"
)

generations run
