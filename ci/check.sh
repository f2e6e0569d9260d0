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
# Cargo with clippy in place of the compiler: what the tests compile anyway is what it looks at, instead of compiling all
# dependencies once more for `cargo clippy`.
linted() {
    RUSTC_WORKSPACE_WRAPPER=clippy-driver without_warnings cargo --config ci/checked.toml "$@"
}
# A warning is an error.
without_warnings() {
    local log=target/tmp/warnings.log
    mkdir -p target/tmp
    run "$@" 2>&1 | tee "$log"
    if grep -q '^warning' "$log"; then
        exit 1
    fi
}

# What takes one core runs beside what compiles, which leaves one idle now and then, and has a log of its own.
log=target/tmp/beside.log
others=
trap '[ -z "$others" ] || kill "$others" 2>/dev/null || true' EXIT
beside() {
    mkdir -p target/tmp
    (set -e; "$@") > "$log" 2>&1 &
    others=$!
}
# Waits for it, and prints its log.
finish() {
    local status=0
    wait "$others" || status=$?
    others=
    cat "$log"
    [ "$status" = 0 ] || exit "$status"
}

reference() {
    run ci/reference.sh
}
program() {
    if command -v qemu-x86_64 >/dev/null; then
        run tests/portability.sh quick
    else
        echo "NOT CHECKED: archives made on another processor, for want of qemu-x86_64 (apt-get install qemu-user)"
    fi
    run ci/training.sh
}

beside reference
run cargo fmt --check
run ci/circles.py src codec/src history/src training/tools/src bindings/{c,python,web}/src \
    bindings/python/plyzip training/{bag,board} reference/plyzip_reference
run ci/dependencies.sh
# The library without the command line, and with `max` built in.
checked clippy --locked --release --no-default-features --lib -- -D warnings
checked clippy --locked --release --no-default-features --features embed-max --lib -- -D warnings
RUSTDOCFLAGS="-D warnings" checked doc --locked --release --workspace --no-deps
run ci/api.sh
# With what is not built by default, so that its tests run.
linted bench --locked --no-run --workspace --features plyzip/arrow,plyzip/policy
linted test --locked --release --workspace --features plyzip/arrow,plyzip/policy

# The program as it is released; this also puts it back in place of the one with the checks.
without_warnings cargo build --locked --release --package plyzip --package plyzip-training

finish
beside program
# The bindings, the fuzzer and Windows.
run ci/bindings.sh
run ci/package.sh short
run ci/oldest-rust.sh
run ci/short.sh
finish
