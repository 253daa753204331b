"""How accurate a dataset is: rules and what breaks them, manual corrections, and what became of every raw object."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any, Final

from build_pipeline.check.decisions import Decisions
from build_pipeline.release.comparison.changes import excerpts
from server.dataset.manifest import Manifest

MOST_FACTS: Final = 50
"""Facts listed under one reason, and raw objects under one problem; the dataset's own files have all."""


@dataclass(slots=True)
class Reason:
    """Why some facts may break a rule: (entity, what is wrong with it) of the first, and how many there are."""

    text: str
    facts: list[tuple[str, str]] = field(default_factory=list)
    count: int = 0

    def add(self, entity: str, message: str) -> None:
        self.count += 1
        if self.count <= MOST_FACTS:
            self.facts.append((entity, message))


def rules(manifest: Manifest, decisions: Decisions) -> list[dict[str, Any]]:
    """The manifest's checks, those with something to report first, each with its `why`: reasons and their facts."""
    why: dict[str, dict[str, Reason]] = defaultdict(dict)
    for finding in decisions["findings"]:
        text = finding["reason"] or ""
        why[finding["rule"]].setdefault(text, Reason(text)).add(finding["entity"], finding["message"])
    rows = []
    for row in manifest.get("checks", []):
        reasons = why[row["rule"]] or {text: Reason(text) for text in row["reasons"]}
        ordered = sorted(reasons.values(), key=lambda reason: (bool(reason.text), -reason.count, reason.text))
        rows.append({**row, "why": ordered})
    return sorted(rows, key=lambda row: (-row["broken"], -row["excepted"]))


def corrections(decisions: Decisions) -> list[tuple[str, list[dict[str, str]]]]:
    """Document → the facts corrected in it, with old and new value and the evidence; most corrected first."""
    groups: dict[str, list[dict[str, str]]] = defaultdict(list)
    for entry in decisions["corrections"]:
        was, now = excerpts(entry["instead_of"], entry["value"])
        facts = {key: entry[key] for key in ("entity", "column", "evidence")}
        groups[entry["entity"].split("/")[1]].append(
            facts | {"was": was, "now": now, "wrong": ", ".join(entry["wrong"])}
        )
    return sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))


def problems(manifest: Manifest) -> list[Reason]:
    """Raw objects that are in no record, by reason, the most frequent first."""
    found: dict[str, Reason] = {}
    for entry in manifest["problems"]:
        found.setdefault(entry["reason"], Reason(entry["reason"])).add(entry["raw"], "")
    return sorted(found.values(), key=lambda reason: (-reason.count, reason.text))


def sources(manifest: Manifest) -> list[dict[str, Any]]:
    """Each source with its objects, those in problems, and its endpoints."""
    lost = Counter(entry["raw"].partition("/")[0] for entry in manifest["problems"])
    return [
        {
            "name": source["source"],
            "base_url": source.get("base_url"),
            "fetched_at": source.get("fetched_at"),
            "objects": sum(endpoint["count"] for endpoint in source["endpoints"].values()),
            "problems": lost[source["source"]],
            "endpoints": {name: endpoint["count"] for name, endpoint in source["endpoints"].items()},
        }
        for source in manifest["sources"]
    ]


def coverage(manifest: Manifest) -> list[tuple[str, int]]:
    """(What became of them, how many), for all raw objects."""
    counts = manifest["coverage"]
    said = {
        "entities": "in records",
        "documents": "describe documents",
        "no_entities": "of endpoints that hold no records",
        "problems": "not used, each with its reason",
    }
    return [(text, counts[key]) for key, text in said.items()]
