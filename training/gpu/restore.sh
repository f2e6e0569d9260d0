#!/usr/bin/env bash
# Puts the models back that prepare.sh moved out of the working tree.
set -euo pipefail
cd "$(dirname "$0")/../.."
for model in target/aside/*.onnx; do
    [ -e "$model" ] && mv "$model" models/
done
git status --short models
