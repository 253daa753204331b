"""Which source is trusted for a fact: the sources in order, with exceptions where a later one wins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from build_pipeline.normalize.merging.draft import Draft

ANY: Final = "*"


@dataclass(frozen=True, slots=True)
class Wins:
    """Facts for which a source overrides every other.

    Attributes:
        columns: `<table>.<column>`.
        why: the evidence that it is right.
        documents: the documents where it wins; `*` for all.
    """

    columns: tuple[str, ...]
    why: str
    documents: tuple[str, ...] = (ANY,)


@dataclass(frozen=True)
class Authority:
    """The order in which sources are trusted.

    Attributes:
        sources: names of the sources, most trusted first.
        wins: source → the facts it wins.
    """

    sources: tuple[str, ...]
    wins: Mapping[str, Sequence[Wins]] = field(default_factory=dict)

    def rank(self, source: str) -> int:
        """A source's rank, 0 for the most trusted.

        Raises:
            ValueError: unknown source.
        """
        if source not in self.sources:
            msg = f"unknown source {source!r}; the sources are {', '.join(self.sources)}"
            raise ValueError(msg)
        return self.sources.index(source)

    def witnesses(self, drafts: Iterable[Draft], document: str, table: str, column: str) -> list[Draft]:
        """The drafts whose values for a column count, most trusted first.

        If a source wins the column and has a value, only that value counts.
        """
        speaking = [draft for draft in drafts if draft.facts.get(column) is not None]
        winning = [draft for draft in speaking if self._wins(draft.source, document, f"{table}.{column}")]
        return winning[:1] or speaking

    def _wins(self, source: str, document: str, column: str) -> bool:
        return any(
            column in claim.columns and (document in claim.documents or ANY in claim.documents)
            for claim in self.wins.get(source, ())
        )
