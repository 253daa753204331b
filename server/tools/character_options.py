"""`search_character_option` and `lookup_character_option`."""

from typing import Final

from server.library.message import Call, Given, Message, Named
from server.library.names.name_words import singulars
from server.library.requests.kinds import KINDS
from server.tools.parameters import names, token, words
from server.tools.tool import finder

_FEAT_TYPES: Final = ("augment", "epic-boon", "fighting-style", "invocation", "metamagic", "pact-boon")
"""Types of feats that callers may take for types, as they may write them."""


def _hint_for(value: str) -> str:
    """A hint for a refused type that is a type of feats, in the singular or plural."""
    own = value.removeprefix("eldritch-")
    feat_type = next((each for each in (own, *singulars(own)) if each in _FEAT_TYPES), None)
    if feat_type is None:
        return ""
    given = (Given("type", "feat"), Given("feat_type", feat_type.replace("-", " ")))
    return Message(" That is finer than ", Named("type"), ": use ", Call("search_character_option", given), ".")


_TYPE: Final = token(
    "type",
    "with subclasses, subraces",
    tuple(name for name in KINDS["character_option"] if name),
    target="kind",
    required=True,
    hint_for=_hint_for,
)

SEARCH: Final = finder(
    "search_character_option",
    "Search character options",
    "Find classes, races, backgrounds or feats by meaning. Name known: lookup_character_option. "
    'E.g. type="class", search="divine warrior"; type="feat".',
    _TYPE,
    words("search", "E.g. raised by wolves", target="search"),
)

LOOKUP: Final = finder(
    "lookup_character_option",
    "Look up character options",
    "Get classes, races, backgrounds or feats by name. No name: search_character_option. "
    'E.g. type="class", name="wizard"; type="race", name="*elf*".',
    _TYPE,
    names("Or pattern: oath*"),
)
