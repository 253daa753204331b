"""The floor: a model that understands nothing and passes every question to `search_all`; also a protocol example.

python -m benchmarks.assistant run RUN --dataset out/demo --model-command "python -m benchmarks.assistant.baseline"
"""

from __future__ import annotations

import json
import sys


def main() -> None:
    """Read the opening, make one call, and answer with the name of the first result."""
    opening = json.loads(sys.stdin.readline())
    _say({"call": {"tool": "search_all", "arguments": {"query": opening["question"]}}})
    if line := sys.stdin.readline():
        results = json.loads(json.loads(line)["result"])["results"]
        _say({"answer": results[0]["name"] if results else "nothing"})


def _say(reply: object) -> None:
    print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
