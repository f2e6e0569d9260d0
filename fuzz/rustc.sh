#!/bin/sh
# rustc, which tells libFuzzer what code of plyzip is reached. Dependencies are compiled as they always are, so that
# those of the program serve again.
rustc=$1
shift
case " $* " in
*" --crate-name plyzip "* | *" --crate-name plyzip_codec "* | *" --crate-name plyzip_history "* | \
    *" --crate-name plyzip_fuzz "*)
    exec "$rustc" "$@" -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
        -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
        -Cllvm-args=-sanitizer-coverage-trace-compares
    ;;
esac
exec "$rustc" "$@"
