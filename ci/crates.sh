#!/usr/bin/env bash
# Makes the packages of the workspace for crates.io, and has cargo go through their publication without doing it:
#
#     ci/crates.sh OUT
#
# `cargo publish --workspace` takes them in the order of their dependencies. That the program can be installed from
# them is what ci/package.sh tests; docs/release.md says how they are published.
set -euo pipefail
cd "$(dirname "$0")/.."

# crates.io accepts 10 MiB.
LIMIT=10000000

mkdir -p "$1"
out=$(cd "$1" && pwd)
folder=${CARGO_TARGET_DIR:-target}/package
publish=$(mktemp)
trap 'rm -f "$publish"' EXIT
cargo publish --workspace --dry-run --locked --no-verify 2>&1 | tee "$publish" | grep -v 'ignoring'
mapfile -t names < <(sed -n 's/^ *Uploading \([a-z-]*\) v.*/\1/p' "$publish")
rm -f "$folder"/plyzip*.crate
cargo package --locked --no-verify --quiet "${names[@]/#/--package=}"
for package in "$folder"/plyzip*.crate; do
    bytes=$(wc -c < "$package")
    echo "$(basename "$package"): $((bytes)) bytes"
    [ "$bytes" -le "$LIMIT" ] || { echo "more than $LIMIT bytes" >&2; exit 1; }
    cp "$package" "$out/"
done
