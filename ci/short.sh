#!/usr/bin/env bash
# The short tests of the bindings, which ci/check.sh calls: C, the page for browsers, the package for npm, Python.
# ci/full.sh has the long ones.
set -euo pipefail
cd "$(dirname "$0")/.."

# One program for all to be compared with.
cargo build --locked --release
export PLYZIP=$PWD/target/release/plyzip

ci/c.sh short
ci/web.sh short
ci/npm.sh short
ci/python.sh short
