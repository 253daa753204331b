"""Which source is right: the sources in order, and the facts in which a later one is right all the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from build_pipeline.normalize.merging.draft import Draft

ANY: str = "*"


@dataclass(frozen=True, slots=True)
class Wins:
    """Facts in which a source is right against every other.

    Attributes:
        columns: `<table>.<column>`.
        why: what shows that it is right.
        documents: the documents in which it is; `*` stands for all.
    """

    columns: tuple[str, ...]
    why: str
    documents: tuple[str, ...] = (ANY,)


@dataclass(frozen=True)
class Authority:
    """The order in which sources are believed.

    Attributes:
        sources: names of the sources, the best first.
        wins: source → the facts that it wins.
    """

    sources: tuple[str, ...]
    wins: Mapping[str, Sequence[Wins]] = field(default_factory=dict)

    def rank(self, source: str) -> int:
        """The place of a source among all, 0 for the best.

        Raises:
            ValueError: it is not one of the sources.
        """
        if source not in self.sources:
            msg = f"{source!r} is no source; there are {', '.join(self.sources)}"
            raise ValueError(msg)
        return self.sources.index(source)

    def witnesses(self, drafts: Iterable[Draft], document: str, table: str, column: str) -> list[Draft]:
        """The drafts whose values of a column count, the most trusted first.

        Where a source wins the column and has a value, that value counts alone.
        """
        speaking = [draft for draft in drafts if draft.facts.get(column) is not None]
        winning = [draft for draft in speaking if self._wins(draft.source, document, f"{table}.{column}")]
        return winning[:1] or speaking

    def _wins(self, source: str, document: str, column: str) -> bool:
        return any(
            column in claim.columns and (document in claim.documents or ANY in claim.documents)
            for claim in self.wins.get(source, ())
        )
