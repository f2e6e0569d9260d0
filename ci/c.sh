#!/usr/bin/env bash
# The C library: builds and installs it below target/c, and runs its tests against it under sanitizers; then the
# examples of docs/c.md, line by line. With the argument `short`, as ci/short.sh has it, the library is only built, the
# header made by cbindgen alone, and no example run: cargo-c and what it compiles take many minutes the first time. The
# lints of the Rust side are in ci/bindings.sh.
set -euo pipefail
cd "$(dirname "$0")/.."

root=$PWD
crate=$root/bindings/c
folder=$root/target/c
# Where docs/c.md has `~`.
home=$folder/home
prefix=$home/.local
CARGO_C=0.10.24
# That of cargo-c.
CBINDGEN=0.29.4
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

# tool CRATE VERSION COMMAND...: a tool below target/tools, unless the command says that it has this version.
# Unoptimized, which compiles sooner; what it builds is the same.
tool() {
    [[ "$("${@:3}" --version 2>/dev/null)" == *" $2"* ]] && return
    CARGO_TARGET_DIR=$root/target/$1 CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0 \
        cargo install --quiet --locked --debug --root "$root/target/tools" "$1@$2"
}

# headers FOLDER: plyzip.h there compiles as C and as C++.
headers() {
    echo '#include <plyzip.h>' > "$folder/header.c"
    run cc -std=c99 -Wall -Wextra -pedantic -Werror -I "$1" -fsyntax-only "$folder/header.c"
    run c++ -std=c++11 -x c++ -Wall -Wextra -pedantic -Werror -I "$1" -fsyntax-only "$folder/header.c"
}

# symbols LIBRARY: it has functions of plyzip and nothing else: those that the header has.
symbols() {
    diff <(grep -o '\bplyzip_[a-z_]*(' "$crate/plyzip.h" | tr -d '(' | sort -u) \
        <(nm -D --defined-only "$1" | awk '{ print $3 }' | sort)
}

# $PLYZIP names a program that is built already.
if [ -z "${PLYZIP:-}" ]; then
    run cargo build --quiet --locked --release
    PLYZIP=$root/target/release/plyzip
fi

version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$root/Cargo.toml" | head -n 1)
warnings=(-std=c99 -g -O1 -Wall -Wextra -pedantic -Werror -pthread)
sanitizers=(-fsanitize=address,undefined -fno-sanitize-recover=all)
# Not below the checkout, where the library would find models as files.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$PLYZIP" compress -q "$root/samples/famous.pgn" -o "$scratch/program.plz"
arguments=("$root/samples/famous.pgn" program.plz)
mkdir -p "$folder"
cd "$crate"

if [ "${1:-}" = short ]; then
    tool cbindgen "$CBINDGEN" cbindgen
    IFS=. read -r major minor patch <<< "$version"
    {
        # As cargo-c puts the version into the header.
        printf 'autogen_warning = "\\n#define PLYZIP_%s %s\\n#define PLYZIP_%s %s\\n#define PLYZIP_%s %s\\n"\n' \
            MAJOR "$major" MINOR "$minor" PATCH "$patch"
        cat cbindgen.toml
    } > "$folder/cbindgen.toml"
    run cbindgen --quiet --config "$folder/cbindgen.toml" --output "$folder/plyzip.h" .
    run diff -u plyzip.h "$folder/plyzip.h"
    headers "$crate"
    run cargo rustc --locked --release --lib --crate-type cdylib
    library=$CARGO_TARGET_DIR/release/libplyzip_c.so
    symbols "$library"
    cd "$scratch"
    run cc "${warnings[@]}" "${sanitizers[@]}" "$crate"/tests/*.c -I "$crate" "$library" \
        -Wl,-rpath,"$(dirname "$library")" -o tests
    run env ASAN_OPTIONS=detect_leaks=1 timeout 600 ./tests "${arguments[@]}"
    cd "$crate"
    run cargo test --locked --release
    exit
fi

tool cargo-c "$CARGO_C" cargo cbuild
# In a folder of its own: the cargo within cargo-c and the other one take each other's build scripts and macros for old,
# and would compile everything each time.
run env CARGO_TARGET_DIR="$folder/build" cargo cinstall --locked --release --prefix "$prefix" --libdir lib

include=$prefix/include
library=$prefix/lib/libplyzip.so
run diff -u "$crate/plyzip.h" "$include/plyzip.h"
headers "$include"
symbols "$library"
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
[ "$(pkg-config --modversion plyzip)" = "$version" ] || { echo "plyzip.pc has another version" >&2; exit 1; }
ls -l "$prefix"/lib/libplyzip.*

# The tests: under sanitizers, with the shared library; and with the static one, without them.
cd "$scratch"
read -ra flags <<< "$(pkg-config --cflags --libs plyzip)"
read -ra static <<< "$(pkg-config --static --cflags --libs plyzip | sed 's/-lplyzip/-l:libplyzip.a/')"
run cc "${warnings[@]}" "${sanitizers[@]}" "$crate"/tests/*.c \
    "${flags[@]}" -Wl,-rpath,"$prefix/lib" -o tests
run cc "${warnings[@]}" "$crate"/tests/*.c "${static[@]}" -Wl,-z,noexecstack -o static
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

# The tests in Rust, where the program was built, which has many of the dependencies.
cd "$crate"
run cargo test --locked --release
echo "all passed"
