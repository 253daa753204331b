"""The choice of the dataset to serve."""

from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Final

from server.dataset.listing import ENTRY_POINT_GROUP, version_key
from server.dataset.manifest import DatasetError, read_manifest
from server.store.home import Home
from server.store.publisher import listing_url

if TYPE_CHECKING:
    from collections.abc import Mapping

DATASET_VARIABLE: Final = "LOREKEEPER_DATASET"

WITHOUT_A_PUBLISHER: Final = (
    "`make demo` in a checkout puts a small one into out/demo, for --dataset; `lorekeeper-build all` builds the whole "
    "one from its sources and takes it into use; `lorekeeper pull --from FILE` installs an archive that you were given"
)
"""Ways to get a dataset that need no publisher."""


def how_to_get_one() -> str:
    """Ways to get a dataset if there is none; only those that work in this build."""
    published = "`lorekeeper pull` fetches the newest; " if listing_url() else ""
    named = f"where there is one, name its folder with --dataset DIR or {DATASET_VARIABLE}"
    return f"there is no dataset: {published}{WITHOUT_A_PUBLISHER}; {named}"


def locate_dataset(option: Path | None, environment: Mapping[str, str]) -> Path | None:
    """The folder of the dataset to serve; None if there is none.

    The first of: the option, the environment variable, the pulled dataset in use, the newest installed package.

    Raises:
        DatasetError: the pulled dataset in use is missing.
    """
    return named_dataset(option, environment) or _pulled(Home.of(environment)) or _newest(installed_datasets())


def named_dataset(option: Path | None, environment: Mapping[str, str]) -> Path | None:
    """The folder named by the option, otherwise by the environment variable; None if neither names one."""
    if option is not None:
        return option
    named = environment.get(DATASET_VARIABLE, "").strip()
    return Path(named) if named else None


def installed_datasets() -> dict[str, Path]:
    """Version → folder, for every dataset that is installed as a package.

    Raises:
        DatasetError: a package's entry point does not lead to a dataset.
    """
    found = {}
    for entry in entry_points(group=ENTRY_POINT_GROUP):
        try:
            folder = Path(entry.load())
        except (ImportError, AttributeError, TypeError) as error:
            msg = f"the installed package {entry.value} lacks its dataset ({error}); reinstall it"
            raise DatasetError(msg) from error
        found[read_manifest(folder)["dataset_version"]] = folder
    return found


def _pulled(home: Home) -> Path | None:
    version = home.current()
    if version is None:
        return None
    folder = home.folder(version)
    if not folder.is_dir():
        msg = f"the dataset in use, {version}, is missing from {folder.parent}; pull it again, or use another"
        raise DatasetError(msg)
    return folder


def _newest(datasets: Mapping[str, Path]) -> Path | None:
    return datasets[max(datasets, key=version_key)] if datasets else None
