"""Documents: which book an object stands in, and what is known about each book."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Final

from build_pipeline.normalize.text.clean import clean_text, known
from build_pipeline.snapshot.raw import JsonObject, RawLayer
from server.dataset.names import slugify

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

DND5E_VERSIONS: Final[dict[str, str]] = {"2014": "5.1", "2024": "5.2"}
"""Year in a D&D 5e API endpoint's name → version of the System Reference Document."""

CC_BY: Final = "Creative Commons Attribution 4.0"

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


USUAL_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "srd-2014": ("srd", "srd-5e", "5esrd", "wotc-srd", "srd-5.1", "srd5.1"),
    "srd-2024": ("srd-5.2", "srd5.2"),
}
"""What people call a document, besides its key, its names and its v1 slug."""

V1_GAME_SYSTEMS: Final[dict[str, str]] = {"a5e": "a5e"}
"""Game systems of the documents that only v1 has; v1 itself is a service of the 2014 rules."""


_LICENSE_NAMES: Final = {
    "open-game-license-version-1-0a": "Open Game License 1.0a",
    "open-gaming-license": "Open Game License 1.0a",
    "creative-commons-attribution-4-0-international-license": CC_BY,
}
"""Slug of a licence's name as an API writes it → its usual name."""

_OGL: Final = ("open-game-license-version-1-0a", "open-gaming-license")

_INCLUDED: Final = re.compile(r"Includes \S+ from .+? by .+?, which is licensed .+?\.(?=\s|$)")
"""A sentence in which v2 credits the work that a document is made of."""

TEXTS_OF: Final = {CORE: "srd-2014"}
"""A document that has no credit of its own → the book that its texts are from."""

_UNKNOWN: Final = {"?", "not sure."}
"""What v2's editors wrote where they did not know."""


@dataclass(frozen=True, slots=True)
class DocumentMeta:
    """What is known about a document.

    Attributes:
        key: key of the document.
        name: its name as published; two documents may share one, so only the key identifies.
        publisher: the publisher's name.
        license: names of the licences, joined with commas.
        game_system: rules edition (`5e-2014`, `5e-2024`, `a5e`).
        permalink: where it is published.
        author: author(s).
        description: what it is, in Markdown.
        publication_date: ISO date.
        attribution: the line of credit that the licence asks for.
        copyright: the notice that the Open Game License asks for in its section 15.
        aliases: other keys and names that it answers to; after `describe_documents` each stands for one document.
    """

    key: str
    name: str
    publisher: str | None = None
    license: str | None = None
    game_system: str | None = None
    permalink: str | None = None
    author: str | None = None
    description: str | None = None
    publication_date: str | None = None
    attribution: str | None = None
    copyright: str | None = None
    aliases: tuple[str, ...] = ()


DocumentReader = Callable[[RawLayer, Mapping[str, DocumentMeta]], Mapping[str, DocumentMeta]]
"""(Raw layer, documents described so far) → documents by key, their aliases still claims."""


def describe_documents(raw: RawLayer, readers: Iterable[DocumentReader]) -> dict[str, DocumentMeta]:
    """Every document by its key, described by the first reader that has it and completed by the others."""
    found: dict[str, DocumentMeta] = {}
    for read in readers:
        for key, meta in read(raw, found).items():
            found[key] = _completed(found[key], meta) if key in found else meta
    aliases = _aliases(found)
    for key, book in TEXTS_OF.items():
        if key in found and book in found:
            found[key] = replace(found[key], attribution=found[key].attribution or found[book].attribution)
    return {key: replace(meta, aliases=aliases[key], attribution=_credit(meta)) for key, meta in found.items()}


def v2_documents(raw: RawLayer, _known: Mapping[str, DocumentMeta]) -> dict[str, DocumentMeta]:
    """The documents of Open5e v2."""
    return {key: _from_v2(key, obj.data) for key, obj in raw["open5e_v2", "documents"].items()}


def v1_documents(raw: RawLayer, known: Mapping[str, DocumentMeta]) -> dict[str, DocumentMeta]:
    """The documents of Open5e v1, under the keys of their books; one that is several books lends those its credit."""
    described = {}
    for slug, obj in raw["open5e_v1", "documents"].items():
        key, books = v1_document(slug)
        meta = described[key] = _from_v1(key, obj.data)
        for book in books:
            if book in known:
                described[book] = DocumentMeta(book, known[book].name, attribution=meta.attribution)
    return described


def dnd5e_documents(raw: RawLayer, known: Mapping[str, DocumentMeta]) -> dict[str, DocumentMeta]:
    """The documents that D&D 5e API objects stand in and nobody else describes: that API has no list of documents."""
    years = sorted({obj.endpoint.partition("/")[0] for obj in raw if obj.source == "dnd5e_api"})
    return {
        key: DocumentMeta(
            key, f"System Reference Document {DND5E_VERSIONS[year]}", "Wizards of the Coast", CC_BY, f"5e-{year}"
        )
        for year in years
        if (key := DND5E_DOCUMENTS[year]) not in known
    }


def license_texts(raw: RawLayer) -> dict[str, str]:
    """Licence name, as documents have it → its text, of the licences that a source gives in full."""
    licenses = (obj.data for obj in raw["open5e_v2", "licenses"].values())
    return {_license_name(obj["name"]): text for obj in licenses if (text := clean_text(obj["desc"]))}


def _from_v2(key: str, obj: JsonObject) -> DocumentMeta:
    licenses = dict.fromkeys(_license_name(entry["name"]) for entry in obj["licenses"])
    return DocumentMeta(
        key=key,
        name=_fact(obj["name"]) or key,
        publisher=_fact(obj["publisher"]["name"]),
        license=", ".join(licenses) or None,
        game_system=_fact(obj["gamesystem"]["key"]),
        permalink=_fact(obj["permalink"]),
        author=_fact(obj["author"]),
        description=clean_text(_fact(obj["desc"])),
        publication_date=obj["publication_date"][:10] or None,
        attribution=" ".join(_INCLUDED.findall(obj["desc"] or "")) or None,
        aliases=(obj["display_name"], obj["name"]),
    )


def _from_v1(key: str, obj: JsonObject) -> DocumentMeta:
    return DocumentMeta(
        key=key,
        name=_fact(obj["title"]) or key,
        publisher=_fact(obj["organization"].removesuffix("™")),
        license=_license_name(obj["license"]) or None,
        game_system=V1_GAME_SYSTEMS.get(key, "5e-2014"),
        permalink=_fact(obj["url"]),
        author=_fact(obj["author"]),
        description=clean_text(_fact(obj["desc"])),
        attribution=clean_text(obj["copyright"]),
        copyright=clean_text(obj["copyright"]) if slugify(obj["license"]) in _OGL else None,
        aliases=(obj["slug"], obj["title"]),
    )


def _completed(meta: DocumentMeta, other: DocumentMeta) -> DocumentMeta:
    """A document with what another source knows: the licences of both, what the first does not say."""
    unsaid = {f.name: getattr(other, f.name) for f in fields(meta) if getattr(meta, f.name) is None}
    licenses = dict.fromkeys(name for names in (meta.license, other.license) if names for name in names.split(", "))
    return replace(
        meta, **unsaid | {"license": ", ".join(licenses) or None, "aliases": (*other.aliases, *meta.aliases)}
    )


def _credit(meta: DocumentMeta) -> str | None:
    """The line of credit; one made of what is known where no source has one."""
    if meta.attribution or not (meta.publisher and meta.license):
        return meta.attribution
    return f"{meta.name} by {meta.publisher}. {meta.license}."


def _license_name(name: str) -> str:
    return _LICENSE_NAMES.get(slugify(name), name)


def _fact(value: str | None) -> str | None:
    fact: str | None = known(value)
    return None if fact is None or fact.casefold() in _UNKNOWN else fact


def _aliases(documents: Mapping[str, DocumentMeta]) -> dict[str, tuple[str, ...]]:
    """Aliases by document key; none where it would be ambiguous.

    A label is left out where it has no letters, is a document's key or name already, or is claimed by two.
    """
    claims = {}
    for key, meta in documents.items():
        labels = (*USUAL_NAMES.get(key, ()), *meta.aliases)
        claims[key] = list({slug: label for label in reversed(labels) if (slug := slugify(label))}.values())[::-1]
    taken = {slugify(label) for meta in documents.values() for label in (meta.key, meta.name)}
    claimed = Counter(slugify(label) for labels in claims.values() for label in labels)
    return {
        key: tuple(label for label in labels if slugify(label) not in taken and claimed[slugify(label)] == 1)
        for key, labels in claims.items()
    }
