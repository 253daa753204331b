"""Writes docs/data.md: `make docs`. With the folders of a dataset and of the starter's, measures them first."""

import json
import sys
from pathlib import Path

from build_pipeline.release.data_page import data_page, measure, read_measured

DOCS = Path(__file__).parent
MEASURED = DOCS / "data_measured.json"


def main(*folders: str) -> None:
    """Write the page; `folders` are a dataset and one whose texts may be shown, or none."""
    if folders:
        dataset, examples = map(Path, folders)
        found = json.dumps(measure(dataset, examples), ensure_ascii=False, indent=1)
        MEASURED.write_text(found + "\n", encoding="utf-8", newline="\n")
    (DOCS / "data.md").write_text(data_page(read_measured(MEASURED)), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
