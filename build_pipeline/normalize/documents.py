"""Documents: which book an object stands in, and the rows of the `documents` table."""

from __future__ import annotations

from typing import Final

from build_pipeline.snapshot.raw import JsonObject

V1_DOCUMENTS: Final[dict[str, str]] = {
    "o5e": "open5e",
    "wotc-srd": "srd-2014",
    "tob": "tob",
    "cc": "ccdx",
    "tob2": "tob2",
    "dmag": "deepm",
    "menagerie": "a5e-mm",
    "tob3": "tob3",
    "a5e": "a5e",
    "kp": "kp",
    "dmag-e": "deepmx",
    "warlock": "wz",
    "vom": "vom",
    "toh": "toh",
    "taldorei": "tdcs",
    "blackflag": "bfrd",
    "tob-2023": "tob-2023",
}
"""v1 slug → the v2 document of the same book. v1's own `v2_related_key` is wrong for the SRD."""

V1_ALSO: Final[dict[str, tuple[str, ...]]] = {"a5e": ("a5e-ag", "a5e-ddg", "a5e-gpg")}
"""v1 documents that v2 splits into several books; an object joins the one that has it, else it keeps its own."""

DND5E_DOCUMENTS: Final[dict[str, str]] = {"2014": "srd-2014", "2024": "srd-2024"}
"""Year in a D&D 5e API endpoint's name → document."""

CORE: Final = "core"
"""v2's document of concepts that every rules edition shares."""


def v1_document(slug: str) -> tuple[str, tuple[str, ...]]:
    """(document key, other documents it may already stand in) of a v1 object's `document__slug`."""
    return V1_DOCUMENTS.get(slug, slug), V1_ALSO.get(slug, ())


def v2_document(obj: JsonObject) -> str:
    """Document key of a v2 object, whose `document` is an object or the bare key."""
    document = obj["document"]
    return str(document["key"] if isinstance(document, dict) else document)


def dnd5e_document(endpoint: str) -> str:
    """Document key of a D&D 5e API object, from its endpoint's name (`2014/spells`)."""
    return DND5E_DOCUMENTS[endpoint.partition("/")[0]]
