"""Which dataset to serve where several could be meant."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

DATASET_VARIABLE: Final = "LOREKEEPER_DATASET"

HOW_TO_GET_ONE: Final = (
    f"no dataset: name its folder with --dataset DIR or {DATASET_VARIABLE}; to make one from the web, run "
    "`lorekeeper-build snapshot --out SNAPSHOT`, then `lorekeeper-build build --snapshot SNAPSHOT --out DIR`"
)


def locate_dataset(option: Path | None, environment: Mapping[str, str]) -> Path | None:
    """The folder of the dataset to serve, the first of: the option, the environment; None where neither names one."""
    if option is not None:
        return option
    named = environment.get(DATASET_VARIABLE, "").strip()
    return Path(named) if named else None
