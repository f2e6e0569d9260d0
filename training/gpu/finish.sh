#!/usr/bin/env bash
# After the last call: puts the models back, and packs the checkpoint as training/checkpoints/board-SIZE.pt.xz, to be
# committed once.  training/gpu/finish.sh [SIZE]
set -euo pipefail
cd "$(dirname "$0")/../.."
KIT=${KIT:-kit}
CHECKPOINTS=${CHECKPOINTS:-training/checkpoints}
training/gpu/restore.sh
[ -s "$KIT/back/board.pt" ] || { echo 'no checkpoint came back' >&2; exit 1; }
mkdir -p "$CHECKPOINTS"
xz -9e -c "$KIT/back/board.pt" > "$CHECKPOINTS/board-${1:-large}.pt.xz"
ls -l "$CHECKPOINTS"
