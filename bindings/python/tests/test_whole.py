"""Whole archives, from what may hold them to what may."""

import io
import os
import stat
import subprocess
import sys
import tarfile
from importlib import metadata
from pathlib import Path

import plyzip
import pytest
from conftest import FAMOUS, ROOT


@pytest.mark.parametrize("original", [FAMOUS, b"", b"no PGN", bytes(range(256)) * 40])
@pytest.mark.parametrize("model", ["none", "standard"])
def test_all_bytes_come_back(original: bytes, model: str) -> None:
    assert plyzip.decompress(plyzip.compress(original, model=model)) == original


def test_the_archive_is_the_same_from_wherever_it_comes(tmp_path: Path) -> None:
    source = tmp_path / "games.pgn"
    source.write_bytes(FAMOUS)
    archive = plyzip.compress(FAMOUS, model="none")
    assert plyzip.compress(source, model="none") == archive
    assert plyzip.compress(str(source), model="none") == archive
    assert plyzip.compress(bytearray(FAMOUS), model="none") == archive
    assert plyzip.compress(memoryview(FAMOUS * 2)[: len(FAMOUS)], model="none") == archive
    with source.open("rb") as file:
        assert plyzip.compress(file, model="none") == archive
    assert plyzip.compress(io.BytesIO(FAMOUS), model="none", threads=1) == archive

    target = tmp_path / "games.plz"
    summary = plyzip.compress(source, target, model="none")
    assert target.read_bytes() == archive
    assert (summary.games, summary.original_bytes, summary.archive_bytes) == (2, len(FAMOUS), len(archive))
    written = io.BytesIO()
    plyzip.compress(source, written, model="none")
    assert written.getvalue() == archive
    back = io.BytesIO()
    assert plyzip.decompress(target, back).games == 2
    assert back.getvalue() == FAMOUS


def test_it_is_the_archive_of_the_program(tmp_path: Path) -> None:
    program = os.environ.get("PLYZIP")
    if not program:
        pytest.skip("NOT CHECKED: $PLYZIP names no program")
    source = ROOT / "samples" / "famous.pgn"
    target = tmp_path / "famous.plz"
    subprocess.run([program, "compress", str(source), "-o", str(target)], check=True)
    assert plyzip.compress(source) == target.read_bytes()


def test_files_that_do_not_seek_are_read(tmp_path: Path) -> None:
    packed = tmp_path / "games.tar.gz"
    with tarfile.open(packed, "w:gz") as tar:
        info = tarfile.TarInfo("games.plz")
        archive = plyzip.compress(FAMOUS, model="none")
        info.size = len(archive)
        tar.addfile(info, io.BytesIO(archive))
    with tarfile.open(packed, "r|gz") as tar:
        member = tar.next()
        assert member is not None
        file = tar.extractfile(member)
        assert file is not None
        assert plyzip.decompress(file) == FAMOUS


def test_no_file_is_replaced_unless_asked_for(tmp_path: Path) -> None:
    target = tmp_path / "games.plz"
    target.write_bytes(b"dear")
    with pytest.raises(FileExistsError):
        plyzip.compress(FAMOUS, target, model="none")
    assert target.read_bytes() == b"dear"
    plyzip.compress(FAMOUS, target, model="none", overwrite=True)
    assert plyzip.decompress(target) == FAMOUS
    # What fails leaves nothing.
    with pytest.raises(plyzip.DamagedError):
        plyzip.decompress(FAMOUS, tmp_path / "back.pgn")
    assert [path.name for path in tmp_path.iterdir()] == ["games.plz"]


@pytest.mark.skipif(sys.platform == "win32", reason="modes are Unix")
def test_new_files_have_the_mode_of_new_files(tmp_path: Path) -> None:
    plain, target = tmp_path / "plain", tmp_path / "games.plz"
    plain.touch()
    plyzip.compress(FAMOUS, target, model="none")
    assert stat.S_IMODE(target.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)


def test_exceptions_say_who_is_to_blame(tmp_path: Path) -> None:
    archive = plyzip.compress(FAMOUS, model="none")
    with pytest.raises(plyzip.DamagedError):
        plyzip.decompress(archive[:-1])
    with pytest.raises(plyzip.DamagedError):
        plyzip.open(b"no archive")
    with pytest.raises(plyzip.UnsupportedError):
        plyzip.decompress(archive[:4] + b"\x63" + archive[5:])
    with pytest.raises(plyzip.ModelMissingError):
        plyzip.compress(FAMOUS, model="giant")
    (tmp_path / "broken.onnx").write_bytes(b"broken")
    with pytest.raises(plyzip.ModelError):
        plyzip.compress(FAMOUS, model=tmp_path / "broken.onnx")
    with pytest.raises(plyzip.UsageError):
        plyzip.compress(FAMOUS, threads=0)
    with pytest.raises(ValueError):
        plyzip.compress(FAMOUS, block_games=0, model="none")
    with pytest.raises(FileNotFoundError) as caught:
        plyzip.open(tmp_path / "missing.plz")
    assert caught.value.filename == str(tmp_path / "missing.plz")
    with pytest.raises(IsADirectoryError):
        plyzip.open(tmp_path)
    with pytest.raises(FileNotFoundError):
        plyzip.compress(FAMOUS, tmp_path / "no folder" / "games.plz", model="none")
    for wrong in [12, None, ["a"]]:
        with pytest.raises(TypeError):
            plyzip.compress(wrong)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="binary"):
        plyzip.compress(io.StringIO("1. e4 *"))  # type: ignore[call-overload]


def test_exceptions_of_file_objects_come_back() -> None:
    class Broken(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            raise ConnectionResetError("gone")

        def write(self, data: object) -> int:
            raise KeyError("full")

    with pytest.raises(ConnectionResetError, match="gone"):
        plyzip.compress(Broken())
    with pytest.raises(KeyError, match="full"):
        plyzip.compress(FAMOUS, Broken(), model="none")


def test_an_archive_may_hold_its_model() -> None:
    archive = plyzip.compress(FAMOUS, embed_model=True)
    assert len(archive) > 1 << 20
    assert plyzip.decompress(archive) == FAMOUS
    assert plyzip.open(archive).summary.models[0][0] == "standard"


def test_the_version_is_that_of_the_library() -> None:
    manifest = (ROOT / "Cargo.toml").read_text()
    assert f'\nversion = "{plyzip.__version__}"\n' in manifest
    locked = [(ROOT / folder / "Cargo.lock").read_text() for folder in ["", "bindings/python"]]

    def pinned(lock: str) -> set[str]:
        # What touches the format is of one version in both.
        names = ["constriction", "lzma-rust2", "shakmaty"]
        entries = [entry.splitlines() for entry in lock.split("[[package]]")]
        return {entry[2] + entry[1] for entry in entries if len(entry) > 2 and entry[1][8:-1] in names}

    assert pinned(locked[0]) == pinned(locked[1]) and len(pinned(locked[0])) == 3


def test_the_licence_is_that_of_the_library() -> None:
    licence = (ROOT / "LICENSE").read_bytes()
    assert (ROOT / "bindings" / "python" / "LICENSE").read_bytes() == licence
    try:
        files = metadata.files("plyzip") or []
    except metadata.PackageNotFoundError:
        pytest.skip("NOT CHECKED: plyzip is not installed")
    assert [Path(str(file.locate())).read_bytes() for file in files if file.name == "LICENSE"] == [licence]


def test_levels_are_models() -> None:
    for level, model in ((1, "none"), (2, "standard@0"), (6, "standard")):
        assert plyzip.compress(FAMOUS, level=level) == plyzip.compress(FAMOUS, model=model)
    fast = plyzip.compress(FAMOUS, level=2)
    assert plyzip.decompress(fast) == FAMOUS
    assert plyzip.open(fast).summary.models[0][0] == "standard@0"
    for level in (0, 10):
        with pytest.raises(plyzip.UsageError):
            plyzip.compress(FAMOUS, level=level)
    with pytest.raises(plyzip.UsageError):
        plyzip.compress(FAMOUS, level=1, model="none")
