#!/usr/bin/env bash
# The Python package: builds the wheel, installs it, and runs all of its tests, in a virtual environment below
# target/python. With the argument `short`, as ci/short.sh has it, without the notebook and what that needs. With the
# argument `sdist`, makes the source distribution, too, installs it in another environment with the pip of users, and
# uses it there. The lints of the Rust side are in ci/bindings.sh.
set -euo pipefail
cd "$(dirname "$0")/.."

root=$PWD
package=$root/bindings/python
folder=$root/target/python
venv=$folder/venv
# What the extra `test` names, and what builds.
packages=('maturin>=1.8,<2' chess numpy pandas pyarrow duckdb mypy polars pytest ruff zstandard)
installed=$venv/pyproject.toml
# Those of Spark are for ci/spark.sh, and are left out where there is no pyspark.
tests=()
if [ "${1:-}" = short ]; then
    installed=$venv/short.toml
    tests=(--ignore "$package/tests/test_notebook.py")
else
    packages+=(ipykernel matplotlib nbclient nbformat)
fi
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
if ! cmp -s "$package/pyproject.toml" "$installed"; then
    python3 -m venv "$venv"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "${packages[@]}"
    cp "$package/pyproject.toml" "$installed"
fi
PATH=$venv/bin:$PATH

cd "$package"
rm -rf "$folder/wheels"
run maturin build --quiet --locked --release --out "$folder/wheels"
wheel=$(echo "$folder"/wheels/*.whl)
run python3 "$root/packaging/check_wheel.py" "$wheel"
bytes=$(wc -c < "$wheel")
echo "${wheel##*/}: $bytes bytes"
[ "$bytes" -le "$LIMIT" ] || { echo "more than $LIMIT bytes" >&2; exit 1; }
run pip install --quiet --disable-pip-version-check --force-reinstall --no-deps "$wheel"

run ruff check --config "$root/ruff.toml" .
run ruff format --check --config "$root/ruff.toml" .
# The notebook's test cannot be typed without its packages.
checked=(plyzip tests)
[ "${1:-}" != short ] || checked+=(--exclude test_notebook.py)
run mypy --cache-dir "$folder/mypy" "${checked[@]}"
# From elsewhere, so that what is installed is what is tested.
cd "$folder"
run stubtest --mypy-config-file "$package/pyproject.toml" --allowlist "$package/tests/stubtest.txt" plyzip
# $PLYZIP names a program that is built already; an older one may have an older model.
if [ -z "${PLYZIP:-}" ]; then
    run cargo build --quiet --locked --release --manifest-path "$root/Cargo.toml"
    export PLYZIP=$root/target/release/plyzip
fi
# What hangs is told.
run timeout 1200 pytest -q -p no:cacheprovider --rootdir "$package" "$package/tests" "${tests[@]}"

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
