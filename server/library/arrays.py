"""The array types that the engine passes around, with their shapes.

An entity is identified by its row in the catalogue (`catalogue.py`). Arrays over the whole catalogue have one value per
entity, in catalogue order.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Mask = npt.NDArray[np.bool_]
"""bool[catalogue size]: a set of entities."""

Rows = npt.NDArray[np.int64]
"""int64[n]: a list of entities by catalogue row; also positions in other arrays, where a docstring says so."""

Vector = npt.NDArray[np.float32]
"""float32[n]: an embedding (n = dimensions) or one similarity per entity."""

Floats = npt.NDArray[np.float64]
"""float64[n]: one score per entity."""
