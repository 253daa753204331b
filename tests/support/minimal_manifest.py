"""The shortest valid manifest."""

from typing import Any

MINIMAL: dict[str, Any] = {
    "schema_version": 1,
    "dataset_version": "2026.11.20",
    "content_hash": "0" * 64,
    "built_at": "2026-11-20T00:00:00Z",
    "snapshot_at": "2026-11-20T00:00:00Z",
    "builder": {},
    "sources": [],
    "encoder": {
        "model": "tiny",
        "revision": "1",
        "weights_sha256": "0" * 64,
        "dimensions": 1,
        "max_tokens": 1,
        "pooling": "mean",
        "precision": "fp32",
    },
    "counts": {},
    "coverage": {},
    "problems": [],
    "files": {},
}
