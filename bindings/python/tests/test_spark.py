"""Archives on a real cluster of two workers, of which one is lost."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import plyzip
import plyzip.slices
import plyzip.spark
import pytest
from conftest import FAMOUS, ROOT

if TYPE_CHECKING:
    from cluster import Cluster
    from pyspark.sql import SparkSession

#: Set by ci/spark.sh: nothing may be left out.
REQUIRED = bool(os.environ.get("PLYZIP_SPARK"))

if not REQUIRED:
    pytest.importorskip("pyspark", reason="NOT CHECKED: there is no pyspark")
    pytest.importorskip("zstandard", reason="NOT CHECKED: there is no zstandard")
    if not shutil.which("java"):
        pytest.skip("NOT CHECKED: there is no java", allow_module_level=True)

#: Slices of so many bytes take a second or more each.
SLICE_BYTES = 250_000


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    from cluster import Cluster

    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        cluster.add_worker()
        cluster.add_worker()
        yield cluster
    finally:
        cluster.stop()


@pytest.fixture(scope="module")
def spark(cluster: Cluster) -> Iterator[SparkSession]:
    from pyspark.sql import SparkSession

    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    builder = SparkSession.builder.master(cluster.url).config("spark.ui.enabled", "false")
    for name in ["spark.driver.memory", "spark.executor.memory"]:
        builder = builder.config(name, "512m")
    # Nothing begins before both executors are there.
    builder = builder.config("spark.cores.max", "2").config("spark.scheduler.minRegisteredResourcesRatio", "1.0")
    session = builder.config("spark.scheduler.maxRegisteredResourcesWaitingTime", "120s").getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory, pgn: bytes) -> Path:
    """Files of some megabytes of PGN, one of them in frames of zstd."""
    zstandard = pytest.importorskip("zstandard")
    folder = tmp_path_factory.mktemp("pgn")
    games = [bytes(game) for game in plyzip.open(plyzip.compress(pgn, model="none"))]
    numbers = random.Random(8)
    for name, times in [("a.pgn", 20), ("b.pgn", 3), ("c.pgn.zst", 25)]:
        copies = [game.replace("Novák".encode(), b"N%d" % time) for time in range(times) for game in games]
        numbers.shuffle(copies)
        text = b"".join(copies)
        if name.endswith(".zst"):
            cuts = range(0, len(text), 100_000)
            compressor = zstandard.ZstdCompressor(write_checksum=True)
            text = b"".join(compressor.compress(text[cut : cut + 100_000]) for cut in cuts)
        (folder / name).write_bytes(text)
    return folder


@pytest.fixture(scope="module")
def reference(files: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive that one machine makes."""
    target = tmp_path_factory.mktemp("reference") / "games.plz"
    plyzip.slices.compress(f"{files}/*", target, model="none", slice_bytes=SLICE_BYTES)
    return target


def original(files: Path) -> bytes:
    zstandard = pytest.importorskip("zstandard")
    with (files / "c.pgn.zst").open("rb") as file:
        packed = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True).read()
    return (files / "a.pgn").read_bytes() + (files / "b.pgn").read_bytes() + bytes(packed)


def test_a_lost_worker_changes_nothing(
    cluster: Cluster, spark: SparkSession, files: Path, reference: Path, tmp_path: Path
) -> None:
    slices = len(plyzip.slices.plan(f"{files}/*", slice_bytes=SLICE_BYTES))
    assert slices > 10
    done_when_killed: list[int] = []

    def kill_midway() -> None:
        # Each worker has a core: with two parts that are not complete, both have a task.
        parts: list[Path] = []
        while len(parts) < 3 or len(list(tmp_path.glob(".plyzip-*.parts/.*.tmp"))) < 2:
            parts = list(tmp_path.glob(".plyzip-*.parts/*.plz"))
            time.sleep(0.02)
        cluster.kill(1)
        done_when_killed.append(len(parts))

    killer = threading.Thread(target=kill_midway, daemon=True)
    killer.start()
    target = tmp_path / "games.plz"
    summary = plyzip.spark.compress(spark, f"{files}/*", target, model="none", slice_bytes=SLICE_BYTES)
    killer.join(1)

    # It was midway, and work was lost.
    assert len(done_when_killed) == 1 and 0 < done_when_killed[0] < slices - 2
    tracker = spark.sparkContext.statusTracker()
    stages = [tracker.getStageInfo(stage) for job in tracker.getJobIdsForGroup() for stage in _stages(tracker, job)]
    failed = [stage.numFailedTasks for stage in stages if stage and stage.numTasks == slices]
    assert failed and failed[0] > 0

    assert target.read_bytes() == reference.read_bytes()
    assert plyzip.decompress(target) == original(files)
    assert summary.games == len(plyzip.open(target)) == 48 * 120
    assert [path.name for path in tmp_path.iterdir()] == ["games.plz"]
    cluster.add_worker()


def test_a_store_that_fails_and_a_lost_worker_change_nothing(
    cluster: Cluster, spark: SparkSession, files: Path, reference: Path
) -> None:
    pytest.importorskip("moto", reason="NOT CHECKED: there is no moto")
    from flaky_store import flaky_bucket

    with flaky_bucket() as bucket:
        for path in files.iterdir():
            bucket.put(f"pgn/{path.name}", path.read_bytes())
        done_when_killed: list[int] = []

        def kill_midway() -> None:
            parts: list[str] = []
            while len(parts) < 3:
                parts = [name for name in bucket.names() if name.startswith(".plyzip-")]
                time.sleep(0.1)
            cluster.kill(cluster.last)
            done_when_killed.append(len(parts))

        killer = threading.Thread(target=kill_midway, daemon=True)
        killer.start()
        options: dict[str, Any] = {"model": "none", "slice_bytes": SLICE_BYTES, "filesystem": bucket.filesystem}
        plyzip.spark.compress(spark, "games/pgn/*", "games/out.plz", **options)
        killer.join(1)
        slices = len(plyzip.slices.plan(f"{files}/*", slice_bytes=SLICE_BYTES))
        assert len(done_when_killed) == 1 and 0 < done_when_killed[0] < slices - 2
        assert bucket.proxy.failed > 5
        assert bucket.get("out.plz") == reference.read_bytes()
        assert bucket.names() == ["out.plz", "pgn/a.pgn", "pgn/b.pgn", "pgn/c.pgn.zst"]
        cluster.add_worker()

        archive = plyzip.open(reference)
        frame = plyzip.spark.read(spark, "games/out.plz", ["White", "moves"], filesystem=bucket.filesystem)
        rows = frame.orderBy("index").collect()
        assert [(row["White"], row["moves"]) for row in rows] == [(game.tags["White"], game.moves) for game in archive]
        with pytest.raises(FileExistsError):
            plyzip.spark.compress(spark, "games/pgn/b.pgn", "games/out.plz", **options)
        bucket.proxy.broken = True
        with pytest.raises(Exception, match="AWS Error"):
            plyzip.spark.compress(spark, "games/pgn/b.pgn", "games/b.plz", **options)
        assert "b.plz" not in bucket.names()


def test_uris_are_opened_by_each_worker(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_bytes(FAMOUS * 40)
    where = tmp_path.as_uri()
    plyzip.spark.compress(spark, f"{where}/*.pgn", f"{where}/a.plz", model="none", slice_bytes=10_000)
    assert plyzip.decompress(tmp_path / "a.plz") == FAMOUS * 40
    assert {path.name for path in tmp_path.iterdir()} == {"a.pgn", "a.plz"}
    assert plyzip.spark.read(spark, f"{where}/a.plz", ["White"]).count() == 80
    if not os.environ.get("HADOOP_HOME"):
        with pytest.raises((OSError, plyzip.UsageError)):
            plyzip.spark.read(spark, "hdfs://127.0.0.1:1/a.plz", ["White"])


def _stages(tracker: object, job: int) -> list[int]:
    info = tracker.getJobInfo(job)  # type: ignore[attr-defined]
    return list(info.stageIds) if info else []


def test_another_cluster_and_standard_make_the_same(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_bytes(FAMOUS * 4)
    target, reference = tmp_path / "a.plz", tmp_path / "reference.plz"
    plyzip.spark.compress(spark, [tmp_path / "a.pgn"], target, slice_bytes=1500)
    plyzip.slices.compress(tmp_path / "a.pgn", reference, slice_bytes=1500)
    assert target.read_bytes() == reference.read_bytes()
    assert plyzip.decompress(target) == FAMOUS * 4
    assert plyzip.open(target).summary.models[0][0] == "standard"
    one_slice = plyzip.slices.plan(tmp_path / "a.pgn", slice_bytes=1500)[0]
    with one_slice.open() as pgn:
        assert target.read_bytes().startswith(plyzip.compress(pgn))
    rows = plyzip.spark.read(spark, target, ["moves"]).collect()
    assert [row.moves for row in rows] == [game.moves for game in plyzip.open(FAMOUS_ARCHIVE)] * 4


FAMOUS_ARCHIVE = plyzip.compress(FAMOUS, model="none")


def test_an_attempt_that_comes_again_has_a_part_of_its_own(files: Path, tmp_path: Path) -> None:
    from plyzip.spark import _Folder, _part

    [part] = plyzip.slices.plan(files / "b.pgn")
    folder = _Folder(str(tmp_path), None)
    once, again = (_part(part, folder, 7, {"model": "none"}) for _ in range(2))
    assert once["sha256"] == again["sha256"] and once["name"] != again["name"]
    assert {path.name for path in tmp_path.iterdir()} == {once["name"], again["name"]}


def test_tags_are_those_of_the_archive(spark: SparkSession, reference: Path) -> None:
    archive = plyzip.open(reference)
    frame = plyzip.spark.read(spark, reference)
    assert frame.columns == ["index", *plyzip.spark.TAGS]
    assert frame.toArrow().sort_by("index").to_pylist() == archive.tags(*plyzip.spark.TAGS).to_pylist()
    # Of blocks, which are less than slices can have.
    assert frame.rdd.getNumPartitions() == 1
    few = plyzip.spark.read(spark, reference, ["White", "Absent"], games_per_task=500)
    assert few.rdd.getNumPartitions() > 10
    rows = few.toArrow().sort_by("index").to_pylist()
    assert rows == archive.tags("White", "Absent", games=(0, len(archive))).to_pylist()
    counted = {row["Result"]: row["count"] for row in frame.groupBy("Result").count().collect()}
    assert sum(counted.values()) == 48 * 120
    assert counted["1-0"] == archive.count(result="1-0")


def test_moves_and_games_come_when_asked_for(spark: SparkSession, reference: Path) -> None:
    archive = plyzip.open(reference)
    frame = plyzip.spark.read(spark, reference, ["plies", "pgn", "White", "moves"], games_per_task=1000)
    rows = frame.orderBy("index").collect()
    assert [row.index for row in map(_Row, rows)] == list(range(len(archive)))
    for row, game in zip(rows, archive, strict=True):
        found = (row["moves"], row["plies"], row["pgn"], row["White"])
        assert found == (game.moves, game.plies, game.pgn, game.tags["White"])


class _Row:
    """A row, of which `index` is the column and not the method of tuples."""

    def __init__(self, row: object) -> None:
        self.index = row["index"]  # type: ignore[index]


def test_conditions_choose_games(spark: SparkSession, reference: Path) -> None:
    archive = plyzip.open(reference)
    conditions: dict[str, Any] = {"plies": (60, None), "player": "ito"}
    frame = plyzip.spark.read(spark, reference, ["White"], games_per_task=700, **conditions)
    wanted = [(game.index, game.tags["White"]) for game in archive.filter(**conditions)]
    assert sorted((row["index"], row["White"]) for row in frame.collect()) == wanted
    assert len(wanted) > 100


def test_tags_that_moves_foretell_are_there(spark: SparkSession, tmp_path: Path) -> None:
    pgn = FAMOUS.replace(b'[Result "1-0"]', b'[Result "1-0"]\n[ECO "C41"]')
    path = tmp_path / "a.plz"
    path.write_bytes(plyzip.compress(pgn, model="none") * 2)
    rows = plyzip.spark.read(spark, path, ["ECO"]).collect()
    assert [(row["index"], row["ECO"]) for row in rows] == [(number, "C41") for number in range(4)]


def test_an_archive_without_games_is_an_empty_frame(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "a.pgn").touch()
    plyzip.spark.compress(spark, tmp_path / "a.pgn", tmp_path / "a.plz", model="none")
    assert plyzip.decompress(tmp_path / "a.plz") == b""
    frame = plyzip.spark.read(spark, tmp_path / "a.plz", ["White", "moves"])
    assert (frame.columns, frame.count()) == (["index", "White", "moves"], 0)


def test_what_is_wrong_is_told_before_anything_is_computed(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_bytes(FAMOUS)
    (tmp_path / "a.plz").write_bytes(FAMOUS_ARCHIVE)
    source, target = tmp_path / "a.pgn", tmp_path / "b.plz"
    with pytest.raises(FileExistsError):
        plyzip.spark.compress(spark, source, tmp_path / "a.plz")
    with pytest.raises(FileNotFoundError):
        plyzip.spark.compress(spark, tmp_path / "absent", target)
    with pytest.raises(plyzip.UsageError):
        plyzip.spark.compress(spark, source, target, block_games=0)
    with pytest.raises(plyzip.UsageError, match="its name"):
        plyzip.spark.compress(spark, source, target, model=plyzip.Model("none"))  # type: ignore[arg-type]
    with pytest.raises(plyzip.ModelMissingError):
        plyzip.spark.compress(spark, source, target, model="giant")
    with pytest.raises(plyzip.DamagedError):
        plyzip.spark.read(spark, source)
    wrong: list[tuple[Any, dict[str, Any]]] = [("White", {}), (["index"], {}), ([], {"games_per_task": 0})]
    for columns, options in [*wrong, ([], {"first": 3})]:
        with pytest.raises(plyzip.UsageError):
            plyzip.spark.read(spark, tmp_path / "a.plz", columns, **options)
    with pytest.raises(plyzip.UsageError):
        plyzip.spark.read(spark, tmp_path / "a.plz", [], colour="white")
    assert {path.name for path in tmp_path.iterdir()} == {"a.pgn", "a.plz"}


def test_what_fails_in_a_task_names_the_file(spark: SparkSession, files: Path, tmp_path: Path) -> None:
    damaged = bytearray((files / "c.pgn.zst").read_bytes())
    damaged[len(damaged) * 3 // 4] ^= 1
    (tmp_path / "damaged.zst").write_bytes(damaged)
    with pytest.raises(Exception, match=r"damaged\.zst is damaged"):
        plyzip.spark.compress(spark, tmp_path / "damaged.zst", tmp_path / "a.plz", model="none")
    archive = bytearray(plyzip.compress(FAMOUS * 500, model="none", block_games=500))
    archive[len(archive) // 3] ^= 1
    (tmp_path / "damaged.plz").write_bytes(archive)
    with pytest.raises(Exception, match="DamagedError"):
        plyzip.spark.read(spark, tmp_path / "damaged.plz", ["moves"]).collect()
    assert {path.name for path in tmp_path.iterdir()} == {"damaged.zst", "damaged.plz"}


def _blocks(language: str) -> list[str]:
    text = (ROOT / "docs" / "cluster.md").read_text()
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def test_the_manual_runs(spark: SparkSession, files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(files, tmp_path / "pgn")
    blocks = _blocks("python")
    assert blocks and blocks[0].count("\n") == 10
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "docs/cluster.md", "exec"), names)
    assert plyzip.decompress("games.plz") == original(files)


def test_an_array_of_jobs_makes_the_same(files: Path, tmp_path: Path) -> None:
    program = os.environ.get("PLYZIP")
    if not program:
        assert not REQUIRED
        pytest.skip("NOT CHECKED: $PLYZIP names no program")
    shutil.copytree(files, tmp_path / "pgn")
    [job] = _blocks("bash")
    (tmp_path / "job.sh").write_text(job)
    [cut, *_] = [block for block in _blocks("sh") if "plan" in block]
    folders = [str(Path(program).parent), str(Path(sys.executable).parent), os.environ["PATH"]]
    environment = {**os.environ, "PATH": os.pathsep.join(folders)}
    # Slices of the manual's size would be one here.
    script = cut.replace("plan pgn/*", f"plan --slice-bytes {SLICE_BYTES} pgn/*")
    assert script != cut
    subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=tmp_path, env=environment, check=True)
    plyzip.slices.compress(f"{files}/*", tmp_path / "one.plz", model="none", slice_bytes=SLICE_BYTES)
    assert (tmp_path / "games.plz").read_bytes() == (tmp_path / "one.plz").read_bytes()
