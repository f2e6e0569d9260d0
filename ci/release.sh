#!/usr/bin/env bash
# Builds the program for one machine and bundles it with manual pages, completions and licences:
#
#     ci/release.sh TARGET OUT
#
# TARGET is a target of Rust, or `native`. OUT is a folder, which gets plyzip-VERSION-TARGET.tar.gz (.zip for Windows)
# and its line of SHA256SUMS. Two checkouts of a commit shall give the same bytes, whatever their folders and times, if
# Rust, zig and zlib have the same versions. Another machine's program is linked by zig, which ci/release-tools.sh
# installs. Python 3.11 or newer makes the bundle. Manual pages are printed by the program itself if it runs here, or
# else by $PLYZIP, or else by one that is built for that.
set -euo pipefail
cd "$(dirname "$0")/.."

# The largest program, in bytes.
LIMIT=25000000

[ $# = 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" | sed '$d' >&2; exit 2; }
root=$PWD
target=$1
host=$(rustc -vV | sed -n 's/^host: //p')
[ "$target" != native ] || target=$host
mkdir -p "$2"
out=$(cd "$2" && pwd)
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
target_folder=${CARGO_TARGET_DIR:-$root/target}
cargo_home=${CARGO_HOME:-$HOME/.cargo}

run() {
    printf '\n$ %s\n' "$*"
    "$@"
}

# The time of the commit stands for all times.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH

# No path of this machine goes into the program. Cargo leaves these options out of the names that it makes from options,
# so that another folder changes nothing.
options=()
for mapped in "$root=plyzip" "$cargo_home=cargo" "$(rustc --print sysroot)=rust"; do
    options+=("--remap-path-prefix=$mapped")
done
# A folder may have spaces in its name.
CARGO_ENCODED_RUSTFLAGS=$(IFS=$'\x1f' && echo "${options[*]}")
export CARGO_ENCODED_RUSTFLAGS CC_SHELL_ESCAPED_FLAGS=1
export "CFLAGS_${target//-/_}='-ffile-prefix-map=$root=plyzip' '-ffile-prefix-map=$cargo_home=cargo'"

build=(cargo build)
# What the machine's own linker makes may need what this machine alone has; a program for Linux that starts everywhere
# is linked with musl.
[ "$target" = "$host" ] || [[ $target-$host = *-apple-darwin-*-apple-darwin ]] || build=(cargo zigbuild)
# Optimized as a whole: faster by some hundredths, and several minutes longer to build.
run env CARGO_PROFILE_RELEASE_LTO=fat "${build[@]}" --locked --release --target "$target" --bin plyzip

program=plyzip
kind=tar.gz
if [[ $target = *-windows-* ]]; then
    program=plyzip.exe
    kind=zip
fi
binary=$target_folder/$target/release/$program
bytes=$(wc -c < "$binary")
echo "$target: $((bytes)) bytes"
[ "$bytes" -le "$LIMIT" ] || { echo "more than $LIMIT bytes" >&2; exit 1; }
for path in "$root" "$cargo_home" "$HOME/" "$(rustc --print sysroot)"; do
    if grep -qaF -- "$path" "$binary"; then
        echo "the program has paths of this machine inside:" >&2
        grep -aoF -- "$path" "$binary" | sort | uniq -c >&2
        exit 1
    fi
done

# What the program prints of itself.
if "$binary" --version > /dev/null 2>&1; then
    printer=$binary
elif [ -n "${PLYZIP:-}" ]; then
    printer=$PLYZIP
else
    (unset CARGO_ENCODED_RUSTFLAGS && run cargo build --locked --release --bin plyzip)
    printer=$target_folder/release/plyzip
fi
staged=$(mktemp -d)
trap 'rm -rf "$staged"' EXIT
name=plyzip-$version-$target
folder=$staged/$name
mkdir -p "$folder/completions" "$folder/man"
cp "$binary" "$folder/"
cp CHANGELOG.md LICENSE README.md "$folder/"
"$printer" man > "$folder/man/plyzip.1"
# The commands that the manual's page lists.
commands=$(sed -n 's/^plyzip\\-\([a-z]*\)(1)$/\1/p' "$folder/man/plyzip.1")
[ -n "$commands" ] || { echo "the manual's page lists no commands" >&2; exit 1; }
for command in $commands; do
    [ "$command" = help ] || "$printer" man "$command" > "$folder/man/plyzip-$command.1"
done
"$printer" completions bash > "$folder/completions/plyzip.bash"
"$printer" completions zsh > "$folder/completions/_plyzip"
"$printer" completions fish > "$folder/completions/plyzip.fish"
"$printer" completions powershell > "$folder/completions/_plyzip.ps1"
python3 packaging/licences.py --target "$target" > "$folder/THIRD-PARTY.txt"

python3 packaging/bundle.py "$folder" "$out/$name.$kind"
ci/checksums.sh "$out"
