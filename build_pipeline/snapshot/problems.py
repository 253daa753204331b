"""Problems with what a source sent, for messages and for `snapshot.json`."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a source that could not be used as it is.

    Attributes:
        raw: what it is about: `<source>/<endpoint>`, or `<source>/<endpoint>/<key>` for one object.
        reason: what is wrong, and what was done about it.
        page: the URL (or file) where it occurred.
        field: the field it is in, if any.
    """

    raw: str
    reason: str
    page: str
    field: str = ""

    def __str__(self) -> str:
        where = f", field {self.field}" if self.field else ""
        return f"{self.raw}: {self.reason} (page {self.page}{where})"

    def as_row(self) -> dict[str, str]:
        """Its entry in `snapshot.json`."""
        return asdict(self)


class BrokenEndpointError(Exception):
    """An endpoint's pages do not fit together, so none of its objects is used."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem
