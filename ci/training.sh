#!/usr/bin/env bash
# Tests of the training: the whole way from games to weights at toy size, and with PLYZIP_SLOW=1 the GPU kit's
# calls, which take minutes by the clock.
set -euo pipefail
cd "$(dirname "$0")/.."

. ci/python-packages.sh
"$PYTHON" -m ruff check training
make -s -C training tools
"$PYTHON" -m pytest -q training/tests
# As the GPU machine has it.
exec cargo check --quiet --locked --release -p plyzip-training --no-default-features
