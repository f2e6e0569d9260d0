#!/usr/bin/env python3
"""Finds files of a Rust crate or a Python package that import each other in a circle: ci/circles.py FOLDER...

A name that a module re-exports is an import of the file that defines it, so that a folder's mod.rs may gather what its
files offer. Items that a mod.rs defines itself are its children's to use; unit tests are left out.
"""

import re
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

USE = re.compile(r"^\s*(pub(?:\([^)]*\))? )?use ([^;]+);", re.M)
PATH = re.compile(r"\b(?:crate|super|self)(?:::\w+)+")
TESTS = re.compile(r"^#\[cfg\(test\)\]\nmod \w+ \{.*?^\}|//[^\n]*", re.M | re.S)
TESTS_IN_FILE = re.compile(r"^#\[cfg\(test\)\]\n(?:pub(?:\(\w+\))? )?mod (\w+);", re.M)


def paths(tree):
    """The paths of a `use`, each as a list of names: `a::{b, c as d}` is `a::b` and `a::c`, known as `d`."""
    head, brace, rest = tree.partition("{")
    head = [name.strip() for name in head.split("::") if name.strip()]
    if not brace:
        *head, last = head
        last, _, alias = last.partition(" as ")
        return [(head + [last], alias or last)]
    parts, depth = [""], 0
    for letter in rest.rsplit("}", 1)[0]:
        depth += (letter == "{") - (letter == "}")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [(head + path, alias) for part in parts if part.strip() for path, alias in paths(part)]


def rust(root):
    """The imports of each file, by file."""
    modules = {}
    for file in root.rglob("*.rs"):
        place = file.relative_to(root).with_suffix("").parts
        modules[place[:-1] if place[-1] in ("mod", "lib", "main") else place] = TESTS.sub("", file.read_text())
    tests = {here + (name,) for here, text in modules.items() for name in TESTS_IN_FILE.findall(text)}
    modules = {here: text for here, text in modules.items() if not any(here[: len(test)] == test for test in tests)}

    def absolute(here, path):
        base, path = here, list(path)
        if path[0] == "crate":
            base, path = (), path[1:]
        elif path[0] == "super" or path[0] == "self" or here + (path[0],) in modules:
            while path and path[0] in ("super", "self"):
                base, path = base[: len(base) - (path[0] == "super")], path[1:]
        else:
            return None
        return base + tuple(path)

    offers = {}
    for here, text in modules.items():
        for public, tree in USE.findall(text):
            for path, alias in paths(tree) if public else ():
                offers[here + (alias.strip(),)] = absolute(here, path)

    def file_of(path):
        for _ in range(9):
            path = offers.get(path) or path
        while path not in modules and path not in tests and path:
            path = path[:-1]
        return path

    for here, text in modules.items():
        named = [path for _, tree in USE.findall(text) for path, _ in paths(tree)]
        named += [path.split("::") for path in PATH.findall(USE.sub("", text))]
        wanted = {file_of(path) for path in (absolute(here, path) for path in named) if path}
        yield "::".join(here) or "crate", {"::".join(to) for to in wanted - tests if to != here[: len(to)]}


def python(root):
    """The imports of each module of a package, by module; a package inside it counts as one module."""
    modules = {}
    for file in root.rglob("*.py"):
        name = file.relative_to(root).parts[0].removesuffix(".py")
        modules[name] = modules.get(name, "") + file.read_text()
    imports = re.compile(rf"^\s*from (?:\.\.?|{root.name}\.)(\w+)\S* import|^\s*from {root.name} import (.+)", re.M)
    for name, text in modules.items():
        wanted = {module for one, several in imports.findall(text) for module in [one, *re.split(r",\s*", several)]}
        yield name, wanted & set(modules) - {name}


for folder in map(Path, sys.argv[1:]):
    graph = dict((python if (folder / "__init__.py").exists() else rust)(folder))
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        sys.exit(f"{folder}: a circle of imports: {' <- '.join(error.args[1])}")
