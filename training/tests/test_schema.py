"""What the scripts take from schema.json is there, and none of it is copied by hand."""

import ast
from pathlib import Path
from types import SimpleNamespace

import pytest

from conftest import ROOT
from schema import schema

SCRIPTS = sorted(path for path in Path(ROOT, "training").rglob("*.py") if path.name != "schema.py")
USERS = {
    *("equip.py", "evaluation.py", "export.py", "mirror.py", "network.py", "nnue.py", "search_features.py"),
    *("taught.py", "train.py", "corpus.py", "label.py"),
}


def chain(node):
    """The names of `a.b.c`; none if it is something else."""
    names = []
    while isinstance(node, ast.Attribute):
        names, node = [node.attr, *names], node.value
    return [node.id, *names] if isinstance(node, ast.Name) else []


def pairs(assignment):
    """Targets and values of an assignment, those of tuples one by one."""
    for target in assignment.targets:
        if isinstance(target, ast.Tuple) and isinstance(assignment.value, ast.Tuple):
            yield from zip(target.elts, assignment.value.elts)
        else:
            yield target, assignment.value


def uses(tree):
    """The chains of names of all that a script takes from the schema, directly or by another name for a section."""
    known = {"schema": []}
    for node in ast.walk(tree):
        for target, value in pairs(node) if isinstance(node, ast.Assign) else []:
            names = chain(value)
            if names and names[0] == "schema" and isinstance(target, ast.Name):
                known[target.id] = names[1:]
    for node in ast.walk(tree):
        names = chain(node) if isinstance(node, ast.Attribute) else []
        if names and names[0] in known:
            yield [*known[names[0]], *names[1:]]


def missing(names):
    """The first of the names that the schema does not have; nothing is asked of what is no section."""
    section = schema
    for name in names:
        if not isinstance(section, SimpleNamespace):
            return None
        if not hasattr(section, name):
            return name
        section = getattr(section, name)
    return None


def test_what_the_scripts_take_is_there():
    users = set()
    for path in SCRIPTS:
        for names in uses(ast.parse(path.read_text())):
            users.add(path.name)
            assert missing(names) is None, f"{path}: schema.{'.'.join(names)}"
    assert users >= USERS


def test_what_is_not_there_is_found():
    (found,) = (names for names in uses(ast.parse("a = schema.nnue\nb = a.widht")) if len(names) == 2)
    assert missing(found) == "widht"
    assert missing(["nnue", "width"]) is None and missing(["nnue", "king_bucket_of_rank", "copy"]) is None


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_no_number_of_features_is_copied(path):
    copied = {
        *(schema.board.features, schema.moves.features, schema.evaluation.terms, schema.search_features.features),
        *(schema.reranker.features, schema.reranker.analysis_features),
        *(first for name, first, _ in schema.board.ranges if name == "CASTLING"),
    }
    numbers = {node.value for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant)}
    assert not copied & {number for number in numbers if isinstance(number, int)}
