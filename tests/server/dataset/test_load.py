"""A dataset with an intact file of the wrong kind is refused, naming the file."""

from pathlib import Path

import faiss
import pytest

from server.dataset.load import load_dataset
from server.dataset.manifest import DatasetError


def test_an_inexact_index_is_refused(altered):
    def approximate(file: Path) -> None:
        flat = faiss.read_index(str(file))
        faiss.write_index(faiss.IndexHNSWFlat(flat.d, 4, faiss.METRIC_INNER_PRODUCT), str(file))

    with pytest.raises(DatasetError, match=r"index\.faiss is of type IndexHNSWFlat, .* flat, exact index"):
        load_dataset(altered({"index.faiss": approximate}))
