#!/usr/bin/env bash
# After the last call: packs the checkpoint as training/checkpoints/board-SIZE.pt.xz, to be committed once, and puts the
# models back.  training/gpu/finish.sh [SIZE]
set -euo pipefail
cd "$(dirname "$0")/../.."
KIT=${KIT:-kit}
CHECKPOINTS=${CHECKPOINTS:-training/checkpoints}
mkdir -p "$CHECKPOINTS"
xz -9e -c "$KIT/back/board.pt" > "$CHECKPOINTS/board-${1:-large}.pt.xz"
training/gpu/restore.sh
ls -l "$CHECKPOINTS"
