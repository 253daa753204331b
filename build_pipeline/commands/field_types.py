"""`lorekeeper-build field-types`: regenerates the table of API field types from a snapshot."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from cyclopts import App

from build_pipeline.snapshot.raw import read_raw_layer
from build_pipeline.snapshot.web.field_types import TABLE, write_table
from build_pipeline.sources import ENDPOINTS
from server.dataset.terminal import write

app: Final = App(name="field-types")


@app.default
def field_types(snapshot: Path) -> int:
    """Regenerate the table of field types, after an API change that the normalisers support.

    Parameters
    ----------
    snapshot
        Folder written by `lorekeeper-build snapshot`.
    """
    write_table(read_raw_layer(snapshot), (endpoint for endpoint in ENDPOINTS if endpoint.path))
    write(f"{TABLE}\n")
    return 0
