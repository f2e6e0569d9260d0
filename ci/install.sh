#!/usr/bin/env bash
# Installs what the checks need and what is missing: components and targets of Rust, tools below target/tools, and
# packages of Debian, which only root can install. With the argument `full`, what ci/full.sh needs as well.
set -euo pipefail
cd "$(dirname "$0")/.."

oldest=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
if ! command -v cargo >/dev/null; then
    echo "cargo is missing: install Rust $oldest or newer" >&2
    exit 1
fi
for component in clippy rustfmt; do
    cargo "${component/rust/}" --version >/dev/null 2>&1 || rustup component add "$component"
done

# Packages of Debian by the commands that they bring.
missing=()
need() {
    command -v "$1" >/dev/null || missing+=("${@:2}")
}
need python3 python3 python3-venv
need make make
need cc gcc libc6-dev
need c++ g++
# The emulator of other processors, for tests/portability.sh.
need qemu-x86_64 qemu-user
# The page for browsers.
[ -n "${CHROMIUM:-}" ] || need chromium chromium
need node nodejs npm
need nginx nginx-light
need npm npm
need xz xz-utils
if [ "${1:-}" = full ]; then
    need java default-jre-headless
    need pkg-config pkg-config
    need cmake cmake
    need clang clang llvm wasi-libc
    need qemu-aarch64 qemu-user
    # The bundles of a release in an empty folder, and the program for Windows.
    need qemu-aarch64-static qemu-user-static
    need wine wine wine64
    for prefix in aarch64-linux-gnu i686-linux-gnu arm-linux-gnueabihf s390x-linux-gnu powerpc64-linux-gnu \
        riscv64-linux-gnu; do
        need "$prefix-gcc" "gcc-$prefix"
    done
fi
if [ ${#missing[@]} -gt 0 ]; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "installing ${missing[*]}"
        log=$(mktemp)
        export DEBIAN_FRONTEND=noninteractive
        {
            timeout 300 apt-get update -qq \
                && timeout 900 apt-get install -y -qq --no-install-recommends "${missing[@]}"
        } > "$log" 2>&1 || { tail -n 20 "$log"; echo "not all of ${missing[*]} can be installed"; } >&2
        rm -f "$log"
    else
        echo "missing, and only root can install them on Debian: apt-get install ${missing[*]}" >&2
    fi
fi
for tool in python3 make cc c++; do
    command -v "$tool" >/dev/null || { echo "$tool is missing: the build or the training's tests need it" >&2; exit 1; }
done

# Other machines, for which ci/bindings.sh compiles.
targets=(wasm32-unknown-unknown x86_64-pc-windows-gnu)
if [ "${1:-}" = full ]; then
    targets+=(aarch64-unknown-linux-gnu i686-unknown-linux-gnu armv7-unknown-linux-gnueabihf s390x-unknown-linux-gnu
        powerpc64-unknown-linux-gnu riscv64gc-unknown-linux-gnu wasm32-wasip1)
fi
for target in "${targets[@]}"; do
    [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ] || rustup target add "$target"
done
if [[ "$(rustc --version)" != "rustc $oldest."* ]] && ! cargo "+$oldest.0" --version >/dev/null 2>&1; then
    rustup toolchain install "$oldest.0" --profile minimal || echo "Rust $oldest cannot be installed" >&2
fi
if [ "${1:-}" = full ] && ! command -v wasmtime >/dev/null; then
    python3 -c 'import wasmtime' 2>/dev/null || python3 -m pip install --quiet wasmtime \
        || echo "wasmtime cannot be installed" >&2
fi

# From source, since crates.io is there wherever the dependencies come from, and unoptimized: that compiles sooner, and
# checks within seconds. Without a network, ci/dependencies.sh says what is not checked.
PATH=$PWD/target/tools/bin:$PATH
for tool in cargo-deny@0.20.2 cargo-machete@0.9.2; do
    name=${tool%@*}
    command -v "$name" >/dev/null && continue
    CARGO_TARGET_DIR=$PWD/target/$name CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0 \
        cargo install --quiet --locked --debug --root target/tools "$tool" \
        || echo "$name cannot be installed" >&2
done
