"""Archives and games in other processes, as the workers of a data loader are."""

from __future__ import annotations

import io
import multiprocessing
import pickle
from pathlib import Path
from typing import Any

import plyzip
import pytest


@pytest.fixture
def path(data: bytes, tmp_path: Path) -> Path:
    file = tmp_path / "games.plz"
    file.write_bytes(data)
    return file


def again(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


def test_what_is_pickled_comes_back(path: Path, data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    sources: list[Any] = [path, path.name, data]
    for source in sources:
        archive = plyzip.open(source, threads=1)
        monkeypatch.chdir("/")
        things: list[Any] = [archive, archive[3:90:7], archive[90:3:-7], archive.filter(player="ito", first=4)]
        for thing in things:
            assert list(again(thing)) == list(thing)
        assert again(archive[5]) == archive[5]
        assert (
            again(archive.filter(plies=(40, None), invert=True)).indices
            == archive.filter(plies=(40, None), invert=True).indices
        )
        assert again(archive.filter(player="ito")[2:5]).indices == archive.filter(player="ito")[2:5].indices
        monkeypatch.chdir(path.parent)
    # The path is pickled, and not what the file holds.
    assert len(pickle.dumps(plyzip.open(path))) < 500 < len(data)
    assert again(plyzip.Model("none")).name == "none"
    assert again(plyzip.open(path, model=plyzip.Model("none")))[1] == plyzip.open(path)[1]


def test_what_cannot_be_pickled_says_so(path: Path, data: bytes) -> None:
    with pytest.raises(TypeError, match="file object"):
        pickle.dumps(plyzip.open(io.BytesIO(data)))
    with pytest.raises(TypeError):
        pickle.dumps(iter(plyzip.open(path)))
    pickled = pickle.dumps(plyzip.open(path)[5:7])
    path.write_bytes(data + data)
    with pytest.raises(plyzip.DamagedError, match="had 120 games when it was pickled, and has 240 now"):
        pickle.loads(pickled)
    path.unlink()
    with pytest.raises(FileNotFoundError):
        pickle.loads(pickled)


class Dataset:
    """A dataset as `torch.utils.data` has them, of an archive's games."""

    def __init__(self, archive: plyzip.Archive) -> None:
        self.archive = archive

    def __len__(self) -> int:
        return len(self.archive)

    def __getitem__(self, index: int) -> tuple[int, list[str]]:
        return index, self.archive[index].moves

    def shard(self, worker: int) -> list[int]:
        """The positions that a worker of four has, as the sum of what was played in each batch."""
        games = self.archive[30 * worker : 30 * (worker + 1)]
        return [int(batch["move"].sum()) for batch in games.positions(batch=100)]


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_workers_of_a_data_loader(path: Path, method: Any) -> None:
    archive = plyzip.open(path)
    dataset = Dataset(archive)
    # So that a worker that is forked has a file that is open, and read.
    wanted = [dataset[index] for index in range(len(dataset))]
    shards = [dataset.shard(worker) for worker in range(4)]
    with multiprocessing.get_context(method).Pool(4) as pool:
        order = [index * 37 % 120 for index in range(120)]
        found = pool.map(dataset.__getitem__, order, chunksize=5)
        assert sorted(found) == wanted
        assert pool.map(dataset.shard, range(4), chunksize=1) == shards


# The archive that forked workers have from their parent.
INHERITED: list[plyzip.Archive] = []


def inherited(index: int) -> tuple[int, bytes]:
    return index, bytes(INHERITED[0][index])


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="there is no fork")
def test_forked_workers_share_a_file_without_moving_each_others_place(path: Path) -> None:
    INHERITED[:] = [plyzip.open(path, threads=1)]
    wanted = [bytes(game) for game in INHERITED[0]]
    with multiprocessing.get_context("fork").Pool(4) as pool:
        # Each game is of another page than the one before.
        order = [index * 37 % 120 for index in range(120)] * 10
        for index, found in pool.imap_unordered(inherited, order):
            assert found == wanted[index]
