"""Lists of feats, in which options of classes and races are too: how many there are of each type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from server.library.message import Call, Given, Message
from server.library.requests.filters import filters_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from server.library.arrays import Mask
    from server.library.catalogue import Catalogue
    from server.library.finder import Found
    from server.library.selection import Selection

_FEAT_TYPE: Final = next(each for each in filters_of("character_option") if each.parameter == "feat_type")
_MOST: Final = 5
"""Most types named of feats, and of options: the others are the many that one class offers."""


def types_of_feats(found: Found, catalogue: Catalogue, selection: Selection) -> list[str]:
    """With the first page of feats that a request finds: a sentence on their types, if some are options of classes."""
    passing = found.within.passing
    if found.request.offset or _FEAT_TYPE in found.within.filters:
        return []
    if not (passing & catalogue.offered).any() or (passing & ~catalogue.of_types({"feat"})).any():
        return []

    def types(some: Mask) -> Mapping[str, int]:
        return dict(selection.counts(_FEAT_TYPE, some))

    options, feats = types(passing & catalogue.offered), types(passing & ~catalogue.offered)
    kinds = ((feats, "feat", "feats"), (options, "option of a class or race", "options of classes or races"))
    said = [_counted(types, sum(types.values()), *nouns) for types, *nouns in kinds if types]
    only = Given(_FEAT_TYPE.parameter, next(iter(feats or options)))
    way = Call("search_character_option", (Given("type", "feat"), only)) if found.request.family == "all" else only
    return [Message(f"Found {' and '.join(said)}: ", way, " finds only one type.")]


def _counted(types: Mapping[str, int], total: int, one: str, several: str) -> str:
    """`13 feats (7 epic boon, 4 origin, 2 general)`; `types`: → the number of each."""
    named = [f"{count} {each}" for each, count in types.items()]
    more = [f"{len(named) - _MOST} more types"] if len(named) > _MOST + 1 else named[_MOST:]
    return f"{total} {one if total == 1 else several} ({', '.join([*named[:_MOST], *more])})"
