#!/usr/bin/env bash
# After the last call: puts the checkpoints together in training/runs/, to be committed once, and the models back.
set -euo pipefail
cd "$(dirname "$0")/../.."
KIT=${KIT:-kit}
RUNS=${RUNS:-training/runs}
mkdir -p "$RUNS"
for size in large small; do
    if ls "$KIT/back/$size.pt".* >/dev/null 2>&1; then
        # Shards are numbered from 0; there are fewer than ten.
        cat "$KIT/back/$size.pt".* > "$RUNS/$size.pt"
    fi
done
for log in "$KIT"/logs/*; do
    [ -e "$log" ] && cp "$log" "$RUNS/"
done
training/gpu/restore.sh
ls -l "$RUNS"
