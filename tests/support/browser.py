"""A headless Chromium, controlled over its DevTools protocol; tests that need one skip without it.

`LOREKEEPER_CHROMIUM` names the program, otherwise PATH is searched. axe-core, which checks the accessibility of
pages, is read from `LOREKEEPER_NODE_MODULES`.
"""

from __future__ import annotations

import base64
import itertools
import json
import os
import shutil
import subprocess
import time
import urllib.request
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from websockets.sync.client import connect

if TYPE_CHECKING:
    from types import TracebackType

PROGRAMS: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_PATIENCE: Final = 60.0
"""Seconds that the browser may take for anything, on a busy machine too."""
_EVENTS: Final = {
    "Runtime.exceptionThrown": lambda event: event["exceptionDetails"].get("exception", {}).get("description", "?"),
    "Log.entryAdded": lambda event: event["entry"]["text"] if event["entry"]["level"] == "error" else None,
}
"""DevTools event → the complaint in it, such as an exception or a violation of the page's policy."""


class PageError(Exception):
    """A command was refused, or a script on the page failed."""


def chromium() -> str | None:
    """The browser's program, or None."""
    named = os.environ.get("LOREKEEPER_CHROMIUM")
    return named or next((found for name in PROGRAMS if (found := shutil.which(name))), None)


def axe_source() -> str | None:
    """The script of axe-core, or None if it is not installed."""
    modules = os.environ.get("LOREKEEPER_NODE_MODULES")
    script = Path(modules or "/nonexistent") / "axe-core" / "axe.min.js"
    return script.read_text(encoding="utf-8") if script.is_file() else None


class Page:
    """An open page.

    Attributes:
        requested: every address that was asked for.
        complaints: exceptions and errors on the console, among them what the page's own policy forbade.
    """

    def __init__(self, address: str) -> None:
        self.requested: list[str] = []
        self.complaints: list[str] = []
        self._numbers = itertools.count(1)
        self._stack = ExitStack()
        self._socket = self._stack.enter_context(connect(address, max_size=None, open_timeout=_PATIENCE))
        self._loaded = False
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def go(self, url: str, *, width: int = 1280, height: int = 900, dark: bool = False) -> None:
        """Load an address in a window of CSS pixels; below 700 wide it is a phone."""
        phone = width < 700
        metrics = {"width": width, "height": height, "deviceScaleFactor": 2 if phone else 1, "mobile": phone}
        self.send("Emulation.setDeviceMetricsOverride", **metrics)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])
        self._loaded = False
        self.send("Page.navigate", url=url)
        while not self._loaded:
            self._receive()

    def run(self, script: str) -> Any:
        """The value of an expression on the page, which may be a promise, converted from JSON."""
        reply = self.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in reply:
            raise PageError(reply["exceptionDetails"].get("exception", {}).get("description", script))
        return reply["result"].get("value")

    def press(self, key: str, code: int = 0) -> None:
        """Press a key: `Tab` (9), `Enter` (13), `Escape` (27), or a character."""
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            extra = text if kind == "keyDown" else {}
            self.send("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **extra)

    def screenshot(self, file: Path, *, whole: bool = False) -> None:
        """Write a screenshot as PNG: of the window, or of the `whole` page."""
        shot = self.send("Page.captureScreenshot", captureBeyondViewport=whole, **self._clip(whole=whole))
        file.write_bytes(base64.b64decode(shot["data"]))

    def sideways(self) -> int:
        """The CSS pixels by which the page is wider than its window."""
        return int(self.run("document.documentElement.scrollWidth - document.documentElement.clientWidth"))

    def accessibility_problems(self, axe: str) -> list[str]:
        """What axe-core, given as a script, finds against WCAG 2.2 A and AA and its own best practices."""
        # Bypasses the page's policy, which allows only its own scripts.
        tree = self.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
        world = self.send("Page.createIsolatedWorld", frameId=tree, worldName="axe")["executionContextId"]
        self.send("Runtime.evaluate", contextId=world, expression=axe)
        tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
        ask = f"axe.run(document, {{runOnly: {json.dumps(tags)}}}).then(found => found.violations)"
        reply = self.send("Runtime.evaluate", contextId=world, expression=ask, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in reply:
            raise PageError(str(reply["exceptionDetails"]))
        return [
            f"{problem['id']}: {problem['help']}: {node['target']} {node['html'][:200]}"
            for problem in reply["result"]["value"]
            for node in problem["nodes"]
        ]

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a DevTools command and return its result."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while (reply := self._receive()).get("id") != number:
            pass
        if "error" in reply:
            msg = f"{method}: {reply['error']['message']}"
            raise PageError(msg)
        result: dict[str, Any] = reply["result"]
        return result

    def close(self) -> None:
        self.send("Page.close")
        self._stack.close()

    def _receive(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self._socket.recv(timeout=_PATIENCE))
        method, event = message.get("method"), message.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requested.append(event["request"]["url"])
        elif method == "Page.loadEventFired":
            self._loaded = True
        elif method in _EVENTS and (complaint := _EVENTS[method](event)):
            self.complaints.append(complaint)
        return message

    def _clip(self, *, whole: bool) -> dict[str, Any]:
        if not whole:
            return {}
        size = self.send("Page.getLayoutMetrics")["cssContentSize"]
        return {"clip": {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}}


class Browser:
    """A running Chromium, a context manager that ends it."""

    def __init__(self, program: str, folder: Path) -> None:
        self._folder = folder
        arguments = ["--headless", "--remote-debugging-port=0", f"--user-data-dir={folder}", "--disable-gpu"]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")  # Chromium refuses to start as root with it
        self._process = subprocess.Popen(
            [program, *arguments, "about:blank"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.wait(timeout=_PATIENCE)

    def page(self) -> Page:
        """A new, empty page."""
        request = urllib.request.Request(f"http://127.0.0.1:{self._port()}/json/new?about:blank", method="PUT")
        with urllib.request.urlopen(request, timeout=_PATIENCE) as reply:  # noqa: S310 - loopback
            return Page(json.load(reply)["webSocketDebuggerUrl"])

    def _port(self) -> int:
        """The port on which the browser listens."""
        told = self._folder / "DevToolsActivePort"
        until = time.monotonic() + _PATIENCE
        while not (told.is_file() and (lines := told.read_text(encoding="utf-8").splitlines())):
            if self._process.poll() is not None or time.monotonic() > until:
                msg = f"Chromium did not start (exit status {self._process.poll()})"
                raise PageError(msg)
            time.sleep(0.05)
        return int(lines[0])
