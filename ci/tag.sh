#!/usr/bin/env bash
# Refuses a tag that is not that of a release:
#
#     ci/tag.sh TAG [ADDRESS]
#
# TAG has to be `v` and the version that each package has, the CHANGELOG has to have its chapter, and ADDRESS, where the
# files will be, has to be the one that Cargo.toml names.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
failed=0
wrong() {
    echo "$*" >&2
    failed=1
}
[ "$1" = "v$version" ] || wrong "the tag is $1, and the version $version"
grep -q "^## \[\?$version" CHANGELOG.md || wrong "CHANGELOG.md has no chapter $version"
address=$(sed -n 's/^repository = "\(.*\)"/\1/p' Cargo.toml)
[ -n "$address" ] || wrong "Cargo.toml has no address"
for manifest in bindings/*/Cargo.toml; do
    grep -q "^version = \"$version\"" "$manifest" || wrong "$manifest has another version"
    other=$(sed -n 's/^repository = "\(.*\)"/\1/p' "$manifest")
    [ -z "$other" ] || [ "$other" = "$address" ] || wrong "$manifest has another address"
done
npm=bindings/npm/package.json
grep -q "^  \"version\": \"$version\"" "$npm" || wrong "$npm has another version"
grep -qF "\"url\": \"$address\"" "$npm" || wrong "$npm has another address"
if [ $# -gt 1 ]; then
    [ "$2" = "$address" ] || wrong "the address is $2, and Cargo.toml says $address"
    if grep -n '\.invalid' Cargo.toml bindings/*/Cargo.toml "$npm" >&2; then
        wrong "these addresses are none"
    fi
fi
exit "$failed"
