#!/usr/bin/env bash
# Builds the wheel of the Python package for one machine, and checks it:
#
#     ci/wheels.sh TARGET OUT
#
# TARGET is a target of Rust, or `native`. One for Linux is linked by zig against a glibc of old, so that the wheel is
# one for manylinux2014, or with musl. A wheel that fits this machine is installed in a new environment and used.
# ci/release-tools.sh installs what this needs.
set -euo pipefail
cd "$(dirname "$0")/.."
# Windows has it by the other name.
python=$(command -v python3 || command -v python)

[ $# = 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" | sed '$d' >&2; exit 2; }
root=$PWD
target=$1
mkdir -p "$2"
out=$(cd "$2" && pwd)
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$root/target}
# PyPI accepts 100 MB; ours is to stay below this.
LIMIT=25000000

run() {
    printf '\n$ %s\n' "$*"
    "$@"
}

options=()
[ "$target" = native ] || options+=(--target "$target")
case "$target" in
    *-linux-gnu) options+=(--zig --compatibility manylinux2014) ;;
    *-linux-musl) options+=(--zig --compatibility musllinux_1_2) ;;
    *-apple-darwin) [ "$(uname -s)" = Darwin ] || options+=(--zig) ;;
esac
built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT
(cd bindings/python && run maturin build --locked --release "${options[@]}" --out "$built")
wheel=$(echo "$built"/*.whl)
bytes=$(wc -c < "$wheel")
echo "$(basename "$wheel"): $((bytes)) bytes"
[ "$bytes" -le "$LIMIT" ] || { echo "more than $LIMIT bytes" >&2; exit 1; }
run twine check --strict "$wheel"
"$python" packaging/check_wheel.py "$wheel"

"$python" -m venv "$built/venv"
bin=$built/venv/bin
[ -d "$bin" ] || bin=$built/venv/Scripts
if (cd "$built" && "$bin/python" -m pip install --quiet --disable-pip-version-check --no-deps "$wheel" 2> pip.log); then
    cp samples/famous.pgn "$built/"
    (cd "$built" && run "$bin/python" -c '
import plyzip
pgn = open("famous.pgn", "rb").read()
archive = plyzip.compress(pgn)
assert plyzip.decompress(archive) == pgn
print("plyzip", plyzip.__version__, len(pgn), "bytes in", len(archive))')
else
    echo "NOT CHECKED: the wheel in use, which is for another machine ($(tail -n 1 "$built/pip.log"))"
fi
cp "$wheel" "$out/"
