#!/usr/bin/env bash
# Compares the public API of the packages with its listings, docs/api/PACKAGE.txt, so that every change of it is seen:
#
#     ci/api.sh [write]
#
# With the argument `write`, writes the listings. What is in `unstable` is not listed.
set -euo pipefail
cd "$(dirname "$0")/.."

# What rustdoc writes for programs changes with its version, and ci/api reads that of the oldest Rust.
oldest=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
cargo=(cargo)
if [[ "$(rustc --version)" != "rustc $oldest."* ]]; then
    cargo=(cargo "+$oldest.0")
    if ! "${cargo[@]}" --version >/dev/null 2>&1; then
        echo "NOT CHECKED: the public API, for want of Rust $oldest (rustup toolchain install $oldest.0)" >&2
        exit
    fi
fi

if ! CARGO_TARGET_DIR=$PWD/target/api CARGO_PROFILE_DEV_DEBUG=0 \
    "${cargo[@]}" build --quiet --locked --manifest-path ci/api/Cargo.toml; then
    echo "NOT CHECKED: the public API, for want of what prints it (ci/api)" >&2
    exit
fi
mkdir -p docs/api target/api/found
failed=0
for package in plyzip plyzip-codec; do
    RUSTDOC=$PWD/ci/api/rustdoc.sh "${cargo[@]}" rustdoc --quiet --locked --release --lib --package "$package" \
        -- -Z unstable-options --output-format json
    found=target/api/found/$package.txt
    target/api/debug/plyzip-api "${CARGO_TARGET_DIR:-target}/doc/${package/-/_}.json" > "$found"
    if [ "${1:-}" = write ]; then
        cp "$found" "docs/api/$package.txt"
    elif ! diff -u "docs/api/$package.txt" "$found"; then
        failed=1
    fi
done
if [ "$failed" = 1 ]; then
    echo "The public API is another one than docs/api says: ci/api.sh write" >&2
fi
exit "$failed"
