"""`lorekeeper-build eval`: measures search quality on judged queries, and fits the ranking weights."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Annotated, Final

from cyclopts import App, Parameter
from rich.table import Table

from build_pipeline.commands.caches import CacheDir, build_cache
from build_pipeline.commands.progress import Stages
from build_pipeline.commands.terminal import Flag, Json
from build_pipeline.evaluation.evaluate import (
    Figures,
    Judged,
    Query,
    as_json,
    baseline,
    difference,
    engine,
    estimates,
    evaluate,
    figures_of,
    groups,
    open_quietly,
    read_judged,
    worst_first,
)
from build_pipeline.evaluation.explain import PARTS, Explained, explain, find_query
from build_pipeline.evaluation.fit import fit
from build_pipeline.evaluation.metrics import METRICS, Estimate
from build_pipeline.index.embed import open_encoder
from build_pipeline.resources import lines
from server.dataset.files import RANKING_FILE
from server.dataset.index.ranking_weights import read_fit, write_fit
from server.dataset.load import load_dataset
from server.dataset.terminal import Terminal, write_json

_UNBROKEN: Final = 250
"""Width that no table line exceeds, because output to a file or pipe should not be wrapped."""

app: Final = App(name="eval", help_epilogue="Exit codes: 0 done, 1 it could not be measured, 2 wrong usage.")


@app.default
def evaluate_dataset(
    *,
    dataset: Path,
    queries: Path,
    qrels: Path,
    against: Path | None = None,
    with_baseline: Annotated[bool, Parameter(name="--baseline", negative="")] = False,
    fit_to: Annotated[Path | None, Parameter(name="--fit")] = None,
    per_query: Flag = False,
    explain_qid: Annotated[str | None, Parameter(name="--explain")] = None,
    cache_dir: CacheDir = None,
    no_cache: Flag = False,
    as_json_text: Json = False,
) -> int:
    """Run judged queries against a dataset, through the serving engine, and measure the answers.

    Parameters
    ----------
    dataset
        Folder of the dataset.
    queries
        JSON lines: qid, tool, query, filters, class.
    qrels
        JSON lines: qid, kind, name, grade (0 to 3).
    against
        An earlier dataset to compare with, query by query.
    with_baseline
        Compare with plain vector search too: one vector per entity, no folding. Embeds every entity: takes minutes.
    cache_dir
        Folder that keeps those vectors. Default: the folder build in LOREKEEPER_CACHE, or in the user's cache folder.
    no_cache
        Compute them all, and keep nothing.
    fit_to
        Fit the ranking weights to the queries and write them to this file (data/ranking.json is the shipped one).
    per_query
        Print the metrics of each query too, the worst first.
    explain_qid
        Measure nothing; print what each part of the ranking added to the first results of the query with this id, and
        to those judged useful.
    as_json_text
        Print the dataset's figures, or the explanation of the query, as JSON.
    """
    judged = read_judged(queries, qrels)
    asked = None if explain_qid is None else find_query(judged, explain_qid)
    loaded = load_dataset(dataset)
    with closing(open_quietly(loaded)) as library:
        if asked is not None:
            found = explain(judged, asked, engine(library), read_fit(dataset / RANKING_FILE).weights)
            _print_explained(asked, found, as_json_text=as_json_text)
            return 0
        figures = evaluate(judged, engine(library))
        if fit_to is not None:
            on_topic, off_topic = lines("sample_queries.txt"), lines("off_topic_queries.txt")
            write_fit(fit_to, fit(judged, engine(library), on_topic, off_topic))
        others: dict[str, Figures] = {}
        if against is not None:
            others[against.name] = figures_of(against, judged)
        if with_baseline:
            cache = None if no_cache else build_cache(cache_dir)
            with Stages(quiet=as_json_text) as bars, open_encoder(cache=cache) as encoder:
                plain = baseline(loaded, library, encoder, partial(bars.show, "embedding the baseline"))
                others["plain vectors"] = evaluate(judged, plain)
    if as_json_text:
        write_json(as_json(judged, figures, per_query=per_query))
    else:
        _print(dataset.name, judged, figures, others)
        if per_query:
            _print_queries(judged, figures, others)
    return 0


def _console() -> Terminal:
    return Terminal(width=None if sys.stdout.isatty() else _UNBROKEN, highlight=False, markup=False)


def _print(name: str, judged: Judged, figures: Figures, others: dict[str, Figures]) -> None:
    console = _console()
    table = Table("", "n", *METRICS, *(f"nDCG@10 {other}" for other in others), box=None, header_style="bold")
    for group, members in groups(judged).items():
        for member, qids in members.items():
            label = member if group == "overall" else f"{group.removeprefix('by_')} {member}"
            cells = [_cell(estimate) for estimate in estimates(figures, qids).values()]
            beside = [_cell(estimates(other, qids)[METRICS[0]]) for other in others.values()]
            table.add_row(label, str(len(qids)), *cells, *beside)
    console.print(table)
    if figures.ece is not None:
        console.print(f"expected calibration error of {name}'s scores: {figures.ece:.3f}")
    for other, theirs in others.items():
        gain = difference(figures, theirs)
        console.print(f"nDCG@10 of {name} less {other}, query by query: {_cell(gain, '+.3f')}")


def _print_queries(judged: Judged, figures: Figures, others: dict[str, Figures]) -> None:
    """One line per query, the worst first."""
    table = Table("", "class", "tool", *METRICS, *(f"nDCG@10 {other}" for other in others), "query", box=None)
    for query in worst_first(judged, figures):
        cells = [_number(figures.per_query[query.qid][metric]) for metric in METRICS]
        beside = [_number(other.per_query[query.qid][METRICS[0]]) for other in others.values()]
        table.add_row(query.qid, query.query_class, query.tool, *cells, *beside, query.text)
    _console().print("", table)


def _print_explained(query: Query, found: Sequence[Explained], *, as_json_text: bool) -> None:
    """What each part added to the results shown."""
    if as_json_text:
        asked = {"qid": query.qid, "query": query.text, "tool": query.tool, "filters": dict(query.filters)}
        write_json(asked | {"results": [each.as_json() for each in found]})
        return
    table = Table("rank", "grade", "score", *PARTS, "kind", "name", box=None)
    for each in found:
        place = "-" if each.rank is None else str(each.rank)
        gains = [_number(each.gains.get(part)) for part in PARTS]
        grade = "-" if each.grade is None else str(each.grade)
        table.add_row(place, grade, _number(each.score), *gains, *each.item)
    filters = ", ".join(f"{name}={value}" for name, value in query.filters.items())
    _console().print(f"{query.qid}: {query.text} ({query.tool}{', ' if filters else ''}{filters})", table)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _cell(estimate: Estimate, form: str = ".3f") -> str:
    if estimate.mean is None or estimate.low is None or estimate.high is None:
        return "-"
    return f"{estimate.mean:{form}} [{estimate.low:{form}}, {estimate.high:{form}}]"
