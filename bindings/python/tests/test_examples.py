"""The examples of all docstrings, and those of the manual."""

from __future__ import annotations

import doctest
import re

import plyzip
import plyzip._plyzip
from conftest import FAMOUS, ROOT


def test_examples_of_docstrings() -> None:
    names = {"plyzip": plyzip, "FAMOUS": FAMOUS}
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner()
    examples = 0
    for name in plyzip.__all__:
        value = getattr(plyzip, name)
        if not isinstance(value, str):
            for test in finder.find(value, name, module=False, globs=dict(names)):
                runner.run(test)
                examples += len(test.examples)
    runner.run(doctest.DocTestParser().get_doctest(plyzip.__doc__ or "", names, "plyzip", None, None))
    assert runner.failures == 0
    assert examples > 30


def test_all_that_is_public_is_documented() -> None:
    missing = []
    for name in plyzip.__all__:
        value = getattr(plyzip, name)
        missing += [name] if not value.__doc__ else []
        if isinstance(value, type):
            own = [part for part in vars(value) if not part.startswith("_")]
            missing += [f"{name}.{part}" for part in own if not vars(value)[part].__doc__]
    assert missing == []


def test_the_manual_runs(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    text = (ROOT / "docs" / "python.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert blocks and blocks[0].count("\n") == 10
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.pgn").write_bytes(FAMOUS)
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)
