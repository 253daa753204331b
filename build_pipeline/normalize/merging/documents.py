"""Documents: the book each object belongs to, and the metadata of each book."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Final

from build_pipeline.normalize.text.clean import clean_text, known
from build_pipeline.normalize.text.quotation_marks import straight
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
"""v1 documents that v2 splits into several books; an object joins the book that has it, else stays in its own."""

DND5E_DOCUMENTS: Final[dict[str, str]] = {"2014": "srd-2014", "2024": "srd-2024"}
"""Year in a D&D 5e API endpoint's name → document key."""

DND5E_VERSIONS: Final[dict[str, str]] = {"2014": "5.1", "2024": "5.2"}
"""Year in a D&D 5e API endpoint's name → version of the System Reference Document."""

CC_BY: Final = "Creative Commons Attribution 4.0"

CORE: Final = "core"
"""v2's document for concepts shared by every rules edition."""


def v1_document(slug: str) -> tuple[str, tuple[str, ...]]:
    """(document key, other documents that may already have the object) for a v1 object's `document__slug`."""
    return V1_DOCUMENTS.get(slug, slug), V1_ALSO.get(slug, ())


def v2_document(obj: JsonObject) -> str:
    """Document key of a v2 object, whose `document` is an object or the bare key."""
    document = obj["document"]
    return str(document["key"] if isinstance(document, dict) else document)


def v2_keys(key: str) -> tuple[str, str]:
    """A v2 object's key, and the same without its document.

    >>> v2_keys("srd-2024_acid-arrow")
    ('srd-2024_acid-arrow', 'acid-arrow')
    """
    return key, key.partition("_")[2]


def dnd5e_document(endpoint: str) -> str:
    """Document key of a D&D 5e API object, from its endpoint's name (`2014/spells`)."""
    return DND5E_DOCUMENTS[endpoint.partition("/")[0]]


USUAL_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "srd-2014": ("srd", "srd-5e", "5esrd", "wotc-srd", "srd-5.1", "srd5.1"),
    "srd-2024": ("srd-5.2", "srd5.2"),
}
"""Common names of a document, besides its key, published names and v1 slug."""

V1_GAME_SYSTEMS: Final[dict[str, str]] = {"a5e": "a5e"}
"""Game systems of documents found only in v1; v1's default is the 2014 rules."""


_LICENSE_NAMES: Final = {
    "open-game-license-version-1-0a": "Open Game License 1.0a",
    "open-gaming-license": "Open Game License 1.0a",
    "creative-commons-attribution-4-0-international-license": CC_BY,
}
"""Slug of a licence's name in an API → its usual name."""

_OGL: Final = ("open-game-license-version-1-0a", "open-gaming-license")

_INCLUDED: Final = re.compile(r"Includes \S+ from .+? by .+?, which is licensed .+?\.(?=\s|$)")
"""A sentence in which v2 credits the work a document is derived from."""

TEXTS_OF: Final = {CORE: "srd-2014"}
"""Document without an attribution of its own → the book its texts come from."""

_UNKNOWN: Final = {"?", "not sure."}
"""v2's placeholders for unknown values."""


@dataclass(frozen=True, slots=True)
class DocumentMeta:
    """A document's metadata.

    Attributes:
        key: key of the document.
        name: its published name; not unique, unlike the key.
        publisher: the publisher's name.
        license: names of the licences, comma-separated.
        game_system: rules edition (`5e-2014`, `5e-2024`, `a5e`).
        permalink: URL where it is published.
        author: author(s).
        description: in Markdown.
        publication_date: ISO date.
        attribution: the credit line required by the licence.
        copyright: the notice required by section 15 of the Open Game License.
        aliases: other keys and names for it; unique after `describe_documents`.
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
"""(Raw layer, documents described so far) → documents by key; their aliases need not be unique yet."""


def describe_documents(raw: RawLayer, readers: Iterable[DocumentReader]) -> dict[str, DocumentMeta]:
    """Every document by key, described by the first reader that has it and completed by the others."""
    found: dict[str, DocumentMeta] = {}
    for read in readers:
        for key, meta in read(raw, found).items():
            found[key] = _completed(found[key], meta) if key in found else meta
    found = {key: _with_straight_marks(meta) for key, meta in found.items()}
    aliases = _aliases(found)
    for key, book in TEXTS_OF.items():
        if key in found and book in found:
            found[key] = replace(found[key], attribution=found[key].attribution or found[book].attribution)
    return {key: replace(meta, aliases=aliases[key], attribution=_credit(meta)) for key, meta in found.items()}


def v2_documents(raw: RawLayer, _known: Mapping[str, DocumentMeta]) -> dict[str, DocumentMeta]:
    """The documents of Open5e v2."""
    return {key: _from_v2(key, obj.data) for key, obj in raw["open5e_v2", "documents"].items()}


def v1_documents(raw: RawLayer, known: Mapping[str, DocumentMeta]) -> dict[str, DocumentMeta]:
    """The documents of Open5e v1 under their books' keys; one that v2 splits passes its attribution to each book."""
    described = {}
    for slug, obj in raw["open5e_v1", "documents"].items():
        key, books = v1_document(slug)
        meta = described[key] = _from_v1(key, obj.data)
        for book in books:
            if book in known:
                described[book] = DocumentMeta(book, known[book].name, attribution=meta.attribution)
    return described


def dnd5e_documents(raw: RawLayer, known: Mapping[str, DocumentMeta]) -> dict[str, DocumentMeta]:
    """Documents of D&D 5e API objects that no other source describes: that API has no list of documents."""
    years = sorted({obj.endpoint.partition("/")[0] for obj in raw if obj.source == "dnd5e_api"})
    return {
        key: DocumentMeta(
            key, f"System Reference Document {DND5E_VERSIONS[year]}", "Wizards of the Coast", CC_BY, f"5e-{year}"
        )
        for year in years
        if (key := DND5E_DOCUMENTS[year]) not in known
    }


def license_texts(raw: RawLayer) -> dict[str, str]:
    """Licence name, as used by documents → its full text, where a source provides it."""
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
    """A document completed from another source: the licences of both, missing fields filled."""
    missing = {f.name: getattr(other, f.name) for f in fields(meta) if getattr(meta, f.name) is None}
    licenses = dict.fromkeys(name for names in (meta.license, other.license) if names for name in names.split(", "))
    return replace(
        meta, **missing | {"license": ", ".join(licenses) or None, "aliases": (*other.aliases, *meta.aliases)}
    )


def _with_straight_marks(meta: DocumentMeta) -> DocumentMeta:
    """The document with the quotation marks that all texts have; credits and notices stay as their licences say."""
    aliases = tuple(straight([*meta.aliases]))
    return replace(meta, name=straight(meta.name), description=straight(meta.description), aliases=aliases)


def _credit(meta: DocumentMeta) -> str | None:
    """The credit line; composed from the metadata if no source has one."""
    if meta.attribution or not (meta.publisher and meta.license):
        return meta.attribution
    return f"{meta.name} by {meta.publisher}. {meta.license}."


def _license_name(name: str) -> str:
    return _LICENSE_NAMES.get(slugify(name), name)


def _fact(value: str | None) -> str | None:
    fact: str | None = known(value)
    return None if fact is None or fact.casefold() in _UNKNOWN else fact


def _aliases(documents: Mapping[str, DocumentMeta]) -> dict[str, tuple[str, ...]]:
    """Unambiguous aliases by document key.

    Excludes labels without letters, labels that are a document's key or name, and labels claimed by two documents.
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
