#!/bin/sh
# rustdoc with its options that are not stable, as ci/api.sh calls it. The variable is set for rustdoc alone: build
# scripts that saw it would compile their packages once more.
RUSTC_BOOTSTRAP=1 exec rustdoc "$@"
