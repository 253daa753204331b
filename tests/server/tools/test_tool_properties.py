"""Any combination of filters: a tool finds what a naive implementation of them finds."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from server.dataset.dataset import Dataset
from server.dataset.vocabulary import challenge_rating_text
from server.library.library import Library
from server.library.requests.filter_types import Comparison, Filter, ValueKind
from server.library.requests.filters import filters_of
from server.library.requests.request import RequestError
from server.tools.registry import TOOLS
from server.tools.tool import Tool

Row = dict[str, Any]


def facts(row: Row, path: str) -> list[Any]:
    """The values at a path in a row, read without the library; null gives none."""
    found: list[Any] = [row]
    for step in re.findall(r"\w+|\*", path):
        if step == "*":
            found = [name for struct in found for name, member in struct.items() if member]
        else:
            found = [struct[step] for struct in found]
        found = [fact for value in found for fact in (value if isinstance(value, list) else [value])]
        found = [fact for fact in found if fact is not None]
    return found


def paths(declared: Filter) -> list[str]:
    """The paths of a filter's values."""
    return [*declared.paths, *filter(None, [declared.id_path])]


def meets(declared: Filter, row: Row, value: Any) -> bool:
    """Whether a row passes a filter, implemented naively."""
    found = [fact for path in paths(declared) for fact in facts(row, path)]
    if declared.none_without and facts(row, declared.none_without) == [False]:
        found = found or [0]
    if isinstance(value, str):
        texts = [fact.lower() for fact in found if isinstance(fact, str)]
        return any(value in text for text in texts) if declared.kind is ValueKind.ATTUNEMENT else value in texts
    if declared.comparison is Comparison.EQUALS:
        return value in found
    return any(fact >= value if declared.comparison is Comparison.AT_LEAST else fact <= value for fact in found)


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
SEARCHES = [tool for tool in FINDERS if tool.toolset != "lookup"]
SPELLINGS = st.sampled_from([str, str.upper, str.capitalize, lambda text: f"  {text} "])


@dataclass
class Content:
    """All rows of the starter dataset, and the requests to make."""

    rows: list[Row]
    documents: dict[str, set[str]]

    def values(self, declared: Filter) -> list[Any]:
        """The values at a filter's paths."""
        rows = self.family(declared.family)
        return sorted({fact for row in rows for path in paths(declared) for fact in facts(row, path)})

    def place_in_book(self, rule: Row) -> list[tuple[Any, ...]]:
        """The position of a rule: those of all rules above it, topmost first, then its own."""
        order = rule["reading_order"]
        own = (rule["document_key"], order is None, order or 0, rule["name"].casefold(), rule["id"])
        parent = rule["parent"] and next((row for row in self.rows if row["id"] == rule["parent"]["id"]), None)
        return [*(self.place_in_book(parent) if parent else []), own]

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
    """Values for a filter as callers write them, mostly ones that occur, so that bounds are met exactly."""
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


def excludes_itself(tool: Tool, arguments: dict[str, Any]) -> bool:
    """Whether an exact value comes with a bound, a minimum exceeds a maximum, or a kind refuses a filter."""
    given = {f: as_read(arguments[f.parameter]) for f in filters_of(family_of(tool)) if f.parameter in arguments}
    if any(declared.refused and arguments["rule_type"] not in declared.only for declared in given):
        return True
    return any(
        one.comparison is Comparison.EQUALS
        or (
            one.comparison is Comparison.AT_LEAST
            and other.comparison is Comparison.AT_MOST
            and given[one] > given[other]
        )
        for one, other in permutations(given, 2)
        if one.paths == other.paths
    )


def as_read(value: Any) -> Any:
    """A value as the parameter's reader understands it."""
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
    filters = {f: as_read(arguments[f.parameter]) for f in filters_of(family) if f.parameter in arguments}
    kind = arguments.get("type") if family in ("equipment", "character_option") else None
    documents = {key for entry in arguments.get("documents", ()) for key in content.documents[entry]}
    return [
        row
        for row in content.family(family)
        if (kind is None or KINDS[kind](row))
        and ("rule_type" not in arguments or row["entity_type"] == arguments["rule_type"])
        and ("content_types" not in arguments or any(CONTENT[token](row) for token in arguments["content_types"]))
        and ("documents" not in arguments or row["document_key"] in documents)
        and all(meets(declared, row, value) for declared, value in filters.items())
    ]


def pages(tool: Tool, library: Library, arguments: dict[str, Any]) -> Iterable[dict[str, Any]]:
    """The results of all pages in order."""
    offset: int | None = 0
    while offset is not None:
        page = tool.call(library, arguments | {"offset": offset})
        assert page["offset"] == offset
        assert page["count"] == len(page["results"]) <= arguments["limit"]
        yield page
        offset = page["next_offset"]


def place_in_list(row: Row) -> tuple[Any, ...]:
    """By name, after what it derives from."""
    derived = row["entity_type"] in ("subclass", "subrace", "magic-item") or bool(row.get("option_of"))
    return derived, row["name"].casefold(), row["document_key"], row["id"]


thorough = settings(suppress_health_check=list(HealthCheck))
LONG: Final = {"search_all", "search_rule", "lookup_rule"}
"""Tools with few filters to combine, whose calls have many pages."""


@pytest.mark.parametrize("tool", FINDERS, ids=lambda tool: tool.name)
def test_all_pages_are_what_a_naive_filter_finds_sorted_by_name(library: Library, content: Content, tool: Tool):
    examples = settings.default.max_examples // (4 if tool.name in LONG else 1)

    @settings(thorough, max_examples=examples)
    @given(arguments_of(tool, content), st.integers(20, 100), st.sampled_from(["full", "summary"]))
    def check(arguments: dict[str, Any], limit: int, detail: str) -> None:
        arguments |= {"limit": limit, "detail": detail}
        if excludes_itself(tool, arguments):
            with pytest.raises(RequestError):
                tool.call(library, arguments)
            return
        expected = passing(tool, arguments, content)
        expected.sort(key=content.place_in_book if "section" in arguments else place_in_list)
        listed = []
        for page in pages(tool, library, arguments):
            assert page["total"] == len(expected)
            assert page["results"] or page["message"]
            assert all("similarity_score" not in record for record in page["results"])
            listed += page["results"]
        assert [record["id"] for record in listed] == [row["id"] for row in expected]

    check()


@pytest.mark.parametrize("tool", SEARCHES, ids=lambda tool: tool.name)
def test_a_ranking_drops_nothing_and_its_scores_are_ordered(library: Library, content: Content, tool: Tool):
    """Over all pages, including folded records."""
    text = tool.parameters[0].name if tool.parameters[0].target == "search" else "search"

    @settings(thorough, max_examples=max(10, settings.default.max_examples // 10))
    @given(arguments_of(tool, content), st.sampled_from(["fire", "heal the wounded", "a fall", "sword", "cat"]))
    def check(arguments: dict[str, Any], query: str) -> None:
        assume(not excludes_itself(tool, arguments))
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
