"""Runs every rule over every record, with documented exceptions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final

from pydantic.dataclasses import dataclass as pydantic_dataclass

from build_pipeline.check import books, language, links, progressions, prose, provenance, ranges, sources, sums
from build_pipeline.check.rule import AnyRule, Difference, Evidence, World
from build_pipeline.declared import NOTHING_ELSE, DeclaredError, read_file, validated
from build_pipeline.tables import Record

RULES: Final[tuple[AnyRule, ...]] = (
    *ranges.RULES,
    *sums.RULES,
    *prose.RULES,
    *progressions.RULES,
    *links.RULES,
    *provenance.RULES,
    *language.RULES,
    *books.RULES,
    *sources.RULES,
)

EXCEPTIONS_FILE: Final = "check_exceptions.toml"


@pydantic_dataclass(frozen=True, slots=True, config=NOTHING_ELSE)
class Excused:
    """Records allowed to break a rule.

    Attributes:
        rule: the rule's name.
        entities: id patterns; `*` matches any run of characters.
        reason: why the fact is right, or cannot be decided.
        facts: patterns of the facts that may break it, for rules that distinguish a record's facts; `*` for all.
    """

    rule: str
    entities: tuple[str, ...]
    reason: str
    facts: tuple[str, ...] = ("*",)

    def covers(self, entity: str, fact: str) -> bool:
        """Whether it excuses a fact of an entity."""
        return any(fnmatchcase(entity, p) for p in self.entities) and any(fnmatchcase(fact, p) for p in self.facts)


@dataclass(frozen=True, slots=True)
class Finding:
    """One fact that breaks a rule; `reason` is set if it is excused."""

    rule: str
    entity: str
    message: str
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of running the rules.

    Attributes:
        counts: rule → number of facts checked.
        findings: the facts that break a rule, including excused ones.
        idle: unused exceptions.
    """

    counts: Mapping[str, int]
    findings: Sequence[Finding]
    idle: Sequence[Excused]

    @property
    def broken(self) -> list[Finding]:
        """The findings that are not excused."""
        return [finding for finding in self.findings if finding.reason is None]

    def rows(self) -> list[dict[str, Any]]:
        """One row per rule, as in the manifest: {rule, meaning, checked, broken, excepted, reasons}."""
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
    tables: Mapping[str, list[Record]],
    exceptions: Sequence[Excused] = (),
    rules: Iterable[AnyRule] = RULES,
    *,
    evidence: Evidence = Evidence(),  # noqa: B008 - immutable
) -> Checked:
    """Run every rule over every record.

    Args:
        tables: table → records.
        exceptions: what may break a rule, and why.
        rules: the rules to run.
        evidence: what the records were made from, for the rules about the books and the corrections.
    """
    world = World(tables, evidence)
    counts: Counter[str] = Counter()
    findings = []
    used: set[Excused] = set()
    for rule in rules:
        of_rule = [e for e in exceptions if e.rule == rule.name]
        for entity, verdict in rule.verdicts(world):
            counts[rule.name] += 1
            if verdict is None:
                continue
            broken = Difference("", verdict) if isinstance(verdict, str) else verdict
            excuse = next((e for e in of_rule if not broken.reason and e.covers(entity, broken.fact)), None)
            used |= {excuse} if excuse else set()
            reason = excuse.reason if excuse else broken.reason
            findings.append(Finding(rule.name, entity, broken.message, reason))
    return Checked(counts, findings, [e for e in exceptions if e not in used])


def read_exceptions(path: Path) -> list[Excused]:
    """Read an exceptions file.

    Raises:
        DeclaredError: it is missing, not TOML, not a list of exceptions, or an entry names an unknown rule.
    """
    entries = read_file(path, "exception")["exception"]
    return [_excused(f"{path}: exception {number}", entry) for number, entry in enumerate(entries, 1)]


def _excused(where: str, entry: Mapping[str, Any]) -> Excused:
    excused = validated(Excused, entry, where)
    names = {rule.name for rule in RULES}
    if excused.rule not in names:
        msg = f"{where}: unknown rule {excused.rule!r}; the rules are {', '.join(sorted(names))}"
        raise DeclaredError(msg)
    return excused
