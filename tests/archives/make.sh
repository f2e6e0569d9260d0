#!/usr/bin/env bash
# Makes the golden archives of this generation again, and their manifest. $PYTHON names an interpreter that has numpy,
# onnx and blake3; with $GOLDEN_ORIGINALS, a folder, the originals are left there too.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
export SMALL_MODELS=$work
"${PYTHON:-python3}" tests/archives/small_model.py "$work/small.onnx"
# The same with a board network of random weights, that counts half.
cargo run --locked --release -p plyzip-training -- board-sample tiny "$work/board.onnx"
echo '{}' > "$work/small.json"
"${PYTHON:-python3}" -c "import numpy; numpy.array([2048, 2048, 1024, 4096, 2048] * 4, '<i2').tofile('$work/weights')"
"${PYTHON:-python3}" training/equip.py "$work/small.onnx" "$work/small-board.onnx" --name small-board \
    --board "$work/board.onnx" --board-weights "$work/weights"
mkdir -p tests/archives/1
rm -f tests/archives/1/*.plz
cargo test --locked --release --test golden -- --ignored make_the_archives
