#!/usr/bin/env bash
# One call on the GPU machine:  training/gpu/call.sh smoke|large|both|last SECONDS
# README.md beside this file says when to use which. SECONDS is the call's limit less some 20 for the way back.
#
# $OUT      what is written here comes back
# $WORK     stays on the machine from call to call, as long as it is the same machine
# $DEVICE, $BATCH, $PYTHON, $KIT, $LARGE, $SMALL, $TRIED, $HELD, $OPTIONS   for a rehearsal elsewhere
set -uo pipefail
cd "$(dirname "$0")/../.."
stage=${1:?smoke, large, both or last}
limit=${2:?seconds}
OUT=${OUT:?a folder for what comes back}
WORK=${WORK:-/tmp/plyzip}
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
for size in large small; do
    # A fresh machine goes on from what the last call brought back.
    if [ ! -s "$WORK/$size/portable.pt" ] && ls "$KIT"/back/$size.pt.* >/dev/null 2>&1; then
        mkdir -p "$WORK/$size"
        cat "$KIT"/back/$size.pt.* > "$WORK/$size/portable.pt"
        say "$size goes on from what came back"
    fi
done
compile=--compile
[ -e "$WORK/eager" ] && compile=--no-compile
[ "$DEVICE" = cpu ] && compile=--no-compile

# train SIZE RUN PROGRESS SECONDS [OPTIONS]
train() {
    local size=$1 run=$2 to=$3 seconds=$4
    shift 4
    if tail -n 1 "$WORK/$run/log.jsonl" 2>/dev/null | grep -q '"progress": 1.0,'; then
        say "$size is finished"
        return
    fi
    say "$size to $to in $seconds s"
    $PYTHON -m board.train --corpus "$WORK/train.x" --run "$WORK/$run" --size "$size" --to "$to" \
        --seconds "$seconds" --device "$DEVICE" --batch "$BATCH" $compile ${OPTIONS:-} "$@"
}
large() { train "${LARGE:-large}" large "$1" "$2" --teacher "$KIT/teacher.npz"; }
small() { train "${SMALL:-small}" small "$1" "$2" --elder "$WORK/large/portable.pt"; }
back() {
    for size in large small; do
        [ -s "$WORK/$size/portable.pt" ] || continue
        split -b 15M -d -a 1 "$WORK/$size/portable.pt" "$OUT/$size.pt."
        cp "$WORK/$size/log.jsonl" "$OUT/$size.jsonl" 2>/dev/null
    done
    say "back: $(ls "$OUT" | tr '\n' ' ')"
}

status=0
case $stage in
smoke)
    [ "$DEVICE" = cpu ] || nvidia-smi --query-gpu=name,memory.total --format=csv,noheader
    rm -rf "$WORK/smoke-large" "$WORK/smoke-small"
    # From beginning to end, rounding included, in a few steps: what is compiled here is not compiled again.
    try() {
        train "${LARGE:-large}" smoke-large 1.0 $(($(left) * 6 / 10)) --teacher "$KIT/teacher.npz" \
            --steps "${TRIED:-60}" &&
            train "${SMALL:-small}" smoke-small 1.0 "$(left)" --elder "$WORK/smoke-large/portable.pt" \
                --steps "${TRIED:-60}"
    }
    try || {
        # Compiling is the part that is likeliest to fail on a machine that nobody has seen.
        say 'failed; again without compiling'
        touch "$WORK/eager"
        compile=--no-compile
        rm -rf "$WORK/smoke-large" "$WORK/smoke-small"
        try
    } || status=1
    cat "$WORK"/smoke-*/log.jsonl > "$OUT/smoke.jsonl"
    [ $status = 0 ] && say 'all is well' || say 'THE SMOKE TEST FAILED'
    ;;
large)
    large 0.8 "$(left)" || status=1
    back
    ;;
both)
    large 1.0 $(($(left) * 32 / 100)) || status=1
    back
    small 0.75 "$(left)" || status=1
    back
    ;;
last)
    large 1.0 $(($(left) * 20 / 100)) || status=1
    small 1.0 $(($(left) * 70 / 100)) || status=1
    back
    for size in large small; do
        $PYTHON -m board.evaluate --corpus "$WORK/train.x" --network "$WORK/$size/portable.pt" \
            --device "$DEVICE" --last-games "${HELD:-4000}" | tee "$OUT/$size.json" || status=1
    done
    ;;
*)
    echo "no such call: $stage" >&2
    status=2
    ;;
esac
say "done, status $status"
exit $status
