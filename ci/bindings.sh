#!/usr/bin/env bash
# Looks at all that is no part of the program's workspace, with warnings as errors: the bindings for Python, C and
# browsers, the targets of the fuzzer, and the program for Windows. Nothing is linked and nothing runs: ci/short.sh does
# that.
set -euo pipefail
cd "$(dirname "$0")/.."

# Here lies what the program's own lints compiled; dependencies with the same features serve again.
export CARGO_TARGET_DIR=$PWD/target

run() {
    printf '\n$ %s\n' "$*"
    "$@"
}

# lint FOLDER [OPTION...]: in the folder, since each has its own lock file and its own .cargo/config.toml.
lint() {
    (
        cd "$1"
        run cargo fmt --check
        run cargo clippy --locked --release "${@:2}" -- -D warnings
    )
}

# has TARGET WHAT: whether Rust for this machine is installed; else says what is not checked.
has() {
    [ -d "$(rustc --print sysroot)/lib/rustlib/$1" ] && return
    echo "NOT CHECKED: $2, for want of Rust for it (rustup target add $1)" >&2
    return 1
}

lint bindings/python
lint bindings/c --all-targets
if has wasm32-unknown-unknown "the page for browsers"; then
    lint bindings/web --target wasm32-unknown-unknown
    (cd bindings/web/bindgen && run cargo fmt --check)
fi

# The fuzzer's lock file is not in the repository: its versions are those that the program has. Any file stands in for
# libFuzzer, which takes a minute to compile, since nothing is linked.
cp Cargo.lock fuzz/Cargo.lock
(
    cd fuzz
    run cargo fmt --check
    run env CUSTOM_LIBFUZZER_PATH="$PWD/run.sh" cargo clippy --release -- -D warnings
)

if has x86_64-pc-windows-gnu "the program for Windows"; then
    # Dependencies in C would want a cross compiler. Nothing is linked, so `true` may stand in for it.
    run env CC_x86_64_pc_windows_gnu=true AR_x86_64_pc_windows_gnu=true \
        cargo clippy --locked --release --target x86_64-pc-windows-gnu -- -D warnings
fi
