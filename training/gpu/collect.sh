#!/usr/bin/env bash
# After each call: keeps what came back, so that the next call can go on even on a fresh machine.
#   training/gpu/collect.sh FOLDER      (the folder where the call's files lie)
set -euo pipefail
cd "$(dirname "$0")/../.."
KIT=${KIT:-kit}
from=${1:?folder of the files that came back}
mkdir -p "$KIT"/back "$KIT"/logs
for size in large small; do
    # A call that trained the network replaces its shards as a whole.
    if ls "$from/$size.pt".* >/dev/null 2>&1; then
        rm -f "$KIT/back/$size.pt".*
        cp "$from/$size.pt".* "$KIT"/back/
    fi
done
stamp=$(date +%H%M%S)
for log in "$from"/*.jsonl "$from"/*.json "$from"/*.txt; do
    [ -e "$log" ] && cp "$log" "$KIT/logs/$stamp-$(basename "$log")"
done
chmod -R u+w "$KIT"
ls -l "$KIT"/back "$KIT"/logs
