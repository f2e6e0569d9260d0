#!/usr/bin/env bash
# The Python package: builds the wheel, installs it, and runs all of its tests, in a virtual environment below
# target/python. With the argument `sdist`, makes the source distribution, too, installs it in another environment with
# the pip of users, and uses it there. Not part of ci/check.sh: the first time, all dependencies are compiled with other
# features than the program's.
set -euo pipefail
cd "$(dirname "$0")/.."

root=$PWD
package=$root/bindings/python
folder=$root/target/python
venv=$folder/venv
# PyPI accepts 100 MB; ours is to stay below this.
LIMIT=60000000
# What is compiled is kept with the rest, and nothing is written into the source.
export CARGO_TARGET_DIR=$root/target
export PYTHONDONTWRITEBYTECODE=1

run() {
    printf '\n$ %s\n' "$*"
    "$@"
}

mkdir -p "$folder"
if ! cmp -s "$package/pyproject.toml" "$venv/pyproject.toml"; then
    python3 -m venv "$venv"
    # What the extra `test` names, and what builds.
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check 'maturin>=1.8,<2' chess pyarrow duckdb \
        ipykernel matplotlib mypy nbclient nbformat pandas polars pytest ruff zstandard
    cp "$package/pyproject.toml" "$venv/"
fi
PATH=$venv/bin:$PATH

cd "$package"
run cargo fmt --check
# `cargo clippy` would compile all dependencies in a third way.
run env RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-Dwarnings__CLIPPY_HACKERY__ cargo build --locked --release
rm -rf "$folder/wheels"
run maturin build --quiet --locked --release --out "$folder/wheels"
wheel=$(echo "$folder"/wheels/*.whl)
bytes=$(wc -c < "$wheel")
echo "${wheel##*/}: $bytes bytes"
[ "$bytes" -le "$LIMIT" ] || { echo "more than $LIMIT bytes" >&2; exit 1; }
run pip install --quiet --disable-pip-version-check --force-reinstall --no-deps "$wheel"

run ruff check --config "$root/ruff.toml" .
run ruff format --check --config "$root/ruff.toml" .
run mypy --cache-dir "$folder/mypy" plyzip tests
# From elsewhere, so that what is installed is what is tested.
cd "$folder"
run stubtest --mypy-config-file "$package/pyproject.toml" --allowlist "$package/tests/stubtest.txt" plyzip
# $PLYZIP names a program that is built already; an older one may have an older model.
if [ -z "${PLYZIP:-}" ]; then
    run cargo build --quiet --locked --release --manifest-path "$root/Cargo.toml"
    export PLYZIP=$root/target/release/plyzip
fi
run pytest -q -p no:cacheprovider --rootdir "$package" "$package/tests"

if [ "${1:-}" = sdist ]; then
    rm -rf "$folder/sdist" "$folder/fresh"
    run maturin sdist --manifest-path "$package/Cargo.toml" --out "$folder/sdist"
    sdist=$(echo "$folder"/sdist/*.tar.gz)
    echo "${sdist##*/}: $(wc -c < "$sdist") bytes"
    run python3 -m venv "$folder/fresh"
    run "$folder/fresh/bin/python" -m pip install --quiet --disable-pip-version-check "$sdist"
    cd "$folder/fresh"
    run bin/python -c "
import plyzip
pgn = open('$root/samples/famous.pgn', 'rb').read()
archive = plyzip.compress(pgn)
assert plyzip.decompress(archive) == pgn
print(plyzip.__version__, len(pgn), 'bytes in', len(archive))"
fi
