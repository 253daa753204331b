"""The same content gives the same bytes, whatever the order of files and objects and the number of cores."""

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hashes import contents

from build_pipeline.kept import RESULTS_FILE
from build_pipeline.release.allowed import AllowList
from build_pipeline.release.package import package


def shuffled(raw: Path, folder: Path) -> Path:
    """The same raw layer, its lines in another order."""
    shutil.copytree(raw, folder)
    order = random.Random(5)
    for path in (folder / "raw").rglob("*.jsonl"):
        lines = path.read_text(encoding="utf-8").splitlines()
        order.shuffle(lines)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def built(raw: Path, out: Path, model: Path, *options: str, **environment: str) -> dict[str, str]:
    command = [sys.executable, "-m", "build_pipeline.cli", "build", "--snapshot", str(raw), "--out", str(out)]
    subprocess.run(
        [*command, "--model", str(model), "--max-questions", "1", "--quiet", *options],
        env={**os.environ, **environment},
        check=True,
    )
    return contents(out)


@pytest.mark.thorough
def test_another_order_and_one_core_give_the_same_bytes(
    small_dataset: Path, tiny_model: Path, starter_raw: Path, tmp_path: Path
) -> None:
    raw = shuffled(starter_raw, tmp_path / "raw")
    one_core = {"OMP_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1", "PYTHONHASHSEED": "1"}

    assert built(raw, tmp_path / "dataset", tiny_model, "--no-cache", **one_core) == contents(small_dataset)


@pytest.mark.thorough
def test_a_build_with_cached_results_gives_the_same_bytes(
    small_dataset: Path, tiny_model: Path, starter_raw: Path, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"

    once, again = (
        built(starter_raw, tmp_path / name, tiny_model, "--cache-dir", str(cache)) for name in ("once", "again")
    )

    assert (cache / RESULTS_FILE).is_file()
    assert once == again == contents(small_dataset)


def test_a_release_made_twice_has_the_same_bytes(small_dataset: Path, allowed: AllowList, tmp_path: Path) -> None:
    for name in ("once", "again"):
        copy = tmp_path / name / "dataset"  # another place, other times and modes
        shutil.copytree(small_dataset, copy, copy_function=shutil.copyfile)
        package(copy, tmp_path / name / "release", allowed=allowed)

    assert contents(tmp_path / "once" / "release") == contents(tmp_path / "again" / "release")
