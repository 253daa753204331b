from __future__ import annotations

from collections.abc import Iterator

import pytest
from origin_server import Origin, serve


@pytest.fixture
def origin() -> Iterator[Origin]:
    """Both APIs, on a port of their own."""
    served = Origin()
    server = serve(served)
    yield served
    server.shutdown()
    server.server_close()
