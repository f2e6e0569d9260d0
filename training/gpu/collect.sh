#!/usr/bin/env bash
# After each call: keeps what came back, so that the next call can go on even on a fresh machine.
#   training/gpu/collect.sh FOLDER      (the folder where the call's files lie)
set -euo pipefail
cd "$(dirname "$0")/../.."
KIT=${KIT:-kit}
from=${1:?folder of the files that came back}
mkdir -p "$KIT"/back "$KIT"/logs
[ -e "$from/board.pt" ] && cp "$from/board.pt" "$KIT"/back/
stamp=$(date +%H%M%S)
for log in "$from"/*.jsonl "$from"/*.json; do
    [ -e "$log" ] && cp "$log" "$KIT/logs/$stamp-$(basename "$log")"
done
chmod -R u+w "$KIT"
ls -l "$KIT"/back "$KIT"/logs
