#!/usr/bin/env bash
# One call on the GPU machine:  training/gpu/call.sh first|last SECONDS
# README.md beside this file says when to use which. SECONDS is the call's limit less some 20 for the way back.
#
# $OUT      what is written here comes back
# $WORK     stays on the machine from call to call, as long as it is the same machine
# $SIZE     large (the default) or small
# $DEVICE, $BATCH, $PYTHON, $KIT, $TRIED, $HELD, $OPTIONS   for a rehearsal elsewhere
set -uo pipefail
cd "$(dirname "$0")/../.."
stage=${1:?first or last}
limit=${2:?seconds}
OUT=${OUT:?a folder for what comes back}
WORK=${WORK:-/tmp/plyzip}
SIZE=${SIZE:-large}
DEVICE=${DEVICE:-cuda}
BATCH=${BATCH:-4096}
PYTHON=${PYTHON:-python3}
KIT=${KIT:-kit}
export PYTHONPATH=training PYTHONUNBUFFERED=1 TORCHINDUCTOR_CACHE_DIR=$WORK/inductor PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True
mkdir -p "$WORK" "$OUT"
SECONDS=0
left() { echo $((limit - SECONDS)); }
say() { printf '[%4d s] %s\n' "$SECONDS" "$*"; }

if [ ! -s "$WORK/train.x/meta.json" ]; then
    say 'unpacking'
    chmod +x "$KIT/plyzip-training"
    "$KIT/plyzip-training" expand "$KIT/train.packed.xz" "$WORK/train.x" || exit 1
fi
run=$WORK/run
# A fresh machine goes on from what the last call brought back.
if [ ! -s "$run/portable.pt" ] && [ -s "$KIT/back/board.pt" ]; then
    mkdir -p "$run"
    cp "$KIT/back/board.pt" "$run/portable.pt"
    say 'goes on from what came back'
fi
compile=--compile
[ "$DEVICE" = cpu ] || [ -e "$WORK/eager" ] && compile=--no-compile
# The network that this one begins with, and the one that it learns from, if they travel.
begin=()
[ -s "$KIT/start.pt" ] && begin=(--start "$KIT/start.pt")
teach=(--teacher "$KIT/teacher.npz")
[ -s "$KIT/elder.pt" ] && teach=(--elder "$KIT/elder.pt")

# train RUN PROGRESS SECONDS [OPTIONS]
train() {
    local folder=$1 to=$2 seconds=$3
    shift 3
    say "$SIZE to $to in $seconds s"
    $PYTHON -m board.train --corpus "$WORK/train.x" --run "$folder" --size "$SIZE" --to "$to" --seconds "$seconds" \
        --device "$DEVICE" --batch "$BATCH" $compile "${begin[@]}" "${teach[@]}" ${OPTIONS:-} "$@"
}

status=0
case $stage in
first)
    [ "$DEVICE" = cpu ] || nvidia-smi --query-gpu=name,memory.total --format=csv,noheader
    # From beginning to end, rounding included, in a few steps: what is compiled here is not compiled again.
    try() { rm -rf "$WORK/try" && train "$WORK/try" 1.0 "$(($(left) / 2))" --steps "${TRIED:-24}"; }
    if [ ! -s "$run/portable.pt" ] && ! try; then
        # Compiling is the part that is likeliest to fail on a machine that nobody has seen.
        say 'failed; again without compiling'
        touch "$WORK/eager"
        compile=--no-compile
        try || { say 'THE TRIAL FAILED' && exit 1; }
    fi
    train "$run" 0.75 "$(left)" || status=1
    ;;
last)
    train "$run" 1.0 "$(($(left) - 20))" || status=1
    $PYTHON -m board.evaluate --corpus "$WORK/train.x" --network "$run/portable.pt" --device "$DEVICE" \
        --last-games "${HELD:-400}" | tee "$OUT/board.json" || status=1
    ;;
*)
    echo "no such call: $stage" >&2
    exit 2
    ;;
esac
cp "$run/portable.pt" "$OUT/board.pt" && cp "$run/log.jsonl" "$OUT/board.jsonl" || status=1
say "done, status $status"
exit $status
