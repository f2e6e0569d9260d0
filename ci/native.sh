#!/usr/bin/env bash
# The tests of the library and the program on the system that this is, for Windows and macOS; Linux has ci/check.sh.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo test --locked --release --features arrow
case "$(uname -s)" in
    MINGW* | MSYS* | CYGWIN*) tests/windows.sh target/release/plyzip.exe ;;
esac
