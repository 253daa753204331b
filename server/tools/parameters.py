"""A tool's parameters: name, JSON schema, description for the model, and parser.

Filters are declared in the library; this module adds the parameters common to all tools.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from server.library.requests.filter_types import Comparison, Filter, ValueKind
from server.tools import values

if TYPE_CHECKING:
    from collections.abc import Callable

Schema = dict[str, Any]

MAX_LIMIT: Final = 100
MAX_NAMES: Final = 20


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of one tool.

    Attributes:
        name: as used by callers.
        doc: its description, with an example; empty if `closed` provides it.
        schema: its JSON schema without description and default.
        read: (name, value) → the value for the library; raises RequestError.
        target: the field of `Request` it fills; None for a filter.
        required: published as required; a call without it is refused, unless it is a kind.
        default: the value used if it is absent or null; published unless None, 0 or the first choice.
        sets: the filter it sets.
    """

    name: str
    doc: str
    schema: Schema
    read: Callable[[str, object], object]
    target: str | None = None
    required: bool = False
    default: object = None
    sets: Filter | None = None

    @property
    def closed(self) -> Filter | None:
        """The filter it sets, if that accepts only the dataset's values, which then form the description."""
        return self.sets if self.sets and self.sets.kind is ValueKind.CLOSED else None

    @property
    def is_kind(self) -> bool:
        """Whether it selects the kind of entity; a call without it covers all kinds."""
        return self.target == "kind"

    def published(self, game_values: tuple[str, ...]) -> Schema:
        """The parameter's JSON schema; without a `doc` of its own it is described by `game_values`."""
        first = self.schema.get("enum", (0,))[0]
        default = {} if self.default in (None, first) else {"default": self.default}
        return self.schema | default | {"description": self.doc or ", ".join(game_values)}


_JSON_TYPES: Final[dict[ValueKind, str | list[str]]] = {
    ValueKind.INTEGER: "integer",
    ValueKind.NUMBER: "number",
    ValueKind.BOOLEAN: "boolean",
    ValueKind.CHALLENGE: ["number", "string"],
    ValueKind.CLOSED: "string",
    ValueKind.TEXT: "string",
    ValueKind.ATTUNEMENT: ["boolean", "string"],
}


def _reader(declared: Filter) -> Callable[[str, object], object]:
    match declared.kind:
        case ValueKind.INTEGER:
            return partial(values.integer, minimum=declared.minimum, maximum=declared.maximum)
        case ValueKind.NUMBER:
            return partial(values.number, minimum=declared.minimum, maximum=declared.maximum)
        case ValueKind.CHALLENGE:
            return partial(values.challenge_rating, exact=declared.comparison is Comparison.EQUALS)
        case ValueKind.BOOLEAN:
            return values.boolean
        case ValueKind.ATTUNEMENT:
            return values.attunement
        case ValueKind.CLOSED | ValueKind.TEXT:
            return values.member if declared.kind is ValueKind.CLOSED else values.text


def of_filter(declared: Filter) -> Parameter:
    """The parameter that sets a filter."""
    return Parameter(
        declared.parameter,
        declared.doc,
        {"type": _JSON_TYPES[declared.kind]},
        _reader(declared),
        sets=declared,
    )


def token(
    name: str, doc: str, choices: tuple[str, ...], *, hint_for: Callable[[str], str] | None = None, **rest: Any
) -> Parameter:
    """A parameter that takes one of the tool's fixed tokens; `hint_for` as in `values.choice`, `rest` as here."""
    schema = {"type": "string", "enum": list(choices)}
    return Parameter(name, doc, schema, partial(values.choice, choices=choices, hint_for=hint_for), **rest)


def open_token(name: str, doc: str, choices: tuple[str, ...]) -> Parameter:
    """A parameter that publishes the usual tokens and leaves refusing others to the library."""
    return Parameter(name, doc, {"type": "string", "enum": list(choices)}, values.text)


def words(name: str, doc: str, *, longest: int = values.MAX_TEXT, **rest: Any) -> Parameter:
    """A parameter that takes free text of at most `longest` characters."""
    return Parameter(name, doc, {"type": "string"}, partial(values.text, longest=longest), **rest)


def integer(name: str, doc: str, minimum: int, maximum: int | None = None, **rest: Any) -> Parameter:
    """A parameter that takes a whole number within bounds; `rest` are other fields of `Parameter`."""
    return Parameter(name, doc, {"type": "integer"}, partial(values.integer, minimum=minimum, maximum=maximum), **rest)


def names(doc: str) -> Parameter:
    """The parameter that takes one or more names to look up."""
    schema = {"type": ["string", "array"], "items": {"type": "string"}}
    return Parameter("name", doc, schema, partial(values.names, most=MAX_NAMES), target="name")


_STRINGS: Final[Schema] = {"type": "array", "items": {"type": "string"}}

CONTENT_TYPES_PARAMETER: Final = Parameter(
    "content_types",
    'E.g. ["Spell", "MagicItem"]; Creature, Equipment, CharacterOption, Rule, Feat, Condition…',
    _STRINGS,
    partial(values.texts, example='["Spell", "Creature"]'),
    target="content_types",
)

DOCUMENTS: Final = Parameter(
    "documents",
    "Filter to specific source documents. Provide a list of document names/identifiers from list_documents() tool. "
    'Examples: ["srd-5e"] for SRD only, ["srd-5e", "tce"] for multiple. Editions too: ["5e-2014"], ["5e-2024"].',
    {"type": ["array", "null"], "items": {"type": "string"}},
    partial(values.texts, example='["srd-5e"]'),
    target="documents",
)

PAGING: Final = (
    integer("limit", "1-100", 1, MAX_LIMIT, target="limit", default=20),
    integer("offset", "next_offset", 0, target="offset", default=0),
    token(
        "detail",
        "Length",
        ("full", "summary", "names"),
        target="detail",
        default="full",
    ),
)

PART: Final = words("part", "A trait, level, fact…", longest=values.MAX_NAME, target="part")
"""The part of the records to answer with; published by look-ups whose records have parts."""
FORMAT: Final = token("format", "markdown: half as long", ("json", "markdown"), default="json")
"""Format of a look-up's text content; the structured content is the same for both."""
