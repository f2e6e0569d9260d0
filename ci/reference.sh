#!/usr/bin/env bash
# Tests of the second decoder, which is written from docs/format.
set -euo pipefail
cd "$(dirname "$0")/.."

. ci/python-packages.sh
"$PYTHON" -m ruff check reference
exec "$PYTHON" -m pytest -q reference
