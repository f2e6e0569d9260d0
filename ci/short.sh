#!/usr/bin/env bash
# The short tests of the bindings, which .ci/run calls after ci/check.sh: C, the page for browsers, Python.
# ci/full.sh has the long ones.
set -euo pipefail
cd "$(dirname "$0")/.."

# One program for all three to be compared with.
cargo build --locked --release
export PLYZIP=$PWD/target/release/plyzip

ci/c.sh short
ci/web.sh short
ci/python.sh short
