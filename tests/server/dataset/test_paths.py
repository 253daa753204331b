"""Column paths: what they reach, and the errors for those that reach nothing."""

import polars as pl
import pytest

from server.dataset.paths import resolve
from server.dataset.tables.columns import Column, Table

DAMAGE = pl.List(pl.Struct({"type": pl.String}))
TABLE = Table(
    "beasts",
    "Beasts.",
    (),
    (
        Column("level", pl.Int32, ""),
        Column("speed", pl.Struct({"walk": pl.Int32, "fly": pl.Float64, "hover": pl.Boolean, "note": pl.String}), ""),
        Column("actions", pl.List(pl.Struct({"attacks": pl.List(pl.Struct({"damage": DAMAGE}))})), ""),
        Column("features", pl.List(pl.Struct({"levels": pl.List(pl.Int32)})), ""),
    ),
)
ROWS = [
    {
        "level": 1,
        "speed": {"walk": 30, "fly": None, "hover": False, "note": "in dim light"},
        "actions": [
            {"attacks": [{"damage": [{"type": "fire"}, {"type": "cold"}]}, {"damage": [{"type": "acid"}]}]},
            {"attacks": None},
        ],
        "features": [{"levels": [1, 3]}, {"levels": [5]}],
    },
    {"level": None, "speed": {"walk": 0, "fly": 60.0, "hover": True, "note": None}, "actions": [], "features": []},
    {"level": 2, "speed": None, "actions": None, "features": None},
]


@pytest.mark.parametrize(
    ("path", "dtype", "values"),
    [
        ("level", pl.Int32, [1, None, 2]),
        ("speed.hover", pl.Boolean, [False, True, None]),
        ("speed.*", pl.List(pl.String), [["walk", "note"], ["fly", "hover"], []]),
        ("features[].levels", pl.List(pl.Int32), [[1, 3, 5], [], None]),
        ("actions[].attacks[].damage[].type", pl.List(pl.String), [["fire", "cold", "acid", None], [], None]),
    ],
)
def test_a_path_reaches_columns_and_members(path, dtype, values):
    expression, found = resolve(TABLE, path)
    reached = pl.DataFrame(ROWS, schema=TABLE.schema).select(reached=expression)["reached"]
    assert found == reached.dtype == dtype
    assert [v if v is None or dtype != pl.List else list(v) for v in reached.to_list()] == values


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("", "columns are level, speed"),
        ("levle", "columns are level, speed"),
        ("speed.swim", "Struct.* has no member swim"),
        ("speed[]", r"Struct.* has no member \[\]"),
        ("speed .hover", "is not a path into the table beasts"),
        ("level.*", r"Int32 has no member \*"),
        ("actions.attacks", r"List.* has no member attacks"),
        ("speed.*.walk", "is not a path"),
    ],
)
def test_an_unknown_path_names_where_it_ends(path, said):
    with pytest.raises(ValueError, match=said):
        resolve(TABLE, path)
