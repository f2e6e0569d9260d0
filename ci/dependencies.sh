#!/usr/bin/env bash
# Looks for dependencies that nothing uses, and checks licences and sources of all by deny.toml.
set -euo pipefail
cd "$(dirname "$0")/.."

# Where .ci/run puts them.
PATH=$PWD/target/tools/bin:$PATH
if command -v cargo-machete >/dev/null; then
    cargo machete --skip-target-dir .
else
    echo "NOT CHECKED: unused dependencies, for want of cargo-machete (cargo install --locked cargo-machete)" >&2
fi
if ! command -v cargo-deny >/dev/null; then
    echo "NOT CHECKED: licences of dependencies, for want of cargo-deny (cargo install --locked cargo-deny)" >&2
    exit
fi
exec cargo deny --locked check bans licenses sources
