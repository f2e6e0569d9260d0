#!/usr/bin/env bash
# Everything: ci/check.sh, the long tests of all bindings, the cluster, other processors, and the fuzzer for
# $PLYZIP_FUZZ_SECONDS (300) a target. For a release; it takes hours. Installs what is missing, as .ci/run does.
set -euo pipefail
cd "$(dirname "$0")/.."

run() {
    printf '\n$ %s\n' "$*"
    "$@"
}

ci/install.sh full
PATH=$PWD/target/tools/bin:$PATH
# Tests that take minutes, too.
export PLYZIP_SLOW=1
run ci/check.sh
run ci/package.sh
run ci/c.sh
run ci/web.sh
run ci/npm.sh
run ci/python.sh sdist
run ci/spark.sh
run tests/portability.sh all
# What somebody downloads, as far as it runs here.
out=target/release-files
rm -rf "$out"
targets=(x86_64-unknown-linux-musl aarch64-unknown-linux-musl x86_64-pc-windows-gnu)
run ci/release-tools.sh "${targets[@]}" x86_64-unknown-linux-gnu
PATH=$PWD/target/release-tools/bin:$PATH
export PLYZIP=$PWD/target/release/plyzip
for target in "${targets[@]}"; do
    run ci/release.sh "$target" "$out"
done
run ci/release-test.sh "$out"
run ci/wheels.sh x86_64-unknown-linux-gnu "$out"
for target in fuzz/fuzz_targets/*.rs; do
    run fuzz/run.sh "$(basename "$target" .rs)" "${PLYZIP_FUZZ_SECONDS:-300}"
done
