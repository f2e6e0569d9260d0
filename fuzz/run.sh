#!/usr/bin/env bash
# Builds the targets and runs one under libFuzzer: fuzz/run.sh TARGET SECONDS [options of libFuzzer]. The corpus in
# fuzz/corpus/TARGET is begun if there is none.
#
# Only plyzip is compiled to tell what code is reached, with the compiler of the program and next to its dependencies.
# There is no sanitizer of memory, since plyzip has no unsafe code of its own; overflow checks and debug assertions of
# plyzip are on.
set -euo pipefail
cd "$(dirname "$0")/.."

target=$1 seconds=$2
shift 2
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
# The versions that the program has.
[ -e fuzz/Cargo.lock ] || cp Cargo.lock fuzz/Cargo.lock
if [ ! -d "fuzz/corpus/$target" ]; then
    cargo test --release --test fuzz -- --ignored corpus
fi
(cd fuzz && RUSTC_WRAPPER=$PWD/rustc.sh cargo build --release --bin "$target")
mkdir -p "fuzz/artifacts/$target"
dictionary=()
case $target in pgn_*) dictionary=(-dict=fuzz/pgn.dict) ;; esac
exec "$CARGO_TARGET_DIR/release/$target" "fuzz/corpus/$target" "${dictionary[@]}" "-max_total_time=$seconds" \
    "-artifact_prefix=fuzz/artifacts/$target/" -print_final_stats=1 -timeout=60 -rss_limit_mb=2048 "$@"
