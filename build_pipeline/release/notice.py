"""`NOTICE.md`: the credit for each document, and the full texts of the licences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from build_pipeline.release.allowed import AllowList, license_names
from build_pipeline.release.templates import render
from build_pipeline.tables import Record

_CREATIVE_COMMONS: Final = "Creative Commons"

OPEN_GAME_LICENSE: Final = "Open Game License 1.0a"
"""Its section 15 requires the copyright notices of everything distributed under it."""


@dataclass(frozen=True, slots=True)
class LicenceText:
    """A licence in the notice: `documents` are the names of those under it, `text` is None if no source has it."""

    name: str
    url: str | None
    text: str | None
    documents: list[str]


def notice(documents: Iterable[Record], allowed: AllowList, texts: Mapping[str, str]) -> str:
    """The notice of a dataset.

    Args:
        documents: rows of the `documents` table, one per document.
        allowed: declares lines of credit that replace the sources', and the licences' addresses.
        texts: licence name → its text in the sources.
    """
    rows = [{**row, "attribution": allowed.attribution(row), "licenses": license_names(row)} for row in documents]
    names = sorted({name for row in rows for name in row["licenses"]})
    licenses = [
        LicenceText(
            name,
            allowed.url(name),
            texts.get(name),
            [row["document_name"] for row in rows if name in row["licenses"]],
        )
        for name in names
    ]
    section_15 = [_copyright(row) for row in rows if OPEN_GAME_LICENSE in row["licenses"]]
    return render(
        "NOTICE.md.j2",
        documents=rows,
        licenses=licenses,
        section_15=list(dict.fromkeys(filter(None, section_15))),
        open_game_license=OPEN_GAME_LICENSE,
        creative_commons=allowed.licenses["cc-by-40"],
    )


def _copyright(row: Record) -> str | None:
    """A document's notice for section 15; a credit that another licence prescribes does not count."""
    credit: str | None = row["attribution"]
    own_notice: str | None = row.get("copyright")
    return own_notice or (None if credit is not None and _CREATIVE_COMMONS in credit else credit)
