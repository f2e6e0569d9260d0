#!/usr/bin/env python3
"""Prints the licences of all packages that a program for a machine is linked from, with the texts that they ship.

    licences.py [--target TARGET] [--manifest Cargo.toml] [--features NAMES]

Packages with the same texts stand together. Those that ship no text are named with their licence alone.
"""

import argparse
import json
import re
import subprocess
from collections import defaultdict
from pathlib import Path

TEXT = re.compile(r"(LICEN[CS]E|COPYING|NOTICE|UNLICENSE)", re.IGNORECASE)


def metadata(arguments: argparse.Namespace) -> dict:
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--manifest-path", arguments.manifest]
    if arguments.target:
        command += ["--filter-platform", arguments.target]
    if arguments.features:
        command += ["--features", arguments.features]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def linked(metadata: dict) -> list[dict]:
    """What the root package is linked from: not what builds or tests it, nor procedural macros."""
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    packages = {package["id"]: package for package in metadata["packages"]}
    found, left = set(), [metadata["resolve"]["root"]]
    while left:
        name = left.pop()
        kinds = {kind for target in packages[name]["targets"] for kind in target["kind"]}
        if name in found or "proc-macro" in kinds:
            continue
        found.add(name)
        for dependency in nodes[name]["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                left.append(dependency["pkg"])
    members = set(metadata["workspace_members"])
    others = [packages[name] for name in found if name not in members]
    return sorted(others, key=lambda package: (package["name"], package["version"]))


def texts(package: dict) -> str:
    folder = Path(package["manifest_path"]).parent
    files = sorted(path for path in folder.iterdir() if path.is_file() and TEXT.match(path.name))
    # Of licences that one may choose from, the shortest is the one that is taken.
    if "MIT" in (package["license"] or ""):
        files = [path for path in files if "MIT" in path.name.upper()] or files
    if package["links"]:
        # A library in C has a licence of its own, in a folder of its own.
        files += sorted(
            path for path in folder.rglob("*") if path.parent != folder and path.name in ("COPYING", "LICENSE")
        )
    found = [path.read_text(errors="replace").strip() for path in files]
    return "\n\n".join(dict.fromkeys(found))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--target")
    parser.add_argument("--manifest", default="Cargo.toml")
    parser.add_argument("--features")
    packages = linked(metadata(parser.parse_args()))
    print("plyzip is free software under the GPL, version 3 or later (LICENSE). It is linked from these packages:\n")
    together = defaultdict(list)
    for package in packages:
        together[texts(package)].append(package)
    print("The Rust standard library (MIT OR Apache-2.0), https://www.rust-lang.org")
    for package in packages:
        licence = package["license"] or package["license_file"]
        print(f"{package['name']} {package['version']} ({licence}), {package['repository'] or 'no address'}")
    for text, owners in together.items():
        if text:
            print("\n" + "-" * 80)
            print(", ".join(package["name"] for package in owners) + "\n")
            print(text)


if __name__ == "__main__":
    main()
