"""What a class gains from one level to another: features, and changes of the numbers in its table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from server.library.facts import Row

_BONUS: Final = "Proficiency Bonus"


def gains(sources: Sequence[Row], first: int, last: int) -> list[dict[str, Any]]:
    """The gains of each level from `first` to `last`.

    Returns:
        A struct for each level: `level`; `features`, each with `name`, `description`, `again` (whether it was gained
        before) and `of`, the id of the class or subclass; `table`, the features as the class table names them;
        `numbers`, column of the table → `before`, `after` and `of`, for the numbers that change.
    """
    return [
        {
            "level": level,
            "features": [feature for source in sources for feature in features(source, level)],
            "table": [name for source in sources for name in _row(source, level).get("features") or ()],
            "numbers": {name: change for source in sources for name, change in _changes(source, level).items()},
        }
        for level in range(first, last + 1)
    ]


def numbers(source: Row, level: int) -> dict[str, str]:
    """The row of a level in the class table: column → value, the proficiency bonus first."""
    row = _row(source, level)
    if not row:
        return {}
    bonus = row["proficiency_bonus"]
    return ({} if bonus is None else {_BONUS: f"+{bonus}"}) | {
        column["name"]: column["value"] for column in row["columns"] or ()
    }


def has_column(source: Row, beginning: str) -> bool:
    """Whether the level table of a class or subclass has a column whose name begins so."""
    columns = (column for row in source["progression"] or () for column in row["columns"] or ())
    return any(column["name"].startswith(beginning) for column in columns)


def features(source: Row, level: int) -> Iterator[dict[str, Any]]:
    """The features that a class or subclass gains at a level.

    What has no level, such as a restriction on who may choose a subclass, comes with the first level of its features.
    """
    gained = [(feature, _levels(feature)) for feature in source["features"] or ()]
    first = min((at for _, levels in gained for at in levels), default=1)
    for feature, levels in gained:
        at = levels or [first]
        if level in at:
            yield {
                "name": feature["name"],
                "description": feature["description"],
                "again": level > min(at),
                "of": source["id"],
            }


def _levels(feature: Mapping[str, Any]) -> list[int]:
    return feature["levels"] or ([] if feature["level"] is None else [feature["level"]])


def _row(source: Row, level: int) -> dict[str, Any]:
    """The row of a level in the class table; empty if there is none."""
    return next((row for row in source["progression"] or () if row["level"] == level), {})


def _changes(source: Row, level: int) -> dict[str, dict[str, str | None]]:
    before, after = numbers(source, level - 1), numbers(source, level)
    return {
        name: {"before": before.get(name), "after": value, "of": source["id"]}
        for name, value in after.items()
        if value != before.get(name) and value not in (None, "—", "-", "")
    }
