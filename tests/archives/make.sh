#!/usr/bin/env bash
# Makes the golden archives of this generation again, and their manifest. $PYTHON names an interpreter that has numpy,
# onnx and blake3; with $GOLDEN_ORIGINALS, a folder, the originals are left there too.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
export SMALL_MODEL=$work/small.onnx
"${PYTHON:-python3}" tests/archives/small_model.py "$SMALL_MODEL"
mkdir -p tests/archives/1
rm -f tests/archives/1/*.plz
cargo test --locked --release --test golden -- --ignored make_the_archives
