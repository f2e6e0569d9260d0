#!/usr/bin/env bash
# Installs what ci/release.sh and ci/wheels.sh need for these targets of Rust:
#
#     ci/release-tools.sh TARGET...
#
# The versions are these, since others make other bytes. What pip installs goes below target/release-tools, whose bin
# has to be in $PATH; in a workflow of GitHub it is put there.
set -euo pipefail
cd "$(dirname "$0")/.."
# Windows has it by the other name.
python=$(command -v python3 || command -v python)

# What compiles a release.
RUST=1.95.0

if [[ "$(rustc --version 2> /dev/null || true)" != "rustc $RUST "* ]]; then
    rustup toolchain install "$RUST" --profile minimal
    rustup default "$RUST"
fi
for target in "$@"; do
    [ "$target" = native ] || [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ] || rustup target add "$target"
done
venv=$PWD/target/release-tools
"$python" -m venv "$venv"
bin=$venv/bin
[ -d "$bin" ] || bin=$venv/Scripts
"$bin/python" -m pip install --quiet --disable-pip-version-check --requirement packaging/requirements.txt
[ -z "${GITHUB_PATH:-}" ] || echo "$bin" >> "$GITHUB_PATH"
