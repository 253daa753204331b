"""Retrieval quality of a dataset: judged queries run on the real engine, with their filters."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import (
    Annotated,
    Any,
    Final,
    NotRequired,  # pydantic needs this one before Python 3.12
    TypeVar,
)

import numpy as np
from pydantic import Field, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from build_pipeline.evaluation.metrics import (
    METRICS,
    USEFUL,
    Estimate,
    JudgedItem,
    calibration_error,
    estimate,
    grades,
    judged_items,
    measure,
)
from build_pipeline.expected import ExpectedError
from build_pipeline.index.embed import Counted, Encoder
from build_pipeline.index.graph import Vectors
from build_pipeline.index.passages import prose
from build_pipeline.normalize.merging.directory import SRD_DOCUMENTS
from build_pipeline.tables import Record
from build_pipeline.text_files import numbered_lines
from server.dataset.dataset import Dataset
from server.dataset.load import load_dataset
from server.dataset.manifest import first_problems
from server.dataset.schema import ENTITY_TABLES
from server.library.library import Library
from server.library.requests.request import Request

DEPTH: Final = 100
"""Results requested per query: more than any metric looks at, and the candidates of a fit."""
_CALIBRATED: Final = 20
"""Results per query whose scores count for calibration."""
_PAGE: Final = 100
_PATIENCE: Final = 60.0
"""Seconds allowed for encoding a query: quality is measured here, not speed."""

_FAMILY: Final = {"search_spell": "spell", "search_creature": "creature", "search_equipment": "equipment"}
_CONTENT: Final = {
    ("search_character_option", None): ("CharacterOption",),
    ("search_character_option", "species"): ("Race", "Subrace"),
    ("search_character_option", "class"): ("Class",),
    ("search_character_option", "subclass"): ("Subclass",),
    ("search_character_option", "background"): ("Background",),
    ("search_character_option", "feat"): ("Feat",),
    ("search_rule", None): ("Rule",),
}


_QueryRow = TypedDict(
    "_QueryRow",
    {"qid": str, "tool": str, "query": str, "filters": NotRequired[dict[str, Any] | None], "class": str},
)


class _JudgementRow(TypedDict):
    qid: str
    kind: str
    name: str
    grade: Annotated[int, Field(ge=0, le=3, strict=True)]


_Row = TypeVar("_Row")
_QUERY: Final = TypeAdapter(_QueryRow)
_JUDGEMENT: Final = TypeAdapter(_JudgementRow)


class JudgementError(ExpectedError):
    """A malformed query or judgement; the message names file and line."""


@dataclass(frozen=True, slots=True)
class Query:
    """A judged query: `tool` and `filters` belong to its request, `query_class` groups it in reports."""

    qid: str
    tool: str
    text: str
    filters: Mapping[str, Any]
    query_class: str

    def request(self, *, search: bool = True, limit: int = DEPTH, offset: int = 0) -> Request:
        """The equivalent request; without `search`, the request for everything that its filters admit."""
        filters = dict(self.filters)
        kind, content = filters.pop("kind", None), filters.pop("content_types", None)
        documents = filters.pop("documents", None)
        family = _FAMILY.get(self.tool, "all")
        if family == "all":
            content, kind = content or _CONTENT.get((self.tool, kind)), None
        return Request(
            family,
            kind=kind,
            content_types=tuple(content) if content else None,
            search=self.text if search else None,
            filters=filters,
            documents=tuple(documents) if documents else None,
            limit=limit,
            offset=offset,
            detail="summary",
        )


@dataclass(frozen=True, slots=True)
class Judged:
    """Queries, and for each query id the grades of the items judged for it."""

    queries: tuple[Query, ...]
    grades: Mapping[str, Mapping[JudgedItem, int]]


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of one run.

    Attributes:
        per_query: query id → metric → value.
        ece: expected calibration error over the judged results; None if the engine gives no scores.
    """

    per_query: Mapping[str, Mapping[str, float | None]]
    ece: float | None


Answer = Callable[[Query], list[dict[str, Any]]]
"""Returns the results of a query, best first: `kind`, `name` and, if the engine scores them, `score`."""


def read_judged(queries: Path, qrels: Path) -> Judged:
    """Read a judged set: JSON lines of `qid, tool, query, filters, class` and of `qid, kind, name, grade`.

    Raises:
        JudgementError: a line is not such an object, or two queries have the same qid.
        TextFileError: a file is unreadable.
    """
    asked = tuple(
        Query(row["qid"], row["tool"], row["query"], row.get("filters") or {}, row["class"])
        for row in _rows(queries, _QUERY)
    )
    qid, times = max(Counter(query.qid for query in asked).items(), key=lambda each: each[1], default=("", 0))
    if times > 1:
        msg = f"{queries}: the qid {qid!r} occurs {times} times; each query needs one of its own"
        raise JudgementError(msg)
    judgements = _rows(qrels, _JUDGEMENT)
    return Judged(asked, grades(judgements))


def figures_of(folder: Path, judged: Judged) -> Figures:
    """How well a dataset's search answers judged queries."""
    with closing(open_quietly(load_dataset(folder))) as library:
        return evaluate(judged, engine(library))


def open_quietly(dataset: Dataset) -> Library:
    """Open a dataset for evaluation: long timeout, no size limit, scores explained."""
    return Library(dataset, max_response_chars=10_000_000, encode_timeout=_PATIENCE, explain=True)


def engine(library: Library) -> Answer:
    """Answers from the real engine."""

    def answer(query: Query) -> list[dict[str, Any]]:
        records = library.find(query.request())["results"]
        return [
            {"kind": r["entity_type"], "name": r["name"], "score": r["similarity_score"], "parts": r.get("score_parts")}
            for r in records
        ]

    return answer


def baseline(dataset: Dataset, library: Library, encoder: Encoder, progress: Counted) -> Answer:
    """A plain vector search to compare with: cosine of one vector per entity, from its name and truncated text."""
    records = [record for table in ENTITY_TABLES for record in dataset.tables[table.name].to_dicts()]
    row_of = {record["id"]: number for number, record in enumerate(records)}
    # float32, (entities, dimensions), rows of unit length
    vectors = encoder.encode_passages([_baseline_text(record) for record in records], progress)

    def answer(query: Query) -> list[dict[str, Any]]:
        inside = np.array([row_of[identity] for identity in _filtered(library, query)], dtype=np.int64)
        products: Vectors = vectors[inside] @ encoder.encode_queries([query.text])[0]
        best = inside[np.argsort(-products, kind="stable")[:_CALIBRATED]]
        return [{"kind": records[i]["entity_type"], "name": records[i]["name"]} for i in best]

    return answer


def evaluate(judged: Judged, answer: Answer) -> Figures:
    """Run every query on an engine and measure its answers."""
    per_query = {}
    scores: list[float] = []
    useful: list[bool] = []
    for query in judged.queries:
        results = answer(query)
        known = judged.grades.get(query.qid, {})
        per_query[query.qid] = measure(query.query_class, known, judged_items(results))
        for result in results[:_CALIBRATED]:
            (key,) = judged_items([result])
            if "score" in result and key in known:
                scores.append(result["score"])
                useful.append(known[key] >= USEFUL)
    return Figures(per_query, calibration_error(scores, useful) if scores else None)


def groups(judged: Judged) -> dict[str, dict[str, list[str]]]:
    """`overall`, `by_class`, `by_tool`, `by_books` → name → ids of the queries."""
    by_class, by_tool, by_books = defaultdict(list), defaultdict(list), defaultdict(list)
    for query in judged.queries:
        by_class[query.query_class].append(query.qid)
        by_tool[query.tool].append(query.qid)
        by_books[_books(query)].append(query.qid)
    return {
        "overall": {"overall": [query.qid for query in judged.queries]},
        "by_class": dict(sorted(by_class.items())),
        "by_tool": dict(sorted(by_tool.items())),
        "by_books": dict(sorted(by_books.items())),
    }


def estimates(figures: Figures, queries: Iterable[str]) -> dict[str, Estimate]:
    """Metric → its mean over some queries, with its interval."""
    rows = [figures.per_query[qid] for qid in queries]
    return {metric: estimate(row[metric] for row in rows) for metric in METRICS}


def difference(figures: Figures, other: Figures, metric: str = METRICS[0]) -> Estimate:
    """The mean paired difference `figures - other` over the same queries, with its interval."""
    pairs = [(figures.per_query[qid][metric], other.per_query[qid][metric]) for qid in figures.per_query]
    return estimate(a - b for a, b in pairs if a is not None and b is not None)


def worst_first(judged: Judged, figures: Figures) -> list[Query]:
    """The queries by nDCG@10, the lowest first; those without a judged useful item last."""

    def key(query: Query) -> tuple[bool, float, str]:
        ndcg = figures.per_query[query.qid][METRICS[0]]
        return ndcg is None, ndcg or 0.0, query.qid

    return sorted(judged.queries, key=key)


def as_json(judged: Judged, figures: Figures, *, per_query: bool = False) -> dict[str, Any]:
    """The figures in the form of `--json`.

    Args:
        judged: the queries.
        figures: the figures of one run.
        per_query: add each query and its metrics.
    """
    found: dict[str, Any] = {
        group: {name: {m: e.mean for m, e in estimates(figures, qids).items()} for name, qids in members.items()}
        for group, members in groups(judged).items()
    }
    found |= {"overall": found["overall"]["overall"], "ece": figures.ece}
    if per_query:
        found["per_query"] = {
            query.qid: {"query": query.text, "tool": query.tool, "class": query.query_class}
            | dict(figures.per_query[query.qid])
            for query in worst_first(judged, figures)
        }
    return found


def _books(query: Query) -> str:
    """The books that a query is limited to: an edition's SRD, both, others, or none in particular."""
    documents = query.filters.get("documents")
    if not documents:
        return "any"
    return " and ".join(sorted(documents)) if set(documents) <= set(SRD_DOCUMENTS) else "others"


def _baseline_text(record: Record) -> str:
    return f"{record['name']}. {prose(record)}"


def _filtered(library: Library, query: Query) -> Iterator[str]:
    """Ids of every entity that the query's filters admit."""
    offset: int | None = 0
    while offset is not None:
        page = library.find(query.request(search=False, limit=_PAGE, offset=offset))
        yield from (record["id"] for record in page["results"])
        offset = page["next_offset"]


def _rows(path: Path, form: TypeAdapter[_Row]) -> Iterator[_Row]:
    for place, line in numbered_lines(path):
        try:
            yield form.validate_json(line)
        except ValidationError as error:
            msg = f"{place}: {first_problems(error)}"
            raise JudgementError(msg) from error
