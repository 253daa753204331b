"""`--engine ray`: the same bytes even if workers die; a one-line error without Ray.

Ray is an extra that `make setup` does not install; `make test-ray` does.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hashes import contents
from starter_rows import STARTER

from build_pipeline import cli

STORE = 2**27
"""Bytes of shared memory for each node of the cluster."""
HALF_WAY = 256
"""A passage in the middle of the starter's passages."""

BUILD = "from build_pipeline.cli import main; main()"
DYING = f"""
import os, signal, sys
from pathlib import Path
import ray
from build_pipeline.cli import main
from build_pipeline.index import ray_engine

seen, victim = Path(sys.argv.pop(1)), sys.argv.pop(1)

class Dying(ray_engine.Worker):
    def __call__(self, batch):
        (seen / f"{{ray.get_runtime_context().get_node_id()}}.{{os.getpid()}}").touch()
        if {HALF_WAY} in batch["row"] and not (seen / "killed").exists():
            (seen / "killed").touch()
            os.kill(os.getpid() if victim == "actor" else os.getppid(), signal.SIGKILL)
        return super().__call__(batch)

ray_engine.Worker = Dying
main()
"""
OTHER = """
import onnxruntime
onnxruntime.__version__ += ".1"
from build_pipeline.cli import main
main()
"""


@pytest.fixture
def build(tiny_model: Path, build_cache: Path, tmp_path: Path):  # type: ignore[no-untyped-def]
    """Runs a build as a user does, with a cache that has only the exported model; returns the ended process."""
    from build_pipeline.index.export import exported
    from build_pipeline.index.models import find_model

    exported(find_model(str(tiny_model)), build_cache)
    common = ("--snapshot", STARTER, "--model", tiny_model, "--chunks", 2, "--json")

    def run(out: Path, *options: object, script: tuple[object, ...] = (BUILD,), address: str = ""):  # type: ignore[no-untyped-def]
        cache = tmp_path / f"cache of {out.name}"
        cache.mkdir()
        (cache / "encoders").symlink_to(build_cache / "encoders")
        command = [sys.executable, "-c", *script, "build", *common, "--out", out, "--cache-dir", cache, *options]
        # Ray stores the token of a cluster that it starts in the user's home.
        environment = {**os.environ, "RAY_ADDRESS": address, "HOME": str(tmp_path)}
        return subprocess.run([*map(str, command)], env=environment, capture_output=True, text=True, check=False)

    return run


@pytest.fixture
def local(build, tmp_path: Path) -> dict[str, str]:  # type: ignore[no-untyped-def]
    """The dataset that the engine `local` builds."""
    done = build(tmp_path / "local")
    assert done.returncode == 0, done.stderr
    return contents(tmp_path / "local")


@pytest.fixture
def cluster() -> Iterator[str]:
    """Address of a cluster on this machine: a head without workers, and two nodes with one core each."""
    pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "object_store_memory": STORE})
    for _ in range(2):
        nodes.add_node(num_cpus=1, object_store_memory=STORE)
    yield nodes.address
    nodes.shutdown()


@pytest.mark.thorough
def test_a_build_starts_a_cluster(build, local: dict[str, str], tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    pytest.importorskip("ray")
    done = build(tmp_path / "ray", "--engine", "ray")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["counts"]["entities"] > 0
    assert contents(tmp_path / "ray") == local


@pytest.mark.thorough
@pytest.mark.parametrize("victim", ["actor", "node"])
def test_a_killed_worker_changes_nothing(
    victim: str, build, local: dict[str, str], cluster: str, tmp_path: Path
) -> None:  # type: ignore[no-untyped-def]
    seen = tmp_path / "seen"
    seen.mkdir()
    done = build(tmp_path / "ray", "--engine", "ray", script=(DYING, seen, victim), address=cluster)
    assert (done.returncode, done.stderr) == (0, "")
    json.loads(done.stdout)
    assert (seen / "killed").exists()
    assert len({path.stem for path in seen.iterdir()} - {"killed"}) == 2, "both nodes had their part"
    assert contents(tmp_path / "ray") == local


@pytest.mark.thorough
def test_a_worker_with_another_onnxruntime_is_refused(build, cluster: str, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    done = build(tmp_path / "ray", "--engine", "ray", script=(OTHER,), address=cluster)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(
        "lorekeeper-build: Ray cannot continue; what it computed is kept for the next build ("
    )
    assert done.stderr.endswith(
        "EngineError: a worker has another version of onnxruntime, of tokenizers or of this package than this "
        "machine)\n"
    )
    assert done.stderr.count("\n") == 1


@pytest.mark.thorough
def test_a_cluster_that_does_not_answer_is_named(build, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    pytest.importorskip("ray")
    done = build(tmp_path / "ray", "--engine", "ray", address="127.0.0.1:9")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("lorekeeper-build: no cluster answers at RAY_ADDRESS=127.0.0.1:9 (")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("command", [("build", "--snapshot", STARTER, "--out", "nowhere"), ("all",)])
def test_a_missing_ray_is_named(
    command: tuple[object, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delitem(sys.modules, "build_pipeline.index.ray_engine", raising=False)
    monkeypatch.setattr(sys, "argv", ["lorekeeper-build", *map(str, command), "--engine", "ray", "--quiet"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("lorekeeper-build: the engine ray is not installed (")
    assert told.err.endswith("): pip install 'lorekeeper-offline[build,ray]'\n")
    assert list(tmp_path.iterdir()) == []
