"""The report of a run, as JSON and as Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any, get_args

from benchmarks.assistant.cases import Kind
from benchmarks.assistant.grading import Grade
from benchmarks.assistant.transcript import Run


def as_json(run: Run, grades: Sequence[Grade]) -> dict[str, Any]:
    """The run, its totals overall and by kind, and every grade."""
    probes, questions = _parted(grades)
    return {
        "model": run.model,
        "date": run.date,
        "content": run.content,
        "dataset": run.identity,
        "listing_characters": _listing_characters(run),
        "probes": _totals(probes),
        "questions": _totals(questions),
        "kinds": {
            kind: {"probes": _totals(of(kind, probes)), "questions": _totals(of(kind, questions))}
            for kind in get_args(Kind)
            if of(kind, grades)
        },
        "cases": [asdict(grade) | {"right": grade.right} for grade in grades],
    }


def as_markdown(run: Run, grades: Sequence[Grade]) -> str:
    """The same for people, with the faults at the end."""
    probes, questions = _parted(grades)
    version = run.identity["version"]
    lines = [
        f"# {run.model}, {run.date}",
        "",
        f"Dataset: {run.content}, version {version}. Instructions and tools: {_listing_characters(run):,} characters.",
    ]
    for title, part in (("Probes", probes), ("Questions", questions)):
        if part:
            lines += ["", f"## {title}", "", *_table(part)]
    if wrong := [grade for grade in grades if not grade.right]:
        lines += ["", "## Wrong", "", *(f"- `{grade.id}` ({grade.kind}): {grade.fault}" for grade in wrong)]
    return "\n".join(lines) + "\n"


def of(kind: str, grades: Iterable[Grade]) -> list[Grade]:
    """The grades of a kind."""
    return [grade for grade in grades if grade.kind == kind]


def _parted(grades: Sequence[Grade]) -> tuple[list[Grade], list[Grade]]:
    return [g for g in grades if g.is_probe], [g for g in grades if not g.is_probe]


def _table(grades: Sequence[Grade]) -> list[str]:
    rows = [(kind, of(kind, grades)) for kind in get_args(Kind)]
    lines = ["| kind | right | calls | refused | characters read |", "| --- | --- | --- | --- | --- |"]
    for name, part in (*rows, ("**all**", list(grades))):
        if part:
            t = _totals(part)
            lines.append(
                f"| {name} | {t['right']} of {t['cases']} | {t['calls']} | {t['refused']} | {t['characters']:,} |"
            )
    return lines


def _totals(grades: Sequence[Grade]) -> dict[str, int]:
    return {
        "cases": len(grades),
        "right": sum(grade.right for grade in grades),
        "calls": sum(grade.calls for grade in grades),
        "refused": sum(grade.refused for grade in grades),
        "characters": sum(grade.characters for grade in grades),
    }


def _listing_characters(run: Run) -> int:
    return len(run.instructions) + len(json.dumps(run.tools, ensure_ascii=False, separators=(",", ":")))
