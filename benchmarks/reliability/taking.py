"""Takes a snapshot of a server in the form of the APIs, in a separate process that can be killed.

python -m benchmarks.reliability.taking URL SOURCE OUT CACHE

The clock is stopped, so that two snapshots of the same objects have the same bytes.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Final
from unittest.mock import patch

from benchmarks.reliability.apis import api_objects, manners, origins, served
from build_pipeline.snapshot.crawl import SnapshotRequest, snapshot

NOW: Final = 1_790_000_000.0


def main() -> None:
    """Take the snapshot."""
    url, source, out, cache = sys.argv[1:]
    with patch.object(time, "time", lambda: NOW):
        snapshot(SnapshotRequest(Path(out), origins(url, *served(api_objects(Path(source))))), Path(cache), manners())


if __name__ == "__main__":
    main()
