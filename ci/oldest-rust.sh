#!/usr/bin/env bash
# Compiles the crate with the oldest version of Rust that Cargo.toml says will do, unless all other checks use it
# already.
set -euo pipefail
cd "$(dirname "$0")/.."

oldest=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
case "$(rustc --version)" in
    "rustc $oldest."*)
        echo "this is Rust $oldest"
        exit
        ;;
esac
if ! cargo "+$oldest.0" --version >/dev/null 2>&1; then
    echo "NOT CHECKED: Rust $oldest, for want of its toolchain (rustup toolchain install $oldest.0)" >&2
    exit
fi
# In a folder of its own, so that what the other version compiled stays.
CARGO_TARGET_DIR=$PWD/target/oldest-rust cargo "+$oldest.0" check --locked --release
