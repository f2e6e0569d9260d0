#!/usr/bin/env bash
# The C library: builds and installs it below target/c, and runs its tests against it under sanitizers; then the
# examples of docs/c.md, line by line. Not part of ci/check.sh: the first time, cargo-c and all dependencies are
# compiled.
set -euo pipefail
cd "$(dirname "$0")/.."

root=$PWD
crate=$root/bindings/c
folder=$root/target/c
# Where docs/c.md has `~`.
home=$folder/home
prefix=$home/.local
CARGO_C=0.10.24
export CARGO_TARGET_DIR=$root/target
PATH=$root/target/tools/bin:$PATH

run() {
    printf '\n$ %s\n' "$*"
    "$@"
}

# The block of docs/c.md that is the $2nd of the language $1.
block() {
    awk -v language="$1" -v wanted="$2" '
        inside && /^```/ { exit }
        inside
        $0 == "```" language && ++seen == wanted { inside = 1 }
    ' docs/c.md
}

if [[ "$(cargo cbuild --version 2>/dev/null)" != *" $CARGO_C"* ]]; then
    # Unoptimized, which compiles sooner; what it builds is the same.
    CARGO_TARGET_DIR=$root/target/cargo-c CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0 \
        cargo install --locked --debug --root target/tools "cargo-c@$CARGO_C"
fi

# $PLYZIP names a program that is built already.
if [ -z "${PLYZIP:-}" ]; then
    run cargo build --quiet --locked --release
    PLYZIP=$root/target/release/plyzip
fi

cd "$crate"
run cargo fmt --check
# In a folder of its own: the cargo within cargo-c and the other one take each other's build scripts and macros for old,
# and would compile everything each time.
run env CARGO_TARGET_DIR="$folder/build" cargo cinstall --locked --release --prefix "$prefix" --libdir lib

include=$prefix/include
library=$prefix/lib/libplyzip.so
run diff -u "$crate/plyzip.h" "$include/plyzip.h"
echo '#include <plyzip.h>' > "$folder/header.c"
run cc -std=c99 -Wall -Wextra -pedantic -Werror -I "$include" -fsyntax-only "$folder/header.c"
run c++ -std=c++11 -x c++ -Wall -Wextra -pedantic -Werror -I "$include" -fsyntax-only "$folder/header.c"
# Functions of plyzip and nothing else: those that the header has.
diff <(grep -o '\bplyzip_[a-z_]*(' "$include/plyzip.h" | tr -d '(' | sort -u) \
    <(nm -D --defined-only "$library" | awk '{ print $3 }' | sort)
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$root/Cargo.toml" | head -n 1)
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
[ "$(pkg-config --modversion plyzip)" = "$version" ] || { echo "plyzip.pc has another version" >&2; exit 1; }
ls -l "$prefix"/lib/libplyzip.*

# The tests: under sanitizers, with the shared library; and with the static one, without them.
# Not below the checkout, where the library would find models as files.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
warnings=(-std=c99 -g -O1 -Wall -Wextra -pedantic -Werror -pthread)
read -ra flags <<< "$(pkg-config --cflags --libs plyzip)"
read -ra static <<< "$(pkg-config --static --cflags --libs plyzip | sed 's/-lplyzip/-l:libplyzip.a/')"
run cc "${warnings[@]}" -fsanitize=address,undefined -fno-sanitize-recover=all "$crate"/tests/*.c \
    "${flags[@]}" -Wl,-rpath,"$prefix/lib" -o tests
run cc "${warnings[@]}" "$crate"/tests/*.c "${static[@]}" -Wl,-z,noexecstack -o static
"$PLYZIP" compress -q "$root/samples/famous.pgn" -o program.plz
arguments=("$root/samples/famous.pgn" program.plz)
run env ASAN_OPTIONS=detect_leaks=1 timeout 600 ./tests "${arguments[@]}"
run timeout 600 ./static "${arguments[@]}"

# The page, as its readers follow it.
cd "$root"
cp samples/famous.pgn "$scratch/games.pgn"
block c 1 > "$scratch/example.c"
block c 2 > "$scratch/options.c"
block cmake 1 > "$scratch/CMakeLists.txt"
block sh 2 > "$scratch/shared.sh"
block sh 3 > "$scratch/static.sh"
cd "$scratch"
awk '/^\[Event/ && seen++ { exit } { print }' games.pgn > first.pgn
for script in shared static; do
    rm -f games.plz example
    cat "$script.sh"
    env HOME="$home" bash -euo pipefail "$script.sh" > "$script.out"
done
cmp first.pgn shared.out
./example | cmp first.pgn
run cc "${warnings[@]}" -fsanitize=address,undefined options.c "${flags[@]}" -Wl,-rpath,"$prefix/lib" -o options
run ./options
# The shared library asks for no executable stack, which new systems refuse.
readelf -lW "$library" | grep -q 'GNU_STACK.* RW '
if command -v cmake >/dev/null; then
    run cmake -S . -B built > /dev/null
    run cmake --build built > /dev/null
    rm -f games.plz
    built/example | cmp first.pgn
else
    echo "NOT CHECKED: the CMake snippet, for want of cmake" >&2
fi

# The tests in Rust, with the lints of clippy; where the program was built, which has many of the dependencies.
cd "$crate"
run env RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-Dwarnings__CLIPPY_HACKERY__ \
    cargo test --quiet --locked --release
echo "all passed"
