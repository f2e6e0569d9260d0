"""An S3 server of PyPI's `moto`, and a proxy before it that is slow and fails."""

from __future__ import annotations

import http
import http.client
import itertools
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pyarrow.fs

_BUSY = b'<?xml version="1.0"?><Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>'

_OF_A_CONNECTION = {"transfer-encoding", "content-length", "connection", "expect"}


class Proxy:
    """Hands requests on, each after `delay` seconds. Of each `busy` requests it refuses one; of each `drop` requests it
    hands on half an answer, if that is an object's. Once `broken`, it refuses all that write."""

    def __init__(self, port: int, busy: int, drop: int, delay: float) -> None:
        self.requests = itertools.count(1)
        self.failed = 0
        self.broken = False
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _hand_on(self) -> None:
                body = self._body()
                number = next(proxy.requests)
                time.sleep(delay)
                if number % busy == 0 or (proxy.broken and self.command in ("PUT", "POST")):
                    proxy.failed += 1
                    self._answer(503, {"Content-Type": "application/xml"}, _BUSY, len(_BUSY))
                    return
                connection = http.client.HTTPConnection("127.0.0.1", port)
                headers = {name: value for name, value in self.headers.items() if name.lower() not in _OF_A_CONNECTION}
                connection.request(self.command, self.path, body, headers)
                answer = connection.getresponse()
                data = answer.read()
                length = len(data) if self.command != "HEAD" else int(answer.headers.get("Content-Length", 0))
                if number % drop == 0 and self.command == "GET" and len(data) > 1:
                    proxy.failed += 1
                    data = data[: len(data) // 2]
                    self.close_connection = True
                self._answer(answer.status, dict(answer.headers), data, length)
                connection.close()

            def _body(self) -> bytes:
                if self.headers.get("Transfer-Encoding") != "chunked":
                    return self.rfile.read(int(self.headers.get("Content-Length", 0)))
                body = b""
                while size := int(self.rfile.readline().partition(b";")[0], 16):
                    body += self.rfile.read(size)
                    self.rfile.readline()
                self.rfile.readline()
                return body

            def _answer(self, status: int, headers: dict[str, str], data: bytes, length: int) -> None:
                self.send_response_only(status)
                for name, value in headers.items():
                    if name.lower() not in _OF_A_CONNECTION:
                        self.send_header(name, value)
                self.send_header("Content-Length", str(length))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(data)

            do_GET = do_PUT = do_POST = do_HEAD = do_DELETE = _hand_on

            def log_message(self, *_: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: Any) -> None:
                """A client that has hung up is none of the server's business."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self.address = f"127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class Bucket:
    """A bucket: through the proxy, and beside it."""

    def __init__(self, proxy: Proxy, address: str) -> None:
        self.proxy = proxy
        self._address = address
        self._beside = self._files(address)
        self._beside.create_dir("games")
        self.filesystem = self._files(proxy.address)
        self.query = f"endpoint_override={proxy.address}&scheme=http&region=us-east-1"

    def _files(self, address: str) -> pyarrow.fs.S3FileSystem:
        return pyarrow.fs.S3FileSystem(
            access_key="testing",
            secret_key="testing",
            endpoint_override=address,
            scheme="http",
            region="us-east-1",
            allow_bucket_creation=True,
        )

    def put(self, name: str, data: bytes) -> None:
        # As a plain request, since moto takes chunks of the client's for text; without a signature it replaces nothing.
        if name in self.names():
            self._beside.delete_file(f"games/{name}")
        connection = http.client.HTTPConnection(self._address)
        connection.request("PUT", f"/games/{name}", data)
        if connection.getresponse().status != http.HTTPStatus.OK:
            raise OSError(f"moto does not take {name}")
        connection.close()

    def get(self, name: str) -> bytes:
        with self._beside.open_input_stream(f"games/{name}") as file:
            data: bytes = file.read()
            return data

    def names(self) -> list[str]:
        """The names of all objects."""
        found = self._beside.get_file_info(pyarrow.fs.FileSelector("games", recursive=True))
        return sorted(info.path.removeprefix("games/") for info in found if info.is_file)


@contextmanager
def flaky_bucket(busy: int = 7, drop: int = 11, delay: float = 0.01) -> Iterator[Bucket]:
    """An empty bucket of a server that is slow and fails."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    _, port = server.get_host_and_port()
    # What an earlier server of this process has is there, too.
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("POST", "/moto-api/reset")
    connection.getresponse().read()
    connection.close()
    proxy = Proxy(port, busy, drop, delay)
    try:
        yield Bucket(proxy, f"127.0.0.1:{port}")
    finally:
        proxy.stop()
        server.stop()
