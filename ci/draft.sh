#!/usr/bin/env bash
# Makes the draft of a release at GitHub, with all files of a folder and the CHANGELOG's chapter; $GH_TOKEN allows it:
#
#     ci/draft.sh TAG FOLDER
#
# With DRY_RUN set, the command and the text are printed alone.
set -euo pipefail
cd "$(dirname "$0")/.."

tag=$1
notes=$(mktemp)
trap 'rm -f "$notes"' EXIT
# The chapter of this version, without its title.
awk -v version="${tag#v}" '
    /^## / { inside = index($0, "## " version) == 1 || index($0, "## [" version "]") == 1; next }
    inside
' CHANGELOG.md > "$notes"
[ -s "$notes" ] || { echo "CHANGELOG.md has no chapter ${tag#v}" >&2; exit 1; }
command=(gh release create "$tag" --draft --verify-tag --title "plyzip ${tag#v}" --notes-file "$notes" "$2"/*)
if [ -n "${DRY_RUN:-}" ]; then
    printf '%q ' "${command[@]}"
    echo
    cat "$notes"
else
    "${command[@]}"
fi
