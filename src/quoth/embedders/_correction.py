"""Take the language out of a vector, so that a question finds its answer in any language.

The model puts texts of one language near each other, whatever they say. The directions in which languages differ were
fitted on sentences that say the same in nine languages (`bench/fit_directions.py`). They are removed, and what all
texts have in common too. It is one fixed linear map: no language has to be recognised.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from io import BytesIO

import numpy as np

from quoth.embedders._weights import Floats

_FILE = "correction.npy"
_LEAST = 1e-3  # what has nothing but language in it keeps its own vector: a zero vector is near everything


@dataclass(frozen=True)
class Correction:
    """What every text has in common, and the directions in which languages differ, at right angles to each other."""

    common: Floats
    directions: Floats

    def __call__(self, vectors: Floats) -> Floats:
        """Return vectors of length one, without their language."""
        inner = vectors - (vectors @ self.directions.T) @ self.directions - self.common
        length = np.linalg.norm(inner, axis=1, keepdims=True)
        kept = np.where(length < _LEAST, vectors, inner)
        kept /= np.linalg.norm(kept, axis=1, keepdims=True)
        return kept

    def rows(self) -> Floats:
        """Return what is stored of it."""
        return np.vstack([self.common, self.directions]).astype(np.float32)


def fitted() -> Correction:
    """Return the correction that is shipped."""
    content = files("quoth.embedders").joinpath(_FILE).read_bytes()
    rows: Floats = np.load(BytesIO(content), allow_pickle=False)
    return Correction(rows[0], rows[1:])
