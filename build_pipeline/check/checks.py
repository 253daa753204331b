"""Every rule over every record, with the exceptions that have a reason."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final

from build_pipeline.check import language, links, progressions, prose, ranges, sums
from build_pipeline.check.rule import Rule, World
from build_pipeline.tables import Record

RULES: Final = (*ranges.RULES, *sums.RULES, *prose.RULES, *progressions.RULES, *links.RULES, *language.RULES)

EXCEPTIONS_FILE: Final = "check_exceptions.toml"


class ExceptionsError(Exception):
    """The file of exceptions cannot be read; the message names the entry and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Excused:
    """Records that may break a rule.

    Attributes:
        rule: the rule's name.
        entities: patterns of ids, with `*` for any run of characters.
        reason: why it is right, or not to be decided.
    """

    rule: str
    entities: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One fact that breaks a rule; `reason` where that is excused."""

    rule: str
    entity: str
    message: str
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """What the rules found.

    Attributes:
        counts: rule → facts checked.
        findings: the facts that break a rule, excused ones included.
        idle: exceptions that excuse nothing.
    """

    counts: Mapping[str, int]
    findings: Sequence[Finding]
    idle: Sequence[Excused]

    @property
    def broken(self) -> list[Finding]:
        """The findings that nothing excuses."""
        return [finding for finding in self.findings if finding.reason is None]

    def rows(self) -> list[dict[str, Any]]:
        """One row a rule, as the manifest has it: {rule, meaning, checked, broken, excepted, reasons}."""
        broken = Counter(finding.rule for finding in self.broken)
        excused = Counter(finding.rule for finding in self.findings if finding.reason is not None)
        return [
            {
                "rule": rule.name,
                "meaning": rule.meaning,
                "checked": self.counts.get(rule.name, 0),
                "broken": broken[rule.name],
                "excepted": excused[rule.name],
                "reasons": sorted({f.reason for f in self.findings if f.rule == rule.name and f.reason}),
            }
            for rule in RULES
        ]


def check(
    tables: Mapping[str, list[Record]], exceptions: Sequence[Excused] = (), rules: Iterable[Rule] = RULES
) -> Checked:
    """Ask every rule about every record.

    Args:
        tables: table → records.
        exceptions: what may break a rule, and why.
        rules: the rules to ask.
    """
    world = World(tables)
    counts: Counter[str] = Counter()
    findings = []
    used: set[Excused] = set()
    for rule in rules:
        of_rule = [e for e in exceptions if e.rule == rule.name]
        for entity, verdict in rule.verdicts(world):
            counts[rule.name] += 1
            if verdict is not None:
                excuse = next((e for e in of_rule if any(fnmatchcase(entity, p) for p in e.entities)), None)
                used |= {excuse} if excuse else set()
                findings.append(Finding(rule.name, entity, verdict, excuse.reason if excuse else None))
    return Checked(counts, findings, [e for e in exceptions if e not in used])


def read_exceptions(path: Path) -> list[Excused]:
    """Read a file of exceptions; none where there is no file.

    Raises:
        ExceptionsError: it is no TOML of that form, or names no rule.
    """
    if not path.is_file():
        return []
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8")).get("exception", [])
    except tomllib.TOMLDecodeError as error:
        msg = f"{path}: {error}"
        raise ExceptionsError(msg) from error
    return list(_exceptions(path, entries))


def _exceptions(path: Path, entries: Iterable[Mapping[str, Any]]) -> Iterator[Excused]:
    names = {rule.name for rule in RULES}
    for number, entry in enumerate(entries, 1):
        if set(entry) != {"rule", "entities", "reason"}:
            msg = f"{path}: exception {number} has {', '.join(sorted(entry))}; it takes rule, entities and reason"
            raise ExceptionsError(msg)
        if entry["rule"] not in names:
            msg = f"{path}: exception {number}: {entry['rule']!r} is no rule; there are {', '.join(sorted(names))}"
            raise ExceptionsError(msg)
        yield Excused(entry["rule"], tuple(entry["entities"]), entry["reason"])
