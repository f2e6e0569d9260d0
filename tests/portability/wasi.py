#!/usr/bin/env python3
"""Runs a program for WASI, compiled once and kept beside it: wasi.py FOLDER PROGRAM [ARGUMENT...].

The program may read FOLDER, and has standard input and output. For machines that have the Python package `wasmtime`
and not the program of this name.
"""

import os
import sys
from pathlib import Path

import wasmtime


def load(engine: wasmtime.Engine, program: Path) -> wasmtime.Module:
    """The program's module, from the cache where that is newer."""
    cache = program.with_suffix(".cwasm")
    if cache.exists() and cache.stat().st_mtime > program.stat().st_mtime:
        return wasmtime.Module.deserialize_file(engine, str(cache))
    module = wasmtime.Module.from_file(engine, str(program))
    unfinished = cache.with_suffix(f".{os.getpid()}")
    unfinished.write_bytes(module.serialize())
    unfinished.rename(cache)
    return module


def main() -> int:
    folder, program, *arguments = sys.argv[1:]
    engine = wasmtime.Engine()
    linker = wasmtime.Linker(engine)
    linker.define_wasi()
    store = wasmtime.Store(engine)
    wasi = wasmtime.WasiConfig()
    wasi.argv = [program, *arguments]
    wasi.env = [("PLYZIP_MODELS", os.environ.get("PLYZIP_MODELS", ""))]
    wasi.preopen_dir(folder, folder)
    wasi.inherit_stdin()
    wasi.inherit_stdout()
    wasi.inherit_stderr()
    store.set_wasi(wasi)
    instance = linker.instantiate(store, load(engine, Path(program)))
    try:
        instance.exports(store)["_start"](store)
    except wasmtime.ExitTrap as end:
        return end.code
    return 0


if __name__ == "__main__":
    sys.exit(main())
