#!/usr/bin/env bash
# Tests of the training: the whole way from games to weights at toy size, and the GPU kit's calls.
# $PYTHON names an interpreter that has training/requirements.txt; without it a virtual environment is made.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -z "${PYTHON:-}" ]; then
    venv=$PWD/target/venv
    PYTHON=$venv/bin/python
    if ! cmp -s training/requirements.txt "$venv/requirements.txt"; then
        python3 -m venv "$venv"
        "$PYTHON" -m pip install --quiet --disable-pip-version-check -r training/requirements.txt
        cp training/requirements.txt "$venv/"
    fi
    PATH=$venv/bin:$PATH
fi
"$PYTHON" -m ruff check training
make -s -C training tools
"$PYTHON" -m pytest -q training/tests
# As the GPU machine has it.
exec cargo check --quiet --locked --release -p plyzip-training --no-default-features
