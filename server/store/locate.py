"""Which dataset to serve where several could be meant."""

from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Final

from server.dataset.manifest import DatasetError, read_manifest
from server.store.home import Home
from server.store.listing import ENTRY_POINT_GROUP, version_key

if TYPE_CHECKING:
    from collections.abc import Mapping

DATASET_VARIABLE: Final = "LOREKEEPER_DATASET"

HOW_TO_GET_ONE: Final = (
    "no dataset: `lorekeeper pull` fetches the newest, `lorekeeper pull --from FILE` takes one from an archive, "
    f"`pip install lorekeeper-dataset` one from a package mirror; --dataset DIR or {DATASET_VARIABLE} name a folder"
)


def locate_dataset(option: Path | None, environment: Mapping[str, str]) -> Path | None:
    """The folder of the dataset to serve; None where there is none.

    The first of: the option, the environment, the pulled one in use, the newest installed wheel.

    Raises:
        DatasetError: the pointer to the pulled one in use leads nowhere.
    """
    return named_dataset(option, environment) or _pulled(Home.of(environment)) or _newest(installed_datasets())


def named_dataset(option: Path | None, environment: Mapping[str, str]) -> Path | None:
    """The folder that the option names, else the environment; None where neither does."""
    if option is not None:
        return option
    named = environment.get(DATASET_VARIABLE, "").strip()
    return Path(named) if named else None


def installed_datasets() -> dict[str, Path]:
    """Version → folder of every dataset that is installed as a package.

    Raises:
        DatasetError: a package announces a dataset that is none.
    """
    found = {}
    for entry in entry_points(group=ENTRY_POINT_GROUP):
        try:
            folder = Path(entry.load())
        except (ImportError, AttributeError, TypeError) as error:
            msg = f"the package {entry.value} announces a dataset that it does not have ({error}); reinstall it"
            raise DatasetError(msg) from error
        found[read_manifest(folder)["dataset_version"]] = folder
    return found


def _pulled(home: Home) -> Path | None:
    version = home.current()
    if version is None:
        return None
    folder = home.folder(version)
    if not folder.is_dir():
        msg = f"the dataset in use, {version}, is missing from {folder.parent}; pull or use another"
        raise DatasetError(msg)
    return folder


def _newest(datasets: Mapping[str, Path]) -> Path | None:
    return datasets[max(datasets, key=version_key)] if datasets else None
