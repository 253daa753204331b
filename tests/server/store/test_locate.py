"""Which of several datasets is served."""

import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from mirror import NEW, OLD

from server.dataset.manifest import DatasetError
from server.store.age import age_warning
from server.store.home import HOME_VARIABLE, Home
from server.store.locate import DATASET_VARIABLE, installed_datasets, locate_dataset

Environment = dict[str, str]


@pytest.fixture
def nowhere(tmp_path: Path) -> Environment:
    return {HOME_VARIABLE: str(tmp_path / "nowhere")}


def install_wheel(site: Path, name: str, folder: Path) -> None:
    """An installed dataset package, as a package manager leaves it."""
    module = name.replace("-", "_")
    (site / module).mkdir(parents=True)
    (site / module / "__init__.py").write_text(f"import pathlib\nfolder = pathlib.Path({str(folder)!r})\n")
    info = site / f"{module}-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[lorekeeper.datasets]\n{module} = {module}:folder\n")


@pytest.fixture
def wheels(editions: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path, with the packages of both releases."""
    site = tmp_path / "site"
    install_wheel(site, f"tome-{tmp_path.name}-a", editions[NEW])
    install_wheel(site, f"tome-{tmp_path.name}-b", editions[OLD])
    monkeypatch.syspath_prepend(str(site))
    return site


@pytest.mark.usefixtures("wheels")
def test_datasets_have_an_order_of_precedence(home: Home, editions: dict[str, Path], nowhere: Environment):
    environment = {HOME_VARIABLE: str(home.root), DATASET_VARIABLE: "named"}
    assert locate_dataset(Path("option"), environment) == Path("option")
    assert locate_dataset(None, environment) == Path("named")
    assert locate_dataset(None, environment | {DATASET_VARIABLE: " "}) == home.folder(OLD)
    assert locate_dataset(None, nowhere) == editions[NEW]


def test_no_dataset_is_an_error(nowhere: Environment):
    assert locate_dataset(None, nowhere) is None
    assert not Path(nowhere[HOME_VARIABLE]).exists()


@pytest.mark.usefixtures("wheels")
def test_every_installed_release_is_found(editions: dict[str, Path]):
    assert installed_datasets() == editions


def test_a_package_without_its_dataset_is_named(wheels: Path, nowhere: Environment):
    install_wheel(wheels, f"tome-{wheels.parent.name}-c", wheels / "gone")
    with pytest.raises(DatasetError, match="gone is not a dataset"):
        locate_dataset(None, nowhere)
    (wheels / f"tome_{wheels.parent.name}_c" / "__init__.py").write_text("")


def test_a_pointer_to_a_missing_dataset_is_named(home: Home):
    environment = {HOME_VARIABLE: str(home.root)}
    home.folder(OLD).rename(home.root / "elsewhere")
    with pytest.raises(DatasetError, match=f"the dataset in use, {OLD}, is missing"):
        locate_dataset(None, environment)
    (home.root / "current").write_text("../../etc\n", encoding="utf-8")
    with pytest.raises(DatasetError, match="is not a dataset version"):
        locate_dataset(None, environment)


@pytest.mark.parametrize(
    ("snapshot", "said"), [("2026-05-24T00:00:00Z", None), ("2026-05-23T00:00:00Z", "181 days old")]
)
def test_a_dataset_older_than_half_a_year_is_mentioned(snapshot, said):
    warning = age_warning(snapshot, datetime(2026, 11, 20, tzinfo=UTC))
    assert (warning is None) if said is None else (said in warning)


@pytest.mark.skipif(sys.platform == "win32", reason="there the folder does not depend on a list of users")
def test_a_user_without_a_home_directory_is_told_what_to_set(monkeypatch: pytest.MonkeyPatch):
    def unknown(_: int) -> None:
        raise KeyError

    for variable in ("HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr("pwd.getpwuid", unknown)
    with pytest.raises(DatasetError, match=r"no home directory .* set LOREKEEPER_HOME"):
        Home.of({})
