#!/usr/bin/env bash
# Makes the parcel that travels to the GPU machine: games, teacher, expander. Run it in the repository, before the first
# call:  training/gpu/prepare.sh train.packed teacher.npz|elder.pt [start.pt]
# An elder is a board network from which a small one learns. With a third file the run begins with its weights.
# What was made is in kit/ (ignored by git), and the models, which the training does not need, are moved out of the
# working tree, since all of it travels and 64 MiB is the limit. training/gpu/restore.sh puts them back.
set -euo pipefail
cd "$(dirname "$0")/../.."
packed=${1:?packed games: plyzip-training pack train.pgn train.packed}
teacher=${2:?weights of the teacher: training/board/fetch_teacher.py}
start=${3:-}

rm -rf kit/back kit/logs kit/start.pt kit/elder.pt kit/teacher.npz
mkdir -p kit/back
if [ "${packed##*.}" = xz ]; then cp "$packed" kit/train.packed.xz
elif [ ! -s kit/train.packed.xz ] || [ "$packed" -nt kit/train.packed.xz ]; then
    xz -9e -T2 -c "$packed" > kit/train.packed.xz.new
    mv kit/train.packed.xz.new kit/train.packed.xz
fi
if [ "${teacher##*.}" = pt ]; then cp "$teacher" kit/elder.pt; else cp "$teacher" kit/teacher.npz; fi
[ -z "$start" ] || cp "$start" kit/start.pt
# Static, so that it runs on whatever the machine has, and with no more than the subcommand `expand`.
RUSTFLAGS='-C target-feature=+crt-static' \
    cargo build --locked --release --target x86_64-unknown-linux-gnu -p plyzip-training --no-default-features
cp target/x86_64-unknown-linux-gnu/release/plyzip-training kit/

mkdir -p target/aside
for model in models/*.onnx; do
    [ -e "$model" ] && mv "$model" target/aside/
done
# Files that were moved aside are still listed by git; du complains of them and goes on.
size=$( (git ls-files -z --cached --others --exclude-standard; find kit -type f -print0) |
    { du -cb --files0-from=- 2>/dev/null || true; } | tail -n 1 | cut -f 1)
printf 'kit/ is ready; %d MiB travel, of 64\n' $((size >> 20))
[ "$size" -lt $((64 << 20)) ] || { echo 'that is too much' >&2; exit 1; }
