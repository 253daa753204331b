"""`report.html`: everything in a dataset, on one self-contained page."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import polars as pl
import pytest
from markupsafe import escape

from build_pipeline.check.decisions import read_decisions
from build_pipeline.cli import main
from build_pipeline.commands.report import report as write_report
from build_pipeline.commands.terminal import CommandError
from build_pipeline.release.contents import Contents
from build_pipeline.release.report.page import MARKER, report
from build_pipeline.release.report.roll import call_the_roll, facets
from server.dataset.manifest import DatasetError, read_manifest
from server.dataset.schema import TABLE_OF

VOID = {"meta", "input", "link", "br", "hr", "img", "circle", "rect", "path"}


class Read(HTMLParser):
    """A page's elements: attributes, whether each is closed, and the text of scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {"script": [], "style": []}
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag, f"</{tag}> at {self.getpos()}"

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in self.texts:
            self.texts[self.open[-1]].append(data)

    def all(self, name: str) -> list[str]:
        """Every value of an attribute."""
        return [value for _, attrs in self.elements if (value := attrs.get(name)) is not None]


@pytest.fixture
def text(small_dataset: Path) -> str:
    return (small_dataset / "report.html").read_text(encoding="utf-8")


def test_it_is_well_formed_and_its_links_and_labels_are_valid(text: str) -> None:
    page = Read(text)
    ids = page.all("id")

    assert page.open == []
    assert len(ids) == len(set(ids))
    assert {link.removeprefix("#") for link in page.all("href")} <= set(ids)
    for name in ("aria-labelledby", "aria-describedby"):
        assert set(page.all(name)) <= set(ids)


def test_it_fetches_nothing_and_allows_only_its_own_script_and_style(text: str) -> None:
    page = Read(text)
    (policy,) = [attrs["content"] for _, attrs in page.elements if "http-equiv" in attrs]
    own = [page.texts["style"][0], page.texts["script"][1]]

    assert page.all("src") == []
    assert all(link.startswith("#") for link in page.all("href"))
    assert policy is not None
    assert policy.startswith("default-src 'none'")
    hashes = {base64.b64encode(hashlib.sha256(part.encode()).digest()).decode() for part in own}
    assert set(re.findall(r"'sha256-([^']+)'", policy)) == hashes
    assert "unsafe" not in policy
    assert page.all("style") == []
    assert not any(name.startswith("on") for _, attrs in page.elements for name in attrs)


def test_it_has_every_document_kind_rule_and_column(small_dataset: Path, text: str) -> None:
    contents, manifest = Contents.of(small_dataset), read_manifest(small_dataset)

    for row in contents.documents:
        assert escape(row["document_name"]) in text
    for kind, fills in contents.fills().items():
        assert f'data-list="kind={kind}"' in text
        for fill in fills:
            doc = TABLE_OF[kind].column(fill.column).doc.split("`")[0]
            assert f"<dd>{escape(doc)}" in text
    for row in manifest["checks"]:
        assert escape(row["meaning"]) in text
    assert manifest.get("notice", "") in text


def test_figures_equal_the_lengths_of_their_lists(small_dataset: Path, text: str) -> None:
    """Each figure selects a list from the page's data; the expected count comes from the tables."""
    contents = Contents.of(small_dataset)
    entities = pl.concat(
        [
            contents.tables[name].select("id", "entity_type", "document_key", "game_system", "license", "sources")
            for name in ("spells", "creatures", "equipment", "character_options", "rules")
        ]
    )
    asked = re.findall(r'data-list="([^"]*)">([\d,]+)</a>', text)
    assert len(asked) > 100
    counted = 0
    for question, figure in asked:
        wanted = dict(parse_qsl(question.replace("&amp;", "&"), keep_blank_values=True))
        rows = entities
        if not wanted.keys() <= {"kind", "document", "edition", "source"}:
            continue
        for key, column in (("kind", "entity_type"), ("document", "document_key"), ("edition", "game_system")):
            if key in wanted:
                rows = rows.filter(pl.col(column).fill_null("") == wanted[key])
        if "source" in wanted:
            rows = rows.filter(pl.col("sources").list.contains(wanted["source"]))
        assert rows.height == int(figure.replace(",", "")), question
        counted += 1
    assert counted > 20


def test_the_pages_data_equals_the_tables(small_dataset: Path, text: str) -> None:
    contents = Contents.of(small_dataset)
    data = json.loads(Read(text).texts["script"][0])
    roll = call_the_roll(contents)
    assert data["names"] == roll.frame["name"].to_list()

    for kind, start, count in data["kinds"]:
        assert set(roll.frame["entity_type"].to_list()[start : start + count]) == {kind}
    for key, packed in data["known"].items():
        kind, column = key.split(".")
        start, count = roll.kinds[kind]
        bits = "".join(f"{byte:08b}"[::-1] for byte in base64.b64decode(packed))[:count]
        known = dict(contents.tables[TABLE_OF[kind].name].select("id", pl.col(column).is_not_null()).iter_rows())
        assert [bit == "1" for bit in bits] == [known[identity] for identity in roll.ids[start : start + count]]
    for facet in facets(contents):
        table, column = facet.key.split(".")
        assert sum(count for _, count, _ in facet.bars) == contents.tables[table][column].drop_nulls().len()


@pytest.mark.parametrize(("name", "vocabulary"), [("effect", "effects"), ("attribute", "attributes")])
def test_it_shows_the_reach_of_vocabularies(small_dataset: Path, text: str, name: str, vocabulary: str) -> None:
    contents = Contents.of(small_dataset)
    roll = call_the_roll(contents)
    data = json.loads(Read(text).texts["script"][0])

    entries: pl.DataFrame = getattr(contents, vocabulary)
    for number, (says, identities) in enumerate(entries.select("says", "entity_ids").iter_rows()):
        assert f'data-list="{name}={number}">{len(identities):,}</a> {escape(says)}' in text
        steps, listed = data[vocabulary][number], []
        for step in steps:
            listed.append((listed[-1] if listed else 0) + step)
        assert {roll.ids[n] for n in listed} == set(identities)


def test_it_lists_exceptions_and_corrections(small_dataset: Path) -> None:
    """As the starter breaks no rule, a broken and an excepted one are added as a build would write them."""
    manifest, folder = read_manifest(small_dataset), small_dataset
    manifest["checks"][0] |= {"broken": 1, "excepted": 1, "reasons": ["printed like that"]}
    rule = manifest["checks"][0]["rule"]
    decisions: dict[str, list[dict[str, Any]]] = {
        "findings": [
            {"rule": rule, "entity": "spell/core/one", "message": "is <b>off</b>", "reason": None},
            {"rule": rule, "entity": "spell/core/two", "message": "is off too", "reason": "printed like that"},
        ],
        "corrections": [
            {
                "entity": "spell/core/one",
                "column": "level",
                "value": 2,
                "instead_of": None,
                "wrong": ["srd"],
                "evidence": "the list of spells",
            }
        ],
    }
    assert read_decisions(folder).keys() == decisions.keys()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("build_pipeline.release.report.page.read_decisions", lambda _: decisions)
        text = report(folder, Contents.of(folder), manifest, None)

    for wanted in (
        "is &lt;b&gt;off&lt;/b&gt;",
        "spell/core/two",
        "printed like that",
        "the list of spells",
        "1 broken",
    ):
        assert wanted in text
    assert "<del>unknown</del> → <ins>2</ins>" in text


def test_texts_do_not_become_markup(small_dataset: Path) -> None:
    manifest = read_manifest(small_dataset)
    manifest["problems"] = [{"raw": "open5e_v2/spells/<script>", "reason": "<img src=x>"}]
    contents = Contents.of(small_dataset)
    spells = contents.tables["spells"]
    contents.tables["spells"] = spells.with_columns(name=pl.lit("</script><script>alert(1)</script>"))

    page = Read(report(small_dataset, contents, manifest, None))

    assert "img" not in {tag for tag, _ in page.elements}
    assert len(page.texts["script"]) == 2


def test_the_command_measures_search_with_judged_queries(
    starter_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = pl.read_parquet(starter_dataset / "spells.parquet")["name"][0]
    asked = {"qid": "q1", "tool": "search_spell", "query": name, "filters": {}, "class": "exact-name"}
    (tmp_path / "queries.jsonl").write_text(json.dumps(asked), encoding="utf-8")
    grade = {"qid": "q1", "kind": "spell", "name": name, "grade": 3}
    (tmp_path / "qrels.jsonl").write_text(json.dumps(grade), encoding="utf-8")
    out = tmp_path / "report.html"

    judged = ["--queries", str(tmp_path / "queries.jsonl"), "--qrels", str(tmp_path / "qrels.jsonl")]
    command = ["report", str(starter_dataset), "--out", str(out), "--previous", str(starter_dataset), *judged]
    monkeypatch.setattr("sys.argv", ["lorekeeper-build", *command])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 0

    text = out.read_text(encoding="utf-8")
    assert '<th scope="row">exact-name</th><td class="n">1</td>' in text
    assert "0 added, 0 removed" in text
    assert MARKER in text
    assert "search answers 1 judged queries not clearly worse than before" in text


def test_only_an_earlier_report_is_replaced(tmp_path: Path) -> None:
    mine, earlier = tmp_path / "mine.html", tmp_path / "report.html"
    mine.write_text("precious", encoding="utf-8")
    earlier.write_text(f"<head>{MARKER}</head>", encoding="utf-8")
    with pytest.raises(CommandError, match="is not an earlier report"):
        write_report(tmp_path / "nowhere", out=mine)
    with pytest.raises(DatasetError):  # it would be replaced
        write_report(tmp_path / "nowhere", out=earlier)
