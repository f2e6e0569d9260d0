#!/usr/bin/env bash
# The page for browsers: builds it, and tests it in Chromium against the program. With the argument `measure`, measures
# the speed of both as well. With the argument `short`, as ci/short.sh has it, the page is built in any case, but not
# tested where there is no browser. Screenshots of the last run are in target/web/shots. Needs node 20, npm and Chromium
# ($CHROMIUM, /usr/bin/chromium); nginx and Python, too, as servers of archives. The lints of the Rust side are in
# ci/bindings.sh.
set -euo pipefail
cd "$(dirname "$0")/.."

root=$PWD
folder=$root/target/web
# Bytes of the folder, `standard` included.
LIMIT=12300000
export CARGO_TARGET_DIR=$root/target

run() {
    printf '\n$ %s\n' "$*"
    "$@"
}

# The versions that decide bytes, and our own, are those of the library.
versions() {
    awk '/^name = / { name = $3 } /^version = / && name ~ /^"(blake3|constriction|lzma-rust2|shakmaty)"$/ {
        print name, $3 }' "$1" | sort
}
version() {
    sed -n 's/^version = "\(.*\)"$/\1/p' "$1" | head -n 1
}
if [ -n "$(comm -13 <(versions Cargo.lock) <(versions bindings/web/Cargo.lock))" ] ||
    [ "$(version Cargo.toml)" != "$(version bindings/web/Cargo.toml)" ]; then
    echo "bindings/web has other versions than the library" >&2
    exit 1
fi
# What makes JavaScript's side has to know the module's side.
bindgen() {
    awk '/^name = "wasm-bindgen(-cli-support)?"$/ { getline; print $3 }' "$1"
}
if [ "$(bindgen bindings/web/Cargo.lock)" != "$(bindgen bindings/web/bindgen/Cargo.lock | sort -u)" ]; then
    echo "bindings/web/bindgen has another version of wasm-bindgen" >&2
    exit 1
fi

# $PLYZIP names a program that is built already.
if [ -z "${PLYZIP:-}" ]; then
    run cargo build --locked --release --bin plyzip --example http_ranges
    PLYZIP=$root/target/release/plyzip
fi
[ ! -x target/release/examples/http_ranges ] || export PLYZIP_EXAMPLE=$root/target/release/examples/http_ranges
for tool in nginx python3; do
    command -v "$tool" >/dev/null || echo "NOT CHECKED: archives on the server of $tool, which is not installed" >&2
done
run bindings/web/build.sh
(cd bindings/web/bindgen && run cargo test --quiet --locked --bin plyzip-web-script)
bytes=$(cat "$folder/plyzip/"* | wc -c)
[ "$bytes" -le "$LIMIT" ] || { echo "more than $LIMIT bytes: $bytes" >&2; exit 1; }

chromium=${CHROMIUM:-/usr/bin/chromium}
for tool in node npm "$chromium"; do
    if ! command -v "$tool" >/dev/null; then
        echo "NOT CHECKED: the page in a browser, for want of $tool (apt-get install nodejs npm chromium)" >&2
        [ "${1:-}" = short ] && exit
        exit 1
    fi
done
mkdir -p "$folder/tests"
rm -rf "$folder/shots"
mkdir -p "$folder/shots"
cp bindings/web/tests/* "$folder/tests/"
cd "$folder/tests"
. "$root/ci/node-packages.sh"
export PLYZIP PLYZIP_ROOT=$root PLYZIP_PAGE=$folder/plyzip PLYZIP_SHOTS=$folder/shots
# Archives at addresses take minutes, since much of that is waiting: in ci/full.sh.
tests=(page.test.mjs)
[ "${1:-}" = short ] || tests+=(address.test.mjs)
run node --test --test-concurrency=1 "${tests[@]}"
if [ "${1:-}" = measure ]; then
    run node measure.mjs
fi
