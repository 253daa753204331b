"""The floor: an empty FastMCP server, and one whose only tool answers what ours answered before.

python -m benchmarks.speed.floor [ANSWERS [PORT]]     # a JSON list of objects; on stdio without a port
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from fastmcp import FastMCP

server = FastMCP("floor")
if len(sys.argv) > 1:
    ANSWERS: list[dict[str, Any]] = json.loads(Path(sys.argv[1]).read_bytes())

    @server.tool
    def answer(number: int) -> dict[str, Any]:
        """One of the answers."""
        return ANSWERS[number]


if len(sys.argv) > 2:  # noqa: PLR2004 - with a port
    server.run(
        "http",
        show_banner=False,
        port=int(sys.argv[2]),
        stateless_http=True,
        json_response=True,
        uvicorn_config={"log_level": "error"},
    )
else:
    server.run("stdio", show_banner=False)
