"""Options shared by several commands."""

from pathlib import Path
from typing import Annotated, Final

from cyclopts import Parameter
from cyclopts.completion import CompletionContext

from server.settings import DEFAULT_TOOLSETS, DOCUMENTS_VARIABLE, PREFER_VARIABLE, TOOLSETS, TOOLSETS_VARIABLE
from server.store.locate import DATASET_VARIABLE
from server.store.publisher import LISTING_VARIABLE

_TOOLSETS: Final = ", ".join(
    name if tools == (name,) else f"{name} ({', '.join(tools)})" for name, tools in TOOLSETS.items()
).replace("*", r"\*")  # help is Markdown


def _documents(context: CompletionContext) -> list[str]:
    from server.commands.completion import document_key  # noqa: PLC0415 - it reads tables, and `serve` starts without it

    return document_key(context)


DatasetOption = Annotated[
    Path | None,
    Parameter(help=f"Folder of the dataset. Default: {DATASET_VARIABLE}, the pulled one in use, an installed package."),
]
DocumentsOption = Annotated[
    str | None,
    Parameter(
        env_var=DOCUMENTS_VARIABLE,
        help="Serve only these documents: keys, aliases, names or game systems, comma-separated.",
        completer=_documents,
    ),
]
PreferOption = Annotated[
    str | None,
    Parameter(
        env_var=PREFER_VARIABLE,
        help="Documents or game systems to rank first among equals, comma-separated, before the SRDs, newest first.",
        completer=_documents,
    ),
]
ListingOption = Annotated[str | None, Parameter(name="--url", env_var=LISTING_VARIABLE, help="URL of the listing.")]
Json = Annotated[bool, Parameter(negative="", help="Print JSON.")]
ToolsetsOption = Annotated[
    str | None,
    Parameter(
        env_var=TOOLSETS_VARIABLE,
        help=f"Tool sets to offer: {_TOOLSETS}. Default: {','.join(DEFAULT_TOOLSETS)}.",
    ),
]
