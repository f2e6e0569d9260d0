#!/usr/bin/env bash
# Makes the same archives on other machines, and compares them byte for byte with those of this one. `--help` says more.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
    cat <<'END'
Usage: tests/portability.sh [--games N] [TARGET...]

Makes archives with the native program, released and with all kernels that this machine has. Then each target makes
them again, which must give the same bytes, and decodes the native ones, which must give the originals. Ends with a
table; the exit status is 1 if anything differs, 2 if a target could not be built or run.

  threads      -T 1, 2 and 5 (never more than there are cores)
  nehalem      x86-64 without AVX, by qemu-x86_64: the portable kernels
  haswell      x86-64 with AVX2 and without AVX-512, by qemu-x86_64
  debug        overflow checks, debug assertions and the optimization of the profile `dev`
  aarch64      64-bit Arm, by qemu-aarch64
  i686         32-bit x86, run by an x86-64 processor
  armv7        32-bit Arm, by qemu-arm
  s390x        64 bits, big-endian, by qemu-s390x
  powerpc64    64 bits, big-endian, by qemu-ppc64
  riscv64      64 bits, by qemu-riscv64
  wasm         WebAssembly (wasm32-wasip1), by wasmtime

  quick        threads and nehalem with fewer archives
  all          every target (the default)

  --games N    generated games (48)
  --no-max     without the model `max`, which takes most of the time

Nothing is installed: what is missing is named with the command that installs it. Everything is written below
target/portability, programs for other machines too.
END
}

games=48
with_max=true
few=false
targets=()
ALL=(threads nehalem haswell debug aarch64 i686 armv7 s390x powerpc64 riscv64 wasm)
while [ $# -gt 0 ]; do
    case "$1" in
        --help | -h) usage; exit ;;
        --games) games=${2:?}; shift ;;
        --no-max) with_max=false ;;
        quick) few=true; targets+=(threads nehalem) ;;
        all) targets+=("${ALL[@]}") ;;
        *)
            [[ " ${ALL[*]} " == *" $1 "* ]] || { usage >&2; exit 2; }
            targets+=("$1")
            ;;
    esac
    shift
done
[ ${#targets[@]} -gt 0 ] || targets=("${ALL[@]}")

scratch=$PWD/target/portability
mkdir -p "$scratch"
export PLYZIP_MODELS=$PWD/models

# A pipe is the same everywhere, whatever files a machine has.
NAMES=()
declare -A ORIGINAL MODEL OPTIONS
# archive NAME ORIGINAL MODEL [OPTION...]: one that each target has to make.
archive() {
    NAMES+=("$1")
    ORIGINAL[$1]=$scratch/$2 MODEL[$1]=$3 OPTIONS[$1]=${*:4}
}

# What is compressed.
make_originals() {
    cp samples/famous.pgn "$scratch/famous.pgn"
    awk -v games="$games" -f tests/portability/games.awk samples/famous.pgn > "$scratch/generated.pgn"
    # Unusual line ends, half a game, no PGN, bytes that are no text.
    {
        sed -n '1,30s/$/\r/p' samples/famous.pgn
        printf '[Event "\xff\xfe"]\n\n1. e4 e5 2. Ke3 Zz9 {open\n\n\n'
        awk 'BEGIN { for (i = 0; i < 20000; i++) printf "%c", 1 + i * i % 251 }'
        cat tests/portability.sh
    } > "$scratch/odd.txt"
    # The first four games; a game is two paragraphs.
    awk 'BEGIN { RS = ""; ORS = "\n\n" } NR <= 8' samples/famous.pgn > "$scratch/four.pgn"

    archive none-famous famous.pgn none
    archive none-generated generated.pgn none
    archive none-odd odd.txt none
    archive standard-famous famous.pgn standard
    $few && return
    archive none-pages generated.pgn none --page-games 5 --block-games 20
    archive standard-generated generated.pgn standard
    archive standard-pages generated.pgn standard --page-games 7 --block-games 24
    # Models that are derived when the program starts: those of the levels 2 and 4, and a longer search.
    archive level-2 generated.pgn standard@0
    archive level-4 generated.pgn standard@330x5-board
    archive standard-long four.pgn standard@16000x12
    if $with_max; then
        if [ -f models/max.onnx ]; then
            archive max-four four.pgn max
        else
            echo "NOT CHECKED: the model max, for want of models/max.onnx"
        fi
    fi
}

# compress NAME ARCHIVE PROGRAM...; checked by decoding it afterwards.
compress() {
    # Options are words.
    # shellcheck disable=SC2086
    "${@:3}" compress --quiet --no-verify --model "${MODEL[$1]}" ${OPTIONS[$1]} - -o - < "${ORIGINAL[$1]}" > "$2"
}

decompress() {
    "${@:2}" decompress --quiet - -o - < "$1"
}

differences=0
problems=0
rows=()
row() {
    rows+=("$(printf '%-10s %10s %10s %8s  %s' "$@")")
    echo "${rows[-1]}"
}

# Says that a target cannot be run. The target was asked for, so this is no success.
cannot() {
    row "$1" - - - "NOT RUN: $2"
    problems=1
}

# check TARGET KIND PROGRAM...: makes all archives again and decodes the native ones.
check() {
    local target=$1 kind=$2 folder=$scratch/$1 same=0 decoded=0 start=$SECONDS name
    shift 2
    mkdir -p "$folder"
    for name in "${NAMES[@]}"; do
        if compress "$name" "$folder/$name.plz" "$@" && cmp "$folder/$name.plz" "$scratch/native/$name.plz"; then
            same=$((same + 1))
        else
            echo "DIFFERS: $target makes another archive $name"
            differences=1
        fi
        if decompress "$scratch/native/$name.plz" "$@" | cmp - "${ORIGINAL[$name]}"; then
            decoded=$((decoded + 1))
        else
            echo "DIFFERS: $target decodes $name to something else"
            differences=1
        fi
    done
    row "$target" "$same/${#NAMES[@]}" "$decoded/${#NAMES[@]}" "$((SECONDS - start))" "$kind"
}

# has TARGET COMMAND PACKAGE: whether there is a command; else says what installs it.
has() {
    command -v "$2" > /dev/null && return
    cannot "$1" "$2 is missing (apt-get install $3)"
    return 1
}

# Most of the time is spent on compiling the dependencies. Those that neither take part in coding nor in copying bytes are
# not optimized for other machines; what a program computes does not depend on it.
QUICKLY=(--config 'profile.release.package."*".opt-level=0')
for package in bzip2 clap_builder clap_complete clap_mangen flate2 libbz2-rs-sys miniz_oxide rawzip regex-lite \
    unicode-normalization; do
    QUICKLY+=(--config "profile.release.package.$package.opt-level=0")
done
for package in arrayref arrayvec bitflags blake3 constriction crc32fast crossbeam-deque crossbeam-epoch crossbeam-utils \
    foldhash hashbrown lzma-rust2 memchr num-traits probability pulp rayon rayon-core shakmaty smallvec zstd-sys; do
    QUICKLY+=(--config "profile.release.package.$package.opt-level=3")
done

# build TARGET TRIPLE: a program for another machine.
build() {
    if [ ! -d "$(rustc --print sysroot)/lib/rustlib/$2" ]; then
        cannot "$1" "Rust for it is missing (rustup target add $2)"
        return 1
    fi
    echo "building for $2 (see target/portability/$1.log)"
    cargo build --locked --release "${QUICKLY[@]}" --target "$2" --target-dir "$scratch/build" &> "$scratch/$1.log" && return
    cannot "$1" "it does not build, see target/portability/$1.log"
    return 1
}

# emulated TARGET TRIPLE PREFIX EMULATOR: builds with the compiler PREFIX-gcc and runs under the emulator.
emulated() {
    has "$1" "$4" qemu-user || return 0
    crossed "$1" "$2" "$3" "$("$4" --version | head -n 1)" "$4" -L "/usr/$3"
}

# crossed TARGET TRIPLE PREFIX HOW RUNNER...: builds with the compiler PREFIX-gcc and runs by the runner.
crossed() {
    local target=$1 triple=$2 prefix=$3 how=$4 variable
    has "$target" "$prefix-gcc" "gcc-$prefix" || return 0
    variable=${triple//-/_}
    export "CC_$variable=$prefix-gcc" "CARGO_TARGET_${variable^^}_LINKER=$prefix-gcc"
    build "$target" "$triple" || return 0
    check "$target" "$triple, $how" "${@:5}" "$scratch/build/$triple/release/plyzip"
}

run_target() {
    local native=$scratch/plyzip threads processor program
    case "$1" in
        threads)
            for threads in 1 2 5; do
                # The program itself never starts more threads than there are cores.
                check "-T $threads" "native, $(nproc) cores" with_threads "$threads"
            done
            ;;
        nehalem | haswell)
            has "$1" qemu-x86_64 qemu-user || return 0
            # The processor's model says which kernels the program finds.
            case "$1" in
                nehalem) processor=Nehalem ;;
                haswell) processor=Haswell-noTSX,-invpcid,-pcid,-x2apic,-tsc-deadline ;; # no more than is emulated
            esac
            check "$1" "$(qemu-x86_64 --version | head -n 1)" qemu-x86_64 -cpu "$processor" "$native"
            ;;
        debug)
            echo "building with checks (see target/portability/debug.log)"
            # The dependencies stay those of the release, which the profile \`dev\` optimizes too.
            local checked=() package
            for package in plyzip plyzip-codec; do
                checked+=(--config "profile.release.package.$package.opt-level=1"
                    --config "profile.release.package.$package.overflow-checks=true"
                    --config "profile.release.package.$package.debug-assertions=true")
            done
            if cargo "${checked[@]}" build --locked --release &> "$scratch/debug.log"; then
                program=$scratch/plyzip-debug
                cp "$(target_folder)/release/plyzip" "$program"
                # Puts the released program back.
                cargo build --quiet --locked --release
                check debug "native, overflow checks" "$program"
            else
                cannot debug "it does not build, see target/portability/debug.log"
            fi
            ;;
        aarch64) emulated aarch64 aarch64-unknown-linux-gnu aarch64-linux-gnu qemu-aarch64 ;;
        i686)
            # Not by qemu-i386, whose version 7.2 hangs in programs with threads.
            crossed i686 i686-unknown-linux-gnu i686-linux-gnu "run by an x86-64 processor" \
                /usr/i686-linux-gnu/lib/ld-linux.so.2 --library-path /usr/i686-linux-gnu/lib
            ;;
        armv7) emulated armv7 armv7-unknown-linux-gnueabihf arm-linux-gnueabihf qemu-arm ;;
        s390x) emulated s390x s390x-unknown-linux-gnu s390x-linux-gnu qemu-s390x ;;
        powerpc64) emulated powerpc64 powerpc64-unknown-linux-gnu powerpc64-linux-gnu qemu-ppc64 ;;
        riscv64) emulated riscv64 riscv64gc-unknown-linux-gnu riscv64-linux-gnu qemu-riscv64 ;;
        wasm)
            local runner
            if command -v wasmtime > /dev/null; then
                runner=(wasmtime run --dir / --env "PLYZIP_MODELS=$PLYZIP_MODELS")
            elif python3 -c 'import wasmtime' 2> /dev/null; then
                runner=(python3 tests/portability/wasi.py "$PLYZIP_MODELS")
            else
                cannot wasm "wasmtime is missing (cargo install wasmtime-cli, or python3 -m pip install wasmtime)"
                return 0
            fi
            has wasm clang "clang llvm wasi-libc" || return 0
            # For zstd, which is written in C.
            export CC_wasm32_wasip1=clang AR_wasm32_wasip1=llvm-ar
            export CFLAGS_wasm32_wasip1="-isystem /usr/include/wasm32-wasi"
            build wasm wasm32-wasip1 || return 0
            check wasm wasm32-wasip1 "${runner[@]}" "$scratch/build/wasm32-wasip1/release/plyzip.wasm"
            ;;
    esac
}

# with_threads N COMMAND ARGUMENT...
with_threads() {
    "$scratch/plyzip" "$2" -T "$1" "${@:3}"
}

target_folder() {
    echo "${CARGO_TARGET_DIR:-target}"
}

cargo build --quiet --locked --release
# A copy, since `debug` builds another.
cp "$(target_folder)/release/plyzip" "$scratch/plyzip"
make_originals
mkdir -p "$scratch/native"
start=$SECONDS
for name in "${NAMES[@]}"; do
    compress "$name" "$scratch/native/$name.plz" "$scratch/plyzip"
    decompress "$scratch/native/$name.plz" "$scratch/plyzip" | cmp - "${ORIGINAL[$name]}"
done
row native "${#NAMES[@]}/${#NAMES[@]}" "${#NAMES[@]}/${#NAMES[@]}" "$((SECONDS - start))" "$(rustc --version)"
for target in "${targets[@]}"; do
    run_target "$target"
done

printf '\n%-10s %10s %10s %8s  %s\n' target same decoded seconds how
printf '%s\n' "${rows[@]}"
if [ "$differences" -ne 0 ]; then
    exit 1
fi
[ "$problems" -eq 0 ] || exit 2
