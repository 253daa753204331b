"""`lorekeeper documents`: the books of the dataset."""

from __future__ import annotations

import os
from typing import Annotated

from cyclopts import Parameter

from server.commands.options import DatasetOption, Json
from server.dataset.terminal import Terminal, write_json
from server.settings import DOCUMENTS_VARIABLE, open_library
from server.tools.documents import LIST


def documents(
    *,
    source: Annotated[str | None, Parameter(help="Only what comes from this source, e.g. orcbrew.")] = None,
    json: Json = False,
    dataset: DatasetOption = None,
) -> int:
    """List the books: the key that --documents takes, title, source, edition, number of entries and licence."""
    library = open_library(dataset, os.environ.get(DOCUMENTS_VARIABLE))
    try:
        answer = LIST.call(library, {"source": source, "format": "json" if json else "text"})
    finally:
        library.close()
    if json:
        write_json(answer, indent=2)
    else:
        Terminal().print(answer["text"], soft_wrap=True, highlight=False, markup=False)
    return 0
