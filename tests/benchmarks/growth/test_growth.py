"""Synthetic growth: datasets that contain the real one several times, and that the server loads."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from benchmarks.growth.dataset import grow
from benchmarks.growth.drawing import drawing
from benchmarks.growth.names import recombined
from benchmarks.growth.results import exponent
from benchmarks.growth.tables import repeated_columns
from benchmarks.growth.vectors import Perturbation
from server.dataset.load import load_dataset
from server.dataset.verify import verify

ROOT = Path(__file__).parents[3]


def test_a_grown_dataset_is_valid_and_has_everything_three_times(starter_dataset: Path, tmp_path: Path) -> None:
    grow(starter_dataset, tmp_path / "grown", 3)
    assert verify(tmp_path / "grown") == []
    real, grown = load_dataset(starter_dataset), load_dataset(tmp_path / "grown")
    assert grown.index.ntotal == 3 * real.index.ntotal
    for name, frame in real.tables.items():
        copies = grown.tables[name]
        assert copies.height == 3 * frame.height
        assert set(frame["id"]) < set(copies["id"])
        counted = frame["document_key"].value_counts().sort("document_key")
        assert copies["document_key"].value_counts().sort("document_key")["count"].equals(3 * counted["count"])
    parents = grown.tables["rules"].filter(pl.col("parent").struct.field("id").is_not_null())
    assert set(parents["parent"].struct.field("id")) <= grown.ids
    own = pl.col("id").str.contains("-copy-1") == pl.col("parent").struct.field("id").str.contains("-copy-1")
    assert parents.select(own.all()).item()


def test_each_entity_may_keep_one_passage(starter_dataset: Path, tmp_path: Path) -> None:
    grow(starter_dataset, tmp_path / "grown", 2, 1)
    grown = load_dataset(tmp_path / "grown")
    assert grown.vectors["entity_id"].is_unique().all()
    assert set(grown.vectors["entity_id"]) == grown.ids


def test_names_keep_their_lengths_and_are_new() -> None:
    names = [f"{colour} {beast}" for colour in ("red", "blue", "grey") for beast in ("fox", "hart", "wyrm")]
    names += ["fireball", "lightning", "old marshwight"]
    made = recombined(names, np.random.default_rng(1))
    assert set(made) == set(names)
    assert made["fireball"] not in names
    assert [len(made[name].split()) for name in names] == [len(name.split()) for name in names]
    assert {word for name in names[:9] for word in made[name].split()} >= {"red", "fox"}


def test_copies_of_vectors_are_unit_vectors_at_the_distance_of_neighbours() -> None:
    chance = np.random.default_rng(1)
    vectors = chance.normal(size=(500, 16)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    copy = np.concatenate(list(Perturbation(vectors, chance).copy()))
    assert np.allclose(np.linalg.norm(copy, axis=1), 1, atol=1e-5)
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, -1)
    nearest = cosines.max(axis=1)
    moved = np.einsum("ij,ij->i", vectors, copy)
    assert moved.mean() == pytest.approx(nearest.mean(), abs=0.02)


def test_a_sparse_matrix_is_repeated_below_itself() -> None:
    starts, rows, data = np.array([0, 2, 2, 3]), np.array([0, 2, 1]), np.array([5.0, 6.0, 7.0])
    new_starts, new_rows, places = repeated_columns(starts, rows, 3, 2)
    assert new_starts.tolist() == [0, 4, 4, 6]
    assert new_rows.tolist() == [0, 2, 3, 5, 1, 4]
    assert data[places].tolist() == [5, 6, 5, 6, 7, 7]


def test_an_exponent_is_a_slope_of_logarithms() -> None:
    assert exponent([1, 10, 100], [3, 30, 300]) == pytest.approx(1)
    assert exponent([1, 10, 100], [7, 7, 7]) == pytest.approx(0)


def test_lines_are_drawn_inside_the_plot() -> None:
    svg = drawing({"search <x>": [(11_000, 8.0), (110_000, 40.0)]}, "entities", "ms", 50)
    assert "search &lt;x&gt;" in svg
    assert svg.count("<polyline") == 1


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_every_line_of_the_table_is_measured(starter_dataset: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "benchmarks.growth", str(starter_dataset), "--scale", "1", "2", "--out"]
    done = subprocess.run([*command, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    one, two = json.loads((tmp_path / "growth.json").read_text())["sizes"]
    assert two["entities"] == 2 * one["entities"]
    assert all(value > 0 for value in one.values())
    assert (tmp_path / "growth.svg").exists()
