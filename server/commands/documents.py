"""`lorekeeper documents`: the books of the dataset."""

from __future__ import annotations

import json as json_module
import os
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console

from server.commands.options import DatasetOption, Json
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
        print(json_module.dumps(answer, indent=2, ensure_ascii=False))  # noqa: T201 - the output itself
    else:
        Console().print(answer["text"], soft_wrap=True, highlight=False, markup=False)
    return 0
