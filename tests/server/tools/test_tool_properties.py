"""Whatever is asked, in whatever combination: what a tool finds is what a plain reading of its filters finds."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from server.dataset.load import Dataset
from server.dataset.vocabulary import challenge_rating_text
from server.library.filters import FILTERS, Filter, ValueKind, filters_of
from server.library.library import Library
from server.library.request import RequestError
from server.tools.catalogue import TOOLS
from server.tools.tool import Tool

Row = dict[str, Any]
Reading = Callable[[Row, Any], bool]


def equals(column: str) -> Reading:
    return lambda row, value: row[column] is not None and row[column] == value


def has(column: str) -> Reading:
    return lambda row, value: value in (row[column] or ())


def at_least(column: str) -> Reading:
    return lambda row, value: row[column] is not None and row[column] >= value


def at_most(column: str) -> Reading:
    return lambda row, value: row[column] is not None and row[column] <= value


def attunement(row: Row, value: Any) -> bool:
    if isinstance(value, str):
        return value in (row["attunement_detail"] or "").lower()
    return row["requires_attunement"] is value


# Each filter as a person would read it, written without the library.
READINGS: dict[str, Reading] = {
    "level": equals("level"),
    "level_min": at_least("level"),
    "level_max": at_most("level"),
    "school": equals("school"),
    "class_key": has("classes"),
    "concentration": equals("concentration"),
    "ritual": equals("ritual"),
    "casting_time": equals("casting_time"),
    "damage_type": has("damage_types"),
    "cr": equals("challenge_rating"),
    "cr_min": at_least("challenge_rating"),
    "cr_max": at_most("challenge_rating"),
    "type": equals("type"),
    "size": equals("size"),
    "armor_class_min": at_least("armor_class"),
    "hit_points_min": at_least("hit_points"),
    "environment": has("environments"),
    "rarity": equals("rarity"),
    "damage_dice": equals("damage_dice"),
    "is_simple": equals("is_simple"),
    "requires_attunement": attunement,
    "cost_min": at_least("cost_gp"),
    "cost_max": at_most("cost_gp"),
    "weight_max": at_most("weight_lb"),
    "is_finesse": equals("is_finesse"),
    "is_light": equals("is_light"),
    "is_magic": equals("is_magic"),
    "section": lambda row, value: value in {(row["section"] or "").lower(), *(row["headings"] or ())},
}

FAMILIES: dict[str, set[str]] = {
    "spell": {"spell"},
    "creature": {"creature"},
    "equipment": {"weapon", "armor", "magic-item", "adventuring-gear"},
    "character_option": {"class", "subclass", "race", "subrace", "background", "feat"},
}

KINDS: dict[str, Callable[[Row], bool]] = {
    "weapon": lambda row: row["is_weapon"],
    "armor": lambda row: row["is_armor"],
    "magic-item": lambda row: row["entity_type"] == "magic-item",
    "adventuring-gear": lambda row: row["entity_type"] == "adventuring-gear",
    "all": lambda _: True,
    "class": lambda row: row["entity_type"] in ("class", "subclass"),
    "race": lambda row: row["entity_type"] in ("race", "subrace"),
    "background": lambda row: row["entity_type"] == "background",
    "feat": lambda row: row["entity_type"] == "feat",
}

CONTENT: dict[str, Callable[[Row], bool]] = {
    "Creature": lambda row: row["entity_type"] == "creature",
    "Equipment": lambda row: row["entity_type"] in FAMILIES["equipment"],
    "CharacterOption": lambda row: row["entity_type"] in FAMILIES["character_option"],
    "Rule": lambda row: "rule_type" in row,
    "MagicItem": lambda row: row["entity_type"] == "magic-item",
    "damage-type": lambda row: row["entity_type"] == "damage-type",
}

FINDERS = [tool for tool in TOOLS if tool.toolset in ("search", "lookup")]
SEARCHES = [tool for tool in FINDERS if tool.ranked]
SPELLINGS = st.sampled_from([str, str.upper, str.capitalize, lambda text: f"  {text} "])


@dataclass
class Content:
    """All rows of the starter dataset, and what may be asked of them."""

    rows: list[Row]
    documents: dict[str, set[str]]

    def values(self, declared: Filter) -> list[Any]:
        """The values that a filter's columns have."""
        rows = self.family(declared.family)
        found = [row[column] for row in rows for column in declared.columns if row[column] is not None]
        return sorted({member for value in found for member in (value if isinstance(value, list) else [value])})

    def family(self, family: str) -> list[Row]:
        if family == "all":
            return self.rows
        if family == "rule":
            return [row for row in self.rows if "rule_type" in row]
        return [row for row in self.rows if row["entity_type"] in FAMILIES[family]]


@pytest.fixture(scope="session")
def content(dataset: Dataset) -> Content:
    documents: dict[str, set[str]] = {}
    for row in dataset.documents.to_dicts():
        for entry in (row["document_key"], row["document_name"], row["game_system"], *row["aliases"]):
            if entry is not None:
                documents.setdefault(entry, set()).add(row["document_key"])
    return Content([row for table in dataset.tables.values() for row in table.to_dicts()], documents)


def filter_value(content: Content, declared: Filter) -> st.SearchStrategy[Any]:
    """Values for a filter as a caller writes them; mostly ones that the data has, so that bounds are met exactly."""
    if declared.kind is ValueKind.BOOLEAN:
        return st.booleans()
    if declared.kind is ValueKind.ATTUNEMENT:
        return st.booleans() | st.sampled_from(["Yes", "no", "wizard", "Cleric", "by a", "a cobbler"])
    present = st.sampled_from(content.values(declared))
    respelled = st.builds(lambda spelling, value: spelling(str(value)), SPELLINGS, present)
    if declared.kind is ValueKind.CHALLENGE:
        return present | present.map(challenge_rating_text)
    if declared.kind in (ValueKind.INTEGER, ValueKind.NUMBER):
        return present | respelled
    return respelled | st.just("nowhere") if declared.kind is ValueKind.TEXT else respelled


def family_of(tool: Tool) -> str:
    return tool.name.partition("_")[2]


def arguments_of(tool: Tool, content: Content) -> st.SearchStrategy[dict[str, Any]]:
    """Any combination of a tool's kinds, filters and documents."""
    family = family_of(tool)
    tokens = {p.name: st.sampled_from(p.schema["enum"]) for p in tool.parameters if p.target == "kind"}
    required = {name: tokens.pop(name) for name in list(tokens) if name != "type" or family == "character_option"}
    if family == "all":
        required["query"] = st.sampled_from(["", "  "])
        tokens["content_types"] = st.lists(st.sampled_from(list(CONTENT)), min_size=1, max_size=3)
    optional = {f.parameter: filter_value(content, f) for f in filters_of(family)} | tokens
    optional["documents"] = st.lists(st.sampled_from(list(content.documents)), min_size=1, max_size=2)
    return st.fixed_dictionaries(required, optional=optional)


def excludes_itself(arguments: dict[str, Any]) -> bool:
    """Whether an exact value meets a bound, a minimum a lower maximum, or a section what is no rule."""
    if "section" in arguments and arguments["rule_type"] != "rule":
        return True
    for name in ("level", "cr", "cost"):
        low, high = (as_read(arguments.get(f"{name}_{bound}")) for bound in ("min", "max"))
        if name in arguments and (low is not None or high is not None):
            return True
        if low is not None and high is not None and low > high:
            return True
    return False


def as_read(value: Any) -> Any:
    """A value as its reader understands it."""
    if not isinstance(value, str):
        return value
    text = value.strip().lower()
    if text in ("yes", "no"):
        return text == "yes"
    if "/" in text and len(text) == len("1/8"):
        return 1 / int(text[-1])
    return float(text) if re.fullmatch(r"[\d.]+", text) else text


def passing(tool: Tool, arguments: dict[str, Any], content: Content) -> list[Row]:
    family = family_of(tool)
    parameters = {f.parameter for f in filters_of(family)}
    filters = {name: as_read(value) for name, value in arguments.items() if name in parameters}
    kind = arguments.get("type") if family in ("equipment", "character_option") else None
    documents = {key for entry in arguments.get("documents", ()) for key in content.documents[entry]}
    return [
        row
        for row in content.family(family)
        if (kind is None or KINDS[kind](row))
        and ("rule_type" not in arguments or row["entity_type"] == arguments["rule_type"])
        and ("content_types" not in arguments or any(CONTENT[token](row) for token in arguments["content_types"]))
        and ("documents" not in arguments or row["document_key"] in documents)
        and all(READINGS[name](row, value) for name, value in filters.items())
    ]


def pages(tool: Tool, library: Library, arguments: dict[str, Any]) -> Iterable[dict[str, Any]]:
    """All pages, one after the other."""
    offset: int | None = 0
    while offset is not None:
        page = tool.call(library, arguments | {"offset": offset})
        assert page["offset"] == offset
        assert page["count"] == len(page["results"]) <= arguments["limit"]
        yield page
        offset = page["next_offset"]


thorough = settings(deadline=None, suppress_health_check=list(HealthCheck))


def test_every_filter_has_a_reading() -> None:
    assert READINGS.keys() == {declared.parameter for declared in FILTERS}


@pytest.mark.parametrize("tool", FINDERS, ids=lambda tool: tool.name)
def test_all_pages_are_what_a_plain_reading_finds_in_order_of_name(library: Library, content: Content, tool: Tool):
    @thorough
    @given(arguments_of(tool, content), st.integers(20, 100), st.sampled_from(["full", "summary"]))
    def check(arguments: dict[str, Any], limit: int, detail: str) -> None:
        arguments |= {"limit": limit, "detail": detail}
        if excludes_itself(arguments):
            with pytest.raises(RequestError):
                tool.call(library, arguments)
            return
        expected = passing(tool, arguments, content)
        expected.sort(key=lambda row: (row["name"].casefold(), row["document_key"], row["id"]))
        listed = []
        for page in pages(tool, library, arguments):
            assert page["total"] == len(expected)
            assert page["results"] or page["message"]
            assert all("similarity_score" not in record for record in page["results"])
            listed += page["results"]
        assert [record["id"] for record in listed] == [row["id"] for row in expected]

    check()


@pytest.mark.parametrize("tool", SEARCHES, ids=lambda tool: tool.name)
def test_ranking_drops_none_and_scores_are_ordered(library: Library, content: Content, tool: Tool):
    """Over all pages, families that folded counted in."""
    text = tool.parameters[0].name if tool.parameters[0].target == "search" else "search"

    @settings(thorough, max_examples=max(10, settings.default.max_examples // 10))
    @given(arguments_of(tool, content), st.sampled_from(["fire", "heal the wounded", "a fall", "sword", "cat"]))
    def check(arguments: dict[str, Any], query: str) -> None:
        assume(not excludes_itself(arguments))
        expected = {row["id"] for row in passing(tool, arguments, content)}
        arguments |= {text: query, "limit": 100, "detail": "summary"}
        records = []
        for page in pages(tool, library, arguments):
            assert page["total"] == len(expected)
            records += page["results"]
        scores = [record["similarity_score"] for record in records]
        assert scores == sorted(scores, reverse=True)
        assert all(0 <= score <= 1 for score in scores)
        identities = {record["id"] for record in records}
        assert len(identities) == len(records)
        assert identities <= expected
        assert sum(1 + record.get("variants", {"count": 0})["count"] for record in records) == len(expected)

    check()
