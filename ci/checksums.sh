#!/usr/bin/env bash
# Writes FOLDER/SHA256SUMS of all files there, sorted by name:
#
#     ci/checksums.sh FOLDER
set -euo pipefail
cd "$1"
rm -f SHA256SUMS
sum=(sha256sum)
# macOS has another program.
command -v sha256sum > /dev/null || sum=(shasum -a 256)
find . -type f | sed 's|^\./||' | LC_ALL=C sort | tr '\n' '\0' | xargs -0 "${sum[@]}" > ../SHA256SUMS.new
mv ../SHA256SUMS.new SHA256SUMS
cat SHA256SUMS
