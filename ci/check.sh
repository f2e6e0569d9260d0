#!/usr/bin/env bash
# All that has to pass before a change lands.
set -euo pipefail
cd "$(dirname "$0")/.."

run() {
    printf '\n$ %s\n' "$*"
    "$@"
}

run cargo fmt --check
# In release throughout: the same compiled dependencies serve tests, benches and the program.
run cargo clippy --locked --release --workspace --all-targets -- -D warnings
run cargo bench --locked --no-run
run cargo test --locked --release --workspace
run ci/training.sh
