"""A standalone cluster of Apache Spark on this machine: a master and workers, each a process as of another machine."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import time
from pathlib import Path

import pyspark

#: How long a process may take to be ready.
_SECONDS = 90


class Cluster:
    """A master and its workers, which have a core each."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"spark://127.0.0.1:{port}"
        self._processes: list[subprocess.Popen[bytes]] = []
        self._log = folder / "0.log"
        self._start("master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", "0")
        self._wait_for("I have been elected leader", 1)

    def add_worker(self) -> int:
        """Starts a worker; its number."""
        number = len(self._processes)
        work = str(self._folder / f"worker-{number}")
        options = ["--cores", "1", "--memory", "1g", "--host", "127.0.0.1", "--webui-port", "0", "--work-dir", work]
        self._start("worker.Worker", *options, self.url)
        self._wait_for("Registering worker", number)
        return number

    @property
    def last(self) -> int:
        """The number of the worker that was started last."""
        return len(self._processes) - 1

    def kill(self, number: int) -> None:
        """Ends a worker as a loss of power does, with its executor."""
        process = self._processes[number]
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self) -> None:
        for number, process in enumerate(self._processes):
            if process.poll() is None:
                self.kill(number)

    def _start(self, name: str, *arguments: str) -> None:
        home = Path(pyspark.__file__).parent
        environment = {**os.environ, "SPARK_HOME": str(home), "SPARK_LOCAL_DIRS": str(self._folder)}
        environment |= {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_DAEMON_MEMORY": "256m"}
        command = [str(home / "bin" / "spark-class"), f"org.apache.spark.deploy.{name}", *arguments]
        with (self._folder / f"{len(self._processes)}.log").open("wb") as log:
            # A group of its own, so that no other process dies with it.
            process = subprocess.Popen(command, stdout=log, stderr=log, env=environment, start_new_session=True)
        self._processes.append(process)

    def _wait_for(self, line: str, times: int) -> None:
        end = time.monotonic() + _SECONDS
        while len(re.findall(line, self._log.read_text())) < times:
            if time.monotonic() > end or any(process.poll() for process in self._processes[:1]):
                raise TimeoutError(f"the cluster does not start: {self._log.read_text()}")
            time.sleep(0.1)
