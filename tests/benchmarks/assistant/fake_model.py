"""A scripted model for the line protocol: `fake_model.py SCRIPT`, a JSON object of question → replies in order.

It writes an invalid line for a null in the script, and ends when it has no more replies.
"""

import json
import sys
from pathlib import Path

script = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
opening = json.loads(sys.stdin.readline())
assert {tool["name"] for tool in opening["tools"]} >= {"query", "lookup_spell"}
assert "list_documents" in opening["instructions"]
for reply in script.get(opening["question"], []):
    sys.stdout.write(("I would rather talk." if reply is None else json.dumps(reply)) + "\n")
    sys.stdout.flush()
    message = sys.stdin.readline()
    if not message:
        break
    assert set(json.loads(message)) == {"result", "is_error"}
