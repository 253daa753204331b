"""`lorekeeper-build eval`: measures search quality on judged queries, and fits the ranking weights."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path
from typing import Annotated, Final

from cyclopts import App, Parameter
from rich.console import Console
from rich.table import Table

from build_pipeline.commands.caches import CacheDir, NoCache, build_cache
from build_pipeline.commands.progress import Stages
from build_pipeline.commands.terminal import CommandError
from build_pipeline.evaluation.evaluate import (
    Figures,
    Judged,
    JudgementError,
    as_json,
    baseline,
    difference,
    engine,
    estimates,
    evaluate,
    groups,
    open_quietly,
    read_judged,
)
from build_pipeline.evaluation.fit import fit
from build_pipeline.evaluation.metrics import METRICS, Estimate
from build_pipeline.index.cache import CacheError
from build_pipeline.index.embed import open_encoder
from build_pipeline.index.export import ExportError
from build_pipeline.index.models import ModelError
from build_pipeline.resources import lines
from server.dataset.load import load_dataset
from server.dataset.manifest import DatasetError
from server.dataset.ranking_weights import write_fit

Switch = Parameter(negative="")

_UNBROKEN: Final = 250
"""Width that no table line exceeds: output to a file or pipe should not be wrapped."""

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
    cache_dir: CacheDir = None,
    no_cache: NoCache = False,
    as_json_text: Annotated[bool, Parameter(name="--json", negative="")] = False,
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
        Folder that keeps those vectors. Default: the user's cache folder, or that of LOREKEEPER_CACHE.
    no_cache
        Compute them all, and keep nothing.
    fit_to
        Fit the ranking weights to the queries and write them to this file (data/ranking.json is the shipped one).
    as_json_text
        Print the dataset's figures as JSON.
    """
    try:
        judged = read_judged(queries, qrels)
        loaded = load_dataset(dataset)
        library = open_quietly(loaded)
        figures = evaluate(judged, engine(library))
        if fit_to is not None:
            on_topic, off_topic = lines("sample_queries.txt"), lines("off_topic_queries.txt")
            write_fit(fit_to, fit(judged, engine(library), on_topic, off_topic))
        others: dict[str, Figures] = {}
        if against is not None:
            others[against.name] = evaluate(judged, engine(open_quietly(load_dataset(against))))
        if with_baseline:
            cache = None if no_cache else build_cache(cache_dir)
            with Stages(quiet=as_json_text) as bars, open_encoder(cache=cache) as encoder:
                plain = baseline(loaded, library, encoder, partial(bars.show, "embedding the baseline"))
                others["plain vectors"] = evaluate(judged, plain)
    except (JudgementError, DatasetError, ModelError, ExportError, CacheError, OSError) as error:
        raise CommandError(str(error)) from error
    if as_json_text:
        sys.stdout.write(json.dumps(as_json(judged, figures)) + "\n")
    else:
        _print(dataset.name, judged, figures, others)
    return 0


def _print(name: str, judged: Judged, figures: Figures, others: dict[str, Figures]) -> None:
    console = Console(width=None if sys.stdout.isatty() else _UNBROKEN)
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


def _cell(estimate: Estimate, form: str = ".3f") -> str:
    if estimate.mean is None or estimate.low is None or estimate.high is None:
        return "-"
    return f"{estimate.mean:{form}} [{estimate.low:{form}}, {estimate.high:{form}}]"
