"""Slices and archives in stores of objects: S3, one that is slow and fails, and file systems of fsspec."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import plyzip
import plyzip.slices
import pytest
from conftest import FAMOUS
from plyzip._store import again, store_of

if TYPE_CHECKING:
    from flaky_store import Bucket

if not os.environ.get("PLYZIP_SPARK"):
    pytest.importorskip("moto", reason="NOT CHECKED: there is no moto")
    pytest.importorskip("fsspec", reason="NOT CHECKED: there is no fsspec")

CODING: dict[str, Any] = {"model": "none", "slice_bytes": 20_000}
SOURCES = {"pgn/a.pgn": FAMOUS * 60, "pgn/b.pgn": FAMOUS * 3, "pgn/deep/c.pgn": FAMOUS, "pgn/.hidden.pgn": FAMOUS}


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bucket]:
    from flaky_store import flaky_bucket

    for name in ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]:
        monkeypatch.setenv(name, "testing")
    with flaky_bucket() as bucket:
        for name, data in SOURCES.items():
            bucket.put(name, data)
        yield bucket


@pytest.fixture
def reference(tmp_path: Path) -> bytes:
    """What one machine makes of files."""
    for name in ["a.pgn", "b.pgn"]:
        (tmp_path / name).write_bytes(SOURCES[f"pgn/{name}"])
    plyzip.slices.compress(f"{tmp_path}/*.pgn", tmp_path / "games.plz", **CODING)
    return (tmp_path / "games.plz").read_bytes()


def test_a_bucket_has_what_a_folder_has(bucket: Bucket, reference: bytes) -> None:
    options: dict[str, Any] = {**CODING, "filesystem": bucket.filesystem}
    summary = plyzip.slices.compress("games/pgn/*.pgn", "games/out.plz", **options)
    assert bucket.get("out.plz") == reference and summary.games == 126
    assert bucket.proxy.failed > 2
    for scheme in ["s3", "s3a"]:
        target = f"{scheme}://games/{scheme}.plz?{bucket.query}"
        plyzip.slices.compress(f"{scheme}://games/pgn/*.pgn?{bucket.query}", target, **CODING)
        assert bucket.get(f"{scheme}.plz") == reference
        with pytest.raises(FileExistsError):
            plyzip.slices.compress(f"{scheme}://games/pgn/a.pgn?{bucket.query}", target, **CODING)
        plyzip.slices.compress(f"{scheme}://games/pgn/b.pgn?{bucket.query}", target, overwrite=True, **CODING)
        assert plyzip.decompress(bucket.get(f"{scheme}.plz")) == SOURCES["pgn/b.pgn"]


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("pgn/*.pgn", ["a", "b"]),
        ("pgn/**/*.pgn", ["a", "b", "deep/c"]),
        ("pgn/*/?.pgn", ["deep/c"]),
        ("p*/[ac].pgn", ["a"]),
        ("pgn/deep/c.pgn", ["deep/c"]),
    ],
)
def test_patterns_are_those_of_folders(bucket: Bucket, tmp_path: Path, pattern: str, names: list[str]) -> None:
    for name, data in SOURCES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    wanted = [f"pgn/{name}.pgn" for name in names]
    here = plyzip.slices.plan(f"{tmp_path}/{pattern}", slice_bytes=1 << 30)
    there = plyzip.slices.plan(f"games/{pattern}", slice_bytes=1 << 30, filesystem=bucket.filesystem)
    assert [part.path.removeprefix(f"{tmp_path}/") for part in here] == wanted
    assert [part.path.removeprefix("games/") for part in there] == wanted


def test_what_is_wrong_is_told(bucket: Bucket) -> None:
    filesystem = bucket.filesystem
    with pytest.raises(FileNotFoundError):
        plyzip.slices.plan("games/nothing/*.pgn", filesystem=filesystem)
    with pytest.raises(FileNotFoundError):
        plyzip.slices.plan([f"s3://games/nothing.pgn?{bucket.query}"])
    with pytest.raises(plyzip.UsageError, match="no URI that pyarrow knows"):
        plyzip.slices.plan("gopher://games/a.pgn")
    with pytest.raises(plyzip.UsageError, match="its own paths"):
        plyzip.slices.plan("s3://games/a.pgn", filesystem=filesystem)
    with pytest.raises(plyzip.UsageError, match="and no str"):
        plyzip.slices.plan("games/a.pgn", filesystem="s3")
    [part] = plyzip.slices.plan("games/pgn/b.pgn", filesystem=filesystem)
    bucket.put("pgn/b.pgn", FAMOUS)
    with pytest.raises(OSError, match="when it was cut"):
        part.open(filesystem)


def test_a_store_that_stays_broken_is_an_error_and_leaves_nothing(bucket: Bucket) -> None:
    bucket.proxy.broken = True
    with pytest.raises(OSError, match=r"SLOW|Slow|slow|503|reduce"):
        plyzip.slices.compress("games/pgn/b.pgn", "games/out.plz", filesystem=bucket.filesystem, **CODING)
    assert "out.plz" not in bucket.names()


def test_fsspec_is_taken(reference: bytes) -> None:
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    for name, data in SOURCES.items():
        memory.pipe(f"/{name}", data)
    plyzip.slices.compress("/pgn/*.pgn", "/out.plz", filesystem=memory, **CODING)
    assert memory.cat("/out.plz") == reference
    assert [name for name in memory.ls("/", detail=False) if "plyzip" in name] == []
    store, path = store_of("/out.plz", memory)
    with store.open(path) as file, plyzip.open(file) as archive:
        assert archive[125].tags["White"] == "Anderssen, Adolf"


def test_it_is_asked_again_only_if_that_may_help(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("time.sleep", pauses.append)
    for error, times in [(OSError("busy"), 5), (FileNotFoundError(2, "gone"), 1), (PermissionError(13, "no"), 1)]:
        asked: list[int] = []

        def ask(error: OSError = error, asked: list[int] = asked) -> None:
            asked.append(1)
            raise error

        with pytest.raises(type(error)):
            again(ask)
        assert len(asked) == times
    assert pauses == [0.2, 0.4, 0.8, 1.6]
    answers = iter([OSError("busy"), OSError("busy"), 7])

    def answer() -> object:
        found = next(answers)
        if isinstance(found, OSError):
            raise found
        return found

    assert again(answer) == 7
