#!/usr/bin/env bash
# Tests a bundle that ci/release.sh made, as somebody has it who downloads it:
#
#     tests/bundle.sh BUNDLE.tar.gz
#
# The program for Linux has to run in a folder that is the root of all files and holds nothing else: no library, no
# /dev, no /proc. Needs root for that (chroot). That for another processor is run by qemu (Debian: qemu-user-static);
# that for macOS runs on macOS. It has to decode golden archives, and to make the same ones.
set -euo pipefail
cd "$(dirname "$0")/.."

[ $# = 1 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" | sed '$d' >&2; exit 2; }
root=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tar -xzf "$1" -C "$scratch"
folder=$(echo "$scratch"/plyzip-*)
target=$(basename "$folder" | sed 's/^plyzip-[0-9.]*-//')

# All that a bundle has.
for file in CHANGELOG.md LICENSE README.md THIRD-PARTY.txt man/plyzip.1 man/plyzip-compress.1 \
    completions/plyzip.bash completions/_plyzip completions/plyzip.fish completions/_plyzip.ps1; do
    [ -s "$folder/$file" ] || { echo "$1 has no $file" >&2; exit 1; }
done

# run FOLDER ARGUMENT...: the program in this folder.
case "$target" in
    *-linux-*)
        box=$scratch/box
        mkdir -p "$box/files"
        cp "$folder/plyzip" "$box/"
        emulator=()
        if [ "${target%%-*}" != "$(uname -m)" ]; then
            emulator=("/qemu")
            cp "$(command -v "qemu-${target%%-*}-static")" "$box/qemu"
        fi
        [ "$(id -u)" = 0 ] || { echo "only root can change the root of all files" >&2; exit 1; }
        files=$box/files
        plyzip() {
            chroot "$box" "${emulator[@]}" /plyzip "$@"
        }
        inside=/files
        ;;
    *)
        files=$scratch/files
        mkdir "$files"
        plyzip() {
            "$folder/plyzip" "$@"
        }
        inside=$files
        ;;
esac

cp samples/famous.pgn tests/archives/1/*.plz "$files"
plyzip --version
for golden in none standard-2; do
    plyzip compress -q --model "${golden%-2}" "$inside/famous.pgn" -o "$inside/new.plz" -f
    cmp "$files/new.plz" "$root/tests/archives/1/famous-$golden.plz"
    plyzip decompress -q "$inside/new.plz" -o "$inside/back.pgn" -f
    cmp "$files/back.pgn" "$files/famous.pgn"
done
# Golden archives: each has the checksums of what it decodes to.
decoded=0
for archive in "$files"/*-none.plz "$files"/text-*.plz "$files"/stored-*.plz "$files"/famous-standard-2.plz \
    "$files"/small-embedded.plz "$files"/empty.plz; do
    plyzip test -q "$inside/$(basename "$archive")"
    decoded=$((decoded + 1))
done
# Without the model, the program says how to get it.
status=0
plyzip test -q "$inside/game-max-2.plz" 2> "$scratch/told" || status=$?
[ "$status" = 4 ] && grep -q 'plyzip models add max.onnx' "$scratch/told"
echo "$(basename "$1"): famous.pgn as everywhere with none and standard, $decoded golden archives decoded"
