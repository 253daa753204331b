"""A comparison for readers: plain text, JSON, Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import groupby
from typing import Any, Final

from rapidfuzz.distance import Prefix

from build_pipeline import text_files
from build_pipeline.evaluation.metrics import METRICS
from build_pipeline.release.comparison.compare import (
    DatasetDiff,
    EntityChange,
    EntityLabel,
    FieldChange,
    RetrievalChange,
)

_EXCERPT: Final = 60
"""Maximum length of a value shown."""
_BEFORE: Final = 15
"""How many of these characters come before the first difference."""


def as_json(comparison: DatasetDiff) -> str:
    """The whole comparison, with full values."""
    return text_files.as_json({"identical": comparison.identical, **asdict(comparison)})


def as_text(comparison: DatasetDiff) -> str:
    """A line for every difference, grouped by document and entity type."""
    lines = [f"{comparison.old_version} → {comparison.new_version}: {summary(comparison)}"]
    lines += [f"  {line}" for line in frame_lines(comparison)]
    lines += [f"  {line}" for line in retrieval_lines(comparison)]
    for (document, entity_type), group in change_groups(comparison):
        lines.append(f"{document}, {entity_type}:")
        lines += [f"  {sign} {line}" for sign, line in group]
    return "\n".join(lines) + "\n"


def as_markdown(comparison: DatasetDiff, limit: int | None = None) -> str:
    """Sections by document and entity type, each with at most `limit` lines."""
    lines = [f"{summary(comparison, bold=True)}."]
    if rows := [f"- {_escaped(line)}" for line in frame_lines(comparison)]:
        lines += ["", *rows]
    if rows := [f"- {line}" for line in retrieval_lines(comparison)]:
        lines += ["", "### Search", "", *rows]
    for (document, entity_type), group in change_groups(comparison):
        lines += ["", f"### {document}: {entity_type}", ""]
        lines += [f"- {_WORDS[sign]} {_escaped(line)}" for sign, line in group[:limit]]
        if limit is not None and len(group) > limit:
            lines.append(f"- … and {len(group) - limit:,} more")
    return "\n".join(lines) + "\n"


def summary(comparison: DatasetDiff, *, bold: bool = False) -> str:
    """How many entities were added, removed and changed, in one line."""
    counts = {
        "added": len(comparison.added),
        "removed": len(comparison.removed),
        "renamed": len(comparison.renamed),
        "changed": len(comparison.changed),
        "unchanged": comparison.unchanged,
    }
    marks = "**" if bold else ""
    return ", ".join(f"{marks}{count:,}{marks} {name}" for name, count in counts.items())


def excerpts(old: Any, new: Any) -> tuple[str, str]:
    """Both values on one line each, cut around their first difference."""
    texts = _plain(old), _plain(new)
    first = Prefix.similarity(*texts)
    start = max(0, first - _BEFORE) if max(map(len, texts)) > _EXCERPT else 0
    return _cut(texts[0], start), _cut(texts[1], start)


_WORDS: Final = {"+": "added", "-": "removed", "~": "changed", ">": "renamed"}


def change_groups(comparison: DatasetDiff) -> Iterator[tuple[tuple[str, str], list[tuple[str, str]]]]:
    """((document, entity type), [(sign, line)]) of all entities that differ."""
    entries: list[tuple[EntityLabel, str, str]] = [
        *((label, "+", f"{label.name} ({label.id})") for label in comparison.added),
        *((label, "-", f"{label.name} ({label.id})") for label in comparison.removed),
        *((change.entity, ">", _renamed(change)) for change in comparison.renamed),
        *((change.entity, "~", f"{change.entity.name}: {_fields(change.fields)}") for change in comparison.changed),
    ]
    entries.sort(key=lambda e: (e[0].document_key, e[0].entity_type, "+->~".index(e[1]), e[0].name, e[0].id))
    for where, group in groupby(entries, key=lambda e: (e[0].document_key, e[0].entity_type)):
        yield where, [(sign, line) for _, sign, line in group]


def _renamed(change: EntityChange) -> str:
    was = change.was.id if change.was else ""
    fields = f"; {_fields(change.fields)}" if change.fields else ""
    return f"{was} → {change.entity.id}{fields}"


def _fields(fields: Iterable[FieldChange]) -> str:
    return "; ".join(_field(f) for f in fields)


def _field(field: FieldChange) -> str:
    old, new = excerpts(field.old, field.new)
    return f"{field.column} {old} → {new}"


def frame_lines(comparison: DatasetDiff) -> Iterator[str]:
    """Changes of the schema, of documents and of the tags of shared entities, one line each."""
    if comparison.old_schema != comparison.new_schema:
        yield f"schema version {comparison.old_schema} → {comparison.new_schema}"
    for change in comparison.columns:
        where = f"column {change.table}.{change.column}"
        if change.old is None:
            yield f"{where} is new: {change.new}"
        elif change.new is None:
            yield f"{where} is gone"
        else:
            yield f"{where} was {change.old}, is {change.new}"

    yield from (f"document {key} is new" for key in comparison.documents_added)
    yield from (f"document {key} is gone" for key in comparison.documents_removed)
    for document in comparison.documents_changed:
        yield f"document {document.document_key}: {_fields(document.fields)}"
    for tag in comparison.tags:
        yield f"tag {tag.tag}: {tag.gained:,} entities more, {tag.lost:,} fewer"


def retrieval_lines(comparison: DatasetDiff) -> Iterator[str]:
    """Changes of search quality: a verdict with every metric, then the main metric by class and tool."""
    for change in comparison.retrieval[:1]:
        verdict = "clearly worse" if change.worse else "not clearly worse"
        yield f"search answers {change.queries} judged queries {verdict} than before"
        yield from (_metric(change, metric) for metric in METRICS if _has(change, metric))
    for change in comparison.retrieval[1:]:
        if _has(change, METRICS[0]):
            yield f"{change.group} ({change.queries}): {search_gain(change)}"


def search_gain(change: RetrievalChange) -> str:
    """The main metric before and after, and its mean paired difference with the 95 % interval."""
    return _metric(change, METRICS[0])


def _has(change: RetrievalChange, metric: str) -> bool:
    """Whether the metric applies to any of the queries."""
    return change.difference[metric].mean is not None


def _metric(change: RetrievalChange, metric: str) -> str:
    gain = change.difference[metric]
    return (
        f"{metric} {change.old[metric].mean:.3f} → {change.new[metric].mean:.3f}, "
        f"{gain.mean:+.3f} [{gain.low:+.3f}, {gain.high:+.3f}]"
    )


def _plain(value: Any) -> str:
    if value is None:
        return "unknown"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return " ".join(text.split())


def _cut(text: str, start: int) -> str:
    end = start + _EXCERPT
    return f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}"


def _escaped(line: str) -> str:
    """A line of Markdown with the markup in the books' texts escaped."""
    for mark in r"\`*_[]<>":
        line = line.replace(mark, f"\\{mark}")
    return line
