#!/usr/bin/env bash
# Makes the Debian package from a bundle of ci/release.sh:
#
#     ci/deb.sh BUNDLE.tar.gz OUT
#
# cargo-deb takes the program, the manual pages and the completions out of the bundle, and the rest from Cargo.toml. The
# program is the static one, so that the package needs no other and fits each Debian and Ubuntu.
set -euo pipefail
cd "$(dirname "$0")/.."

[ $# = 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" | sed '$d' >&2; exit 2; }
mkdir -p "$2"
out=$(cd "$2" && pwd)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
# Where Cargo.toml says that the files are.
folder=target/deb
rm -rf "$folder"
mkdir -p "$folder"
tar -xzf "$1" -C "$folder" --strip-components 1
target=$(basename "$1" .tar.gz | sed 's/^plyzip-[0-9.]*-//')
case "$target" in
    x86_64-*) architecture=amd64 ;;
    aarch64-*) architecture=arm64 ;;
    *) echo "no package for $target" >&2; exit 2 ;;
esac
PATH=$PWD/target/tools/bin:$PATH
# --no-build takes what is there; xz compresses, since the tool itself is not optimized.
cargo deb --quiet --no-build --no-strip --compress-system --locked --target "$target" --output "$out/"
ls -l "$out"/plyzip_*_"$architecture".deb
