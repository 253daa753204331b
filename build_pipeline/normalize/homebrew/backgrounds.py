"""Homebrew backgrounds → drafts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from build_pipeline.normalize.homebrew.classes import equipment
from build_pipeline.normalize.homebrew.items import HomebrewCollection, Item, flags, listed, mapping
from build_pipeline.normalize.homebrew.races import traits_of
from build_pipeline.normalize.homebrew.sentences import chosen, gear_names, number, proficiencies, tool_choices
from build_pipeline.normalize.merging.draft import Draft
from build_pipeline.normalize.text.labels import NamedText
from build_pipeline.snapshot.orcbrew.field_types import whole

_LABEL: Final = re.compile(r"^feature\s*[:–—-]\s*(?=\S)", re.IGNORECASE)
"""What authors write before the name of the feature, as books do: its column says it already."""

_OF_COLUMNS: Final = frozenset(("skill", "skill-options", "tool", "tool-options", "language", "language-options"))
"""Proficiencies with a column of their own."""


def drafts(collection: HomebrewCollection) -> Iterator[Draft]:
    """Every homebrew background."""

    def read(item: Item) -> Draft:
        return item.draft("background", _facts(item, collection))

    return collection.read("backgrounds", read)


def _facts(item: Item, collection: HomebrewCollection) -> dict[str, Any]:
    fields = item.fields
    profs = mapping(fields.get("profs"))
    skills = [name.title().replace(" Of ", " of ") for name in gear_names(flags(profs.get("skill")))]
    choice = chosen("skill-options", profs.get("skill-options"))
    others = {key: value for key, value in profs.items() if key not in _OF_COLUMNS}
    tools = [*gear_names(flags(profs.get("tool"))), *tool_choices(profs.get("tool-options"))]
    columns = {
        "skill_proficiencies": ". ".join(filter(None, (", ".join(skills), choice and choice.rstrip(".")))) or None,
        "tool_proficiencies": _sentence(", ".join(tools)),
        "languages": _languages(profs, item, collection),
        "equipment": _equipment(item),
    }
    traits = [trait | {"name": _LABEL.sub("", trait["name"] or "")} for trait in traits_of(item)]
    return columns | {
        "description": item.description,
        "feature": traits[0] if traits else None,
        "benefits": [
            *_benefits(columns),
            *(NamedText(name=name, description=told) for name, told in proficiencies(others, item, collection)),
            *traits,
        ],
    }


def _benefits(columns: dict[str, str | None]) -> list[NamedText]:
    return [{"name": c.replace("_", " ").title(), "description": text} for c, text in columns.items() if text]


def _languages(profs: dict[str, Any], item: Item, collection: HomebrewCollection) -> str | None:
    known = [collection.name("languages", key, item) for key in flags(profs.get("language"))]
    options = mapping(profs.get("language-options"))
    among = flags(options.get("options"))
    if among:
        count = number(whole(options.get("choose")) or 1)
        names = [collection.name("languages", key, item) for key in among if key != "any"]
        known.append(f"{count} of {listed(names, 'or')}" if names and "any" not in among else f"{count} of your choice")
    return _sentence(", ".join(known))


def _equipment(item: Item) -> str | None:
    coins = mapping(item.fields.get("treasure"))
    amounts = [f"{amount} {coin}" for coin, count in coins.items() if (amount := whole(count))]
    carried = equipment(item)
    money = f"{listed(amounts)}." if amounts else None
    return " ".join(filter(None, (_sentence(carried), money))) or None


def _sentence(text: str | None) -> str | None:
    return text[:1].upper() + text[1:] if text else None
