"""One library called from several threads."""

from concurrent.futures import ThreadPoolExecutor

from server.dataset.dataset import Dataset
from server.library.library import Library
from server.library.requests.request import Request


def test_concurrent_calls_get_the_same_answers(tiny: Dataset) -> None:
    library = Library(tiny)
    requests = [Request(family="all", search=f"flame {n % 7}", limit=5 + n % 3) for n in range(40)]
    requests += [Request(family="spell", name="fire*", limit=1 + n % 5) for n in range(40)]
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(library.find, requests))
    assert together == [library.find(request) for request in requests]
