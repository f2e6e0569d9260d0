#!/usr/bin/env bash
# Makes the packages of the workspace for crates.io and checks what it takes of them:
#
#     ci/crates.sh OUT
#
# `cargo publish --workspace --dry-run` packs them in the order of their dependencies, and compiles each from its
# package and those before it. docs/release.md says how they are published.
set -euo pipefail
cd "$(dirname "$0")/.."

# crates.io accepts 10 MiB.
LIMIT=10000000

mkdir -p "$1"
out=$(cd "$1" && pwd)
# Not published are those that say so.
cargo publish --workspace --dry-run --locked --no-verify "${@:2}"
for package in "${CARGO_TARGET_DIR:-target}"/package/plyzip*.crate; do
    bytes=$(wc -c < "$package")
    echo "$(basename "$package"): $((bytes)) bytes"
    [ "$bytes" -le "$LIMIT" ] || { echo "more than $LIMIT bytes" >&2; exit 1; }
    cp "$package" "$out/"
done
