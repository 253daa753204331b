"""`docs/data.md`: it matches the schema, and its questions have the same answer in every language."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any, Final

import duckdb
import pytest

from build_pipeline.release.data_page import data_page, measure, read_measured
from server.dataset.schema import PUBLISHED_TABLES

DOCS: Final = Path(__file__).parents[1] / "docs"
PAGE: Final = (DOCS / "data.md").read_text(encoding="utf-8")
EDITIONS: Final = ("5e-2014", "5e-2024")

_QUESTION: Final = re.compile(r"^### \d+\. (?P<title>[^\n]+\?)\n(?P<text>.*?)(?=^##)", re.MULTILINE | re.DOTALL)
_BLOCK: Final = re.compile(r"^```(?P<language>sql|python)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)


def questions() -> list[Any]:
    return [pytest.param(found["text"], id=found["title"]) for found in _QUESTION.finditer(PAGE)]


def test_the_page_matches_the_schema() -> None:
    assert data_page(read_measured(DOCS / "data_measured.json")) == PAGE, "docs/data.md is out of date: run `make docs`"


def test_every_column_is_on_the_page() -> None:
    for table in PUBLISHED_TABLES:
        section = PAGE.partition(f"\n### {table.name}\n")[2].partition("\n##")[0]
        assert re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE) == [column.name for column in table.columns]


def test_each_of_ten_questions_is_asked_in_three_languages() -> None:
    assert len(questions()) == 10
    for found in _QUESTION.finditer(PAGE):
        languages = [block["language"] for block in _BLOCK.finditer(found["text"])]
        assert languages == ["sql", "python", "python"]
        assert re.search(r"^import polars as pl$", found["text"], re.MULTILINE)
        assert re.search(r"^import pandas as pd$", found["text"], re.MULTILINE)


@pytest.mark.parametrize("text", questions())
def test_an_answer_names_its_edition_and_is_the_same_in_every_language(
    text: str, starter_dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(starter_dataset)
    edition = next(name for name in EDITIONS if f"Edition: {name}." in text)
    sql, in_polars, in_pandas = (block["code"] for block in _BLOCK.finditer(text))
    assert all(edition in code for code in (sql, in_polars, in_pandas))

    expected = rows(duckdb.sql(sql).fetchall())
    assert expected
    assert rows(answer(in_polars).rows()) == expected
    assert rows(answer(in_pandas).itertuples(index=False, name=None)) == expected


def answer(code: str) -> Any:
    names: dict[str, Any] = {}
    exec(code, names)  # noqa: S102 - the page's own code
    return names["answer"]


def rows(found: Any) -> list[list[object]]:
    """Rows of plain values, NaN as None."""
    return [[_plain(value) for value in row] for row in found]


def _plain(value: Any) -> object:
    if value is None or isinstance(value, str):
        return value
    number = float(value)
    return None if math.isnan(number) else number


def test_measured_figures_equal_the_datasets(starter_dataset: Path) -> None:
    measured = measure(starter_dataset, starter_dataset)

    assert set(measured["known"]) == {f"{t.name}.{c.name}" for t in PUBLISHED_TABLES for c in t.columns}
    assert measured["known"]["spells.name"] == 1
    assert 0 < measured["known"]["spells.range_feet"] <= 1
    assert measured["known"]["creatures.lair_actions"] < 1
    assert all(len(example) <= 60 for example in measured["examples"].values())
    assert measured["examples"]["spells.school"] in {"abjuration", "evocation", "divination", "necromancy"}
