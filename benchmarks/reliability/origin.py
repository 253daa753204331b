"""A real HTTP server that serves raw objects in the form of the APIs, with faults on request."""

from __future__ import annotations

import hashlib
import json
import socket
import struct
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

Answer = Callable[["_Handler"], None]
"""Answers one request."""


def send(body: bytes | str, status: int = 200, **headers: str) -> Answer:
    """An answer with that body; in header names, `_` stands for `-`."""

    def answer(handler: _Handler) -> None:
        data = body.encode() if isinstance(body, str) else body
        handler.send_response(status)
        for name, value in {"Content-Length": str(len(data)), **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(data)

    return answer


def reset(handler: _Handler) -> None:
    """Reset the connection without an answer."""
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.close_connection = True
    handler.connection.close()


def truncated(handler: _Handler) -> None:
    """Send a body that is shorter than announced."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100")
    handler.end_headers()
    handler.wfile.write(b'{"count":')
    handler.wfile.flush()
    handler.close_connection = True


@dataclass
class Origin:
    """Both APIs on one port.

    Attributes:
        lists: path → objects, served as pages of Open5e if the path ends in `/`, otherwise as a list of index rows.
        pages: path → any JSON answer.
        faults: path with query (or path) → answers to give before the right one.
        change: edits an Open5e page before it is sent.
        log: the requests as path with query.
        headers: the headers of the last request.
        answers: the statuses sent.
        delay: seconds that each answer takes.
        etags: whether to send ETag and honour If-None-Match.
    """

    url: str = ""
    lists: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    pages: dict[str, Any] = field(default_factory=dict)
    faults: defaultdict[str, deque[Answer]] = field(default_factory=lambda: defaultdict(deque))
    change: Callable[[str, dict[str, Any]], None] = lambda _url, _page: None
    log: list[str] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    answers: list[int] = field(default_factory=list)
    delay: float = 0
    etags: bool = False
    in_flight: int = 0
    max_in_flight: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def body(self, target: str) -> bytes | None:
        """The body of the right answer; None if there is none."""
        path, query = urlsplit(target).path, parse_qs(urlsplit(target).query)
        if path in self.pages:
            value = self.pages[path]
            return value if isinstance(value, bytes) else dump(value)
        if path not in self.lists:
            return None
        objects = self.lists[path]
        if not path.endswith("/"):
            rows = [{"index": o["index"], "name": o["index"], "url": f"{path}/{o['index']}"} for o in objects]
            return dump({"count": len(rows), "results": rows})
        page, limit = int(query["page"][0]), int(query["limit"][0])
        more = page * limit < len(objects)
        following = f"http://elsewhere.example{path}?limit={limit}&page={page + 1}" if more else None
        envelope = {"count": len(objects), "next": following, "results": objects[(page - 1) * limit : page * limit]}
        self.change(target, envelope)
        return dump(envelope)

    def asked(self, part: str) -> int:
        """The number of requests with that in their URL."""
        return sum(part in target for target in self.log)


def dump(value: object) -> bytes:
    """A value as the APIs write it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    origin: Origin

    def do_GET(self) -> None:
        origin = self.origin
        with origin.lock:
            origin.log.append(self.path)
            origin.headers = dict(self.headers)
            origin.in_flight += 1
            origin.max_in_flight = max(origin.max_in_flight, origin.in_flight)
        time.sleep(origin.delay)
        with origin.lock:
            origin.in_flight -= 1
            queue = origin.faults[self.path] or origin.faults[urlsplit(self.path).path]
            answer = queue.popleft() if queue else self._right_answer()
        answer(self)

    def _right_answer(self) -> Answer:
        body = self.origin.body(self.path)
        if body is None:
            return send("Not Found", 404)
        if not self.origin.etags:
            return send(body)
        etag = f'"{hashlib.sha256(body).hexdigest()}"'
        if self.headers.get("If-None-Match") == etag:
            return send(b"", 304, ETag=etag)
        return send(body, ETag=etag)

    def send_response(self, code: int, message: str | None = None) -> None:
        self.origin.answers.append(code)
        super().send_response(code, message)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """Say nothing: clients that leave are part of the trial."""


def gone(handler: _Handler) -> None:
    """Reset the connection without an answer, and accept no more connections."""
    handler.server.shutdown()
    handler.server.server_close()
    reset(handler)


def serve(origin: Origin, port: int = 0) -> ThreadingHTTPServer:
    """Start serving on that port, or on a free one."""
    server = _Server(("127.0.0.1", port), type("Handler", (_Handler,), {"origin": origin}))
    origin.url = f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    return server
