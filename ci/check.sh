#!/usr/bin/env bash
# All that has to pass before a change lands.
set -euo pipefail
cd "$(dirname "$0")/.."

run() {
    printf '\n$ %s\n' "$*"
    "$@"
}

# Cargo with overflow checks and debug assertions: the dependencies that it compiles serve tests, benches and the program
# alike.
checked() {
    run cargo --config ci/checked.toml "$@"
}

# In a log of its own, beside what compiles: both take one core most of the time.
beside() {
    if command -v qemu-x86_64 >/dev/null; then
        run tests/portability.sh quick
    else
        echo "NOT CHECKED: archives made on another processor, for want of qemu-x86_64 (apt-get install qemu-user)"
    fi
    run ci/training.sh
    run ci/reference.sh
}

run cargo fmt --check
run ci/circles.py src codec/src history/src board/src training/tools/src bindings/{c,python,web}/src \
    bindings/python/plyzip training/{bag,board} reference/plyzip_reference
run ci/dependencies.sh
checked clippy --locked --release --workspace --all-targets -- -D warnings
checked clippy --locked --release --all-targets --features embed-max,arrow,policy -- -D warnings
# The library without the command line.
checked clippy --locked --release --no-default-features --lib -- -D warnings
RUSTDOCFLAGS="-D warnings" checked doc --locked --release --workspace --no-deps
run ci/api.sh
# With what is not built by default, so that its tests run.
checked bench --locked --no-run --workspace --features plyzip/arrow,plyzip/policy
checked test --locked --release --workspace --features plyzip/arrow,plyzip/policy

# The program as it is released; this also puts it back in place of the one with the checks.
run cargo build --locked --release --package plyzip --package plyzip-training

mkdir -p target/tmp
log=target/tmp/beside.log
(set -e; beside) > "$log" 2>&1 &
others=$!
trap 'kill "$others" 2>/dev/null || true' EXIT
# The bindings, the fuzzer and Windows.
run ci/bindings.sh
run ci/package.sh short
run ci/oldest-rust.sh
run ci/short.sh
status=0
wait "$others" || status=$?
cat "$log"
exit "$status"
