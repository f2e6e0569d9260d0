#!/usr/bin/env bash
# Builds a bundle of the commit that is checked out once more, in another folder, and compares it with one that is there
# already, byte for byte:
#
#     ci/reproducible.sh TARGET BUNDLE
set -euo pipefail
cd "$(dirname "$0")/.."

[ $# = 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" | sed '$d' >&2; exit 2; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
git clone --quiet . "$scratch/a folder"
(cd "$scratch/a folder" && unset CARGO_TARGET_DIR && ci/release.sh "$1" "$scratch/out")
cmp "$scratch/out/$(basename "$2")" "$2"
echo "$(basename "$2"): the same bytes from another folder"
