"""Rules about what the build was made from: the books' files are complete, and the manual corrections apply."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from build_pipeline.check.rule import Verdict, World
from build_pipeline.normalize.books.tree import BARE_HEADING


@dataclass(frozen=True, slots=True)
class ProblemRule:
    """A rule that no problem was reported for a kind of raw object.

    Attributes:
        name: as `Rule.name`.
        meaning: as `Rule.meaning`.
        about: the prefixes of the objects' ids.
    """

    name: str
    meaning: str
    about: tuple[str, ...]

    def verdicts(self, world: World) -> Iterator[tuple[str, Verdict]]:
        """(Raw id, what is wrong with it) for every problem; None for a heading above others, which needs no text."""
        for problem in world.evidence.problems:
            if problem["raw"].startswith(self.about):
                page = f" ({problem['page']})" if problem.get("page") else ""
                yield problem["raw"], None if problem["reason"] == BARE_HEADING else f"{problem['reason']}{page}"


@dataclass(frozen=True, slots=True)
class CorrectionsRule(ProblemRule):
    """The rule that every manual correction still applies."""

    def verdicts(self, world: World) -> Iterator[tuple[str, Verdict]]:
        """The problems reported for corrections; None for every other correction of an entity that exists."""
        broken = list(ProblemRule.verdicts(self, world))
        yield from broken
        for correction in world.evidence.corrections:
            reported = any(str(verdict).startswith(f"{correction} ") for _, verdict in broken)
            if correction.entity in world.by_id and not reported:
                yield correction.entity, None


RULES: Final = (
    ProblemRule("books-read", "The books' files are as declared, and every section is read.",
                ("srd/", "book_texts.toml/")),
    CorrectionsRule("corrections-apply", "Every correction still applies.", ("corrections/",)),
)  # fmt: skip
