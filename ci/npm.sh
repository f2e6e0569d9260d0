#!/usr/bin/env bash
# The package for npm: builds it, installs it in a folder of its own, and tests it there, against the program, its types
# by tsc, and bundles of it by esbuild in Node.js and in Chromium. With the argument `short`, it is built and tested
# only where there is Node.js. The lints of the Rust side are in ci/bindings.sh.
set -euo pipefail
cd "$(dirname "$0")/.."

root=$PWD
folder=$root/target/npm
# Bytes of what is downloaded.
LIMIT=13000000

run() {
    printf '\n$ %s\n' "$*"
    "$@"
}

for tool in node npm; do
    if ! command -v "$tool" > /dev/null; then
        echo "NOT CHECKED: the package for npm, for want of $tool (apt-get install nodejs npm)" >&2
        [ "${1:-}" = short ] && exit
        exit 1
    fi
done
# $PLYZIP names a program that is built already.
if [ -z "${PLYZIP:-}" ]; then
    run cargo build --locked --release
    PLYZIP=$root/target/release/plyzip
fi
rm -f "$folder"/plyzip-*.tgz
run bindings/npm/build.sh
packed=$(echo "$folder"/plyzip-*.tgz)
bytes=$(wc -c < "$packed")
echo "$(basename "$packed"): $((bytes)) bytes"
[ "$bytes" -le "$LIMIT" ] || { echo "more than $LIMIT bytes" >&2; exit 1; }

mkdir -p "$folder/tests"
cp bindings/npm/tests/* "$folder/tests/"
cd "$folder/tests"
. "$root/ci/node-packages.sh"
run npm install --silent --no-save --ignore-scripts "$packed"
export PLYZIP PLYZIP_ROOT=$root
run npx --no-install tsc --noEmit --strict --module nodenext --target es2022 --types node types.ts
run node --test package.test.mjs bundle.test.mjs
