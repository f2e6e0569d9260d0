#!/usr/bin/env bash
# Adds to the bundles and wheels in a folder what else a release has, and writes SHA256SUMS of all:
#
#     ci/release-files.sh FOLDER
#
# The model `max`, models of before, Debian packages, packages for crates.io, a bill of materials, and what
# packaging/make.py makes.
# Installs cargo-deb and cargo-cyclonedx below target/tools if they are missing.
set -euo pipefail
cd "$(dirname "$0")/.."

CARGO_DEB=3.7.0
CYCLONEDX=0.5.9

mkdir -p "$1"
out=$(cd "$1" && pwd)
PATH=$PWD/target/tools/bin:$PATH
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH

# tool CRATE VERSION: optimized, since cargo-deb compresses manual pages with zopfli.
tool() {
    command -v "$1" > /dev/null \
        || CARGO_TARGET_DIR=$PWD/target/$1 cargo install --quiet --locked --root target/tools "$1@$2"
}
tool cargo-deb "$CARGO_DEB"
tool cargo-cyclonedx "$CYCLONEDX"

# Those of before are for archives of before.
cp models/max.onnx models/max-1.onnx models/standard-1.onnx "$out/"
for bundle in "$out"/plyzip-*-linux-musl.tar.gz; do
    ci/deb.sh "$bundle" "$out"
done
ci/crates.sh "$out"
# The tool puts it beside each Cargo.toml.
cargo cyclonedx --quiet --format json --all --override-filename sbom
mv sbom.json "$out/plyzip.cdx.json"
find . -name sbom.json -not -path './target/*' -delete
ci/checksums.sh "$out"
packaging/make.py "$out" target/packaging
packaging/check.sh target/packaging
cp target/packaging/plyzip.rb target/packaging/plyzip.json target/packaging/PKGBUILD "$out/"
ci/checksums.sh "$out"
