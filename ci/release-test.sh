#!/usr/bin/env bash
# Tests the bundles of ci/release.sh in a folder that this system can run: tests/bundle.sh for those of Linux and macOS,
# tests/windows.sh for that of Windows.
#
#     ci/release-test.sh FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
# Windows has it by the other name.
python=$(command -v python3 || command -v python)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for bundle in "$1"/plyzip-*; do
    case "$bundle" in
        *-windows-*.zip)
            "$python" -m zipfile -e "$bundle" "$scratch"
            tests/windows.sh "$scratch"/plyzip-*/plyzip.exe
            ;;
        *-linux-*.tar.gz)
            if [ "$(id -u)" = 0 ]; then
                tests/bundle.sh "$bundle"
            else
                # The emulator of other processors, and the right to change the root of all files.
                command -v qemu-aarch64-static > /dev/null \
                    || sudo apt-get install -y -qq --no-install-recommends qemu-user-static
                sudo tests/bundle.sh "$bundle"
            fi
            ;;
        *-apple-darwin.tar.gz) tests/bundle.sh "$bundle" ;;
        *) echo "what is $bundle?" >&2; exit 1 ;;
    esac
done
