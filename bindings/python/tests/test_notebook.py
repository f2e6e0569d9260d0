"""The notebook runs from its first cell to its last, and shows what it is to show."""

from __future__ import annotations

import nbformat
import pytest
from conftest import ROOT
from nbclient import NotebookClient

NOTEBOOK = ROOT / "bindings" / "python" / "notebooks" / "surprisal-by-rating.ipynb"


def test_the_notebook_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PLYZIP_PGN", raising=False)
    monkeypatch.delenv("PLYZIP_MODEL", raising=False)
    notebook = nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]
    # No outputs are kept in the repository.
    assert all(not cell.get("outputs") for cell in notebook.cells)
    client = NotebookClient(notebook, timeout=300, kernel_name="python3")
    client.execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("image/png" in output.get("data", {}) for output in outputs)
    # Toys of high ratings surprise less.
    client.kc = None
    tables = [output["data"]["text/plain"] for output in outputs if "likeliest" in str(output.get("data", {}))]
    bands = [line.split() for line in tables[-1].splitlines()[2:]]
    bits = [float(band[2]) for band in bands]
    assert len(bits) >= 4 and bits[-1] < bits[0] - 1
