#!/usr/bin/env bash
# Tests of the second decoder, which is written from docs/format. $PYTHON names an interpreter that has pytest, numpy and
# ruff, as training/requirements.txt has them; without it that of ci/training.sh is taken.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -z "${PYTHON:-}" ]; then
    PYTHON=$PWD/target/venv/bin/python
fi
"$PYTHON" -m ruff check reference
exec "$PYTHON" -m pytest -q reference
