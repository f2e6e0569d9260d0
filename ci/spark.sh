#!/usr/bin/env bash
# plyzip.spark on a cluster of two workers on this machine: builds the wheel and the program, installs the wheel with
# what the extra `spark` names, and runs the tests, of which none may be left out. Java 17 or newer is needed (Debian:
# default-jre-headless). Not part of ci/check.sh, as ci/python.sh is not.
set -euo pipefail
cd "$(dirname "$0")/.."

root=$PWD
package=$root/bindings/python
folder=$root/target/spark
venv=$folder/venv
export CARGO_TARGET_DIR=$root/target
export PYTHONDONTWRITEBYTECODE=1

run() {
    printf '\n$ %s\n' "$*"
    "$@"
}

command -v java >/dev/null || { echo "java is needed: apt-get install default-jre-headless" >&2; exit 1; }
mkdir -p "$folder"
if ! cmp -s "$package/pyproject.toml" "$venv/pyproject.toml"; then
    python3 -m venv "$venv"
    # What the extra `spark` names, and what builds and tests.
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check 'maturin>=1.8,<2' 'pyspark>=4,<5' 'pandas<3' \
        pyarrow zstandard chess numpy mypy pytest fsspec 'moto[server]'
    cp "$package/pyproject.toml" "$venv/"
fi
PATH=$venv/bin:$PATH

run cargo build --quiet --locked --release --bin plyzip
cd "$package"
rm -rf "$folder/wheels"
run maturin build --quiet --locked --release --out "$folder/wheels"
run pip install --quiet --disable-pip-version-check --force-reinstall --no-deps "$folder"/wheels/*.whl
# With the types of pyspark, which ci/python.sh does not have.
run mypy --cache-dir "$folder/mypy" plyzip tests/cluster.py tests/test_spark.py tests/test_slices.py tests/flaky_store.py tests/test_store.py
# From elsewhere, so that what is installed is what is tested.
cd "$folder"
export PLYZIP=$root/target/release/plyzip PLYZIP_SPARK=required
run pytest -q -p no:cacheprovider --rootdir "$package" "$package/tests/test_slices.py" "$package/tests/test_store.py" \
    "$package/tests/test_spark.py"
