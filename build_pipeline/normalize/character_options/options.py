"""Options of class features (invocations, metamagic, fighting styles…): feats that a class, subclass or race offers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from build_pipeline.normalize.merging.draft import Draft
from build_pipeline.normalize.text.labels import NamedText, headed
from server.dataset.names import normalize_name

_FEAT_TYPES: Final = {
    "eldritch invocations": "invocation",
    "eldritch invocation options": "invocation",
    "metamagic options": "metamagic",
    "circle spells": "land type",
    "circle of the land spells": "land type",
    "circle of the land": "land type",
    "dragon ancestor": "draconic ancestry",
    "eldritch invocation list": "invocation",
    "lessons of war": "lesson of war",
    "augmentation effects": "augment",
}
"""Feature or heading that offers options → type of the options, where that is not the feature's own name."""


_FEWEST: Final = 3
"""Fewest headings in a text that make it a list of options."""


def feat_type(feature: str) -> str:
    """The type of the options that a feature offers.

    >>> feat_type("Eldritch Invocations"), feat_type("Fighting Style")
    ('invocation', 'fighting style')
    """
    name = normalize_name(feature)
    return _FEAT_TYPES.get(name, name)


def listed_options(features: Iterable[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], list[NamedText]]]:
    """(feature, options) of features that are lists of options: without a level, and with a heading per option."""
    for feature in features:
        parts = headed(feature["description"])[1]
        if not feature["level"] and len(parts) >= _FEWEST:
            yield feature, parts


def joined_options(drafts: Iterable[Draft]) -> Iterator[Draft]:
    """The options of one source and document, each once: an option of several classes names all of them."""
    found: dict[tuple[str, str], Draft] = {}
    for draft in drafts:
        same = found.setdefault((draft.facts["feat_type"], normalize_name(draft.name)), draft)
        if same is not draft:
            same.raw = tuple(dict.fromkeys((*same.raw, *draft.raw)))
            same.facts["option_of"] = [*same.facts["option_of"], *draft.facts["option_of"]]
            same.keys = tuple(dict.fromkeys((*same.keys, *draft.keys)))
    yield from found.values()
