#!/usr/bin/env bash
# After the last call: puts the checkpoints together in training/runs/, to be committed once, and the models back.
set -euo pipefail
cd "$(dirname "$0")/../.."
mkdir -p training/runs
for size in large small; do
    if ls "kit/back/$size.pt".* >/dev/null 2>&1; then
        # Shards are numbered from 0; there are fewer than ten.
        cat "kit/back/$size.pt".* > "training/runs/$size.pt"
    fi
done
for log in kit/logs/*; do
    [ -e "$log" ] && cp "$log" training/runs/
done
training/gpu/restore.sh
ls -l training/runs
