#!/usr/bin/env bash
# Checks licences and sources of all dependencies by deny.toml.
set -euo pipefail
cd "$(dirname "$0")/.."

# Where .ci/run puts it.
PATH=$PWD/target/tools/bin:$PATH
if ! command -v cargo-deny >/dev/null; then
    echo "NOT CHECKED: licences of dependencies, for want of cargo-deny (cargo install --locked cargo-deny)" >&2
    exit
fi
exec cargo deny --locked check bans licenses sources
