"""The model on this machine: multilingual-e5-small, with weights that come as a package. Nothing is downloaded."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from quoth.core.errors import EmbedderFailed
from quoth.core.vectors import Use, Vectors, tidy
from quoth.embedders import _files

if TYPE_CHECKING:
    from quoth.embedders._reader import Reader

_MISSING = "NumPy or the weights are not installed"
_REMEDY = "Install Quoth with its extra `local`."


class Local:
    """Loads the weights when the first text comes, and keeps them."""

    model = "e5-small-q4-1"
    """The weights, and the version of what is done around them: tidying, tokens, windows, correction."""

    dimensions = 384

    scale = (
        (-0.05, 0.0),
        (0.1, 0.1),
        (0.2, 0.23),
        (0.3, 0.45),
        (0.4, 0.69),
        (0.5, 0.86),
        (0.6, 0.94),
        (0.8, 0.99),
        (1.0, 1.0),
    )
    """Fitted by `python -m bench.fit_scale`."""

    def __init__(self, weights: Path | None = None) -> None:
        """Use a file of weights, or the one of the package."""
        self._given = weights

    def is_installed(self) -> bool:
        """Tell whether all that is needed is there, without loading it."""
        return find_spec("numpy") is not None and (self._given or _files.installed()) is not None

    def check(self) -> None:
        if not self.is_installed():
            raise EmbedderFailed("local", _MISSING, _REMEDY)

    def embed(self, texts: Sequence[str], *, use: Use) -> Sequence[Vectors]:
        return self._reader.read([tidy(text) for text in texts], use=use)

    @cached_property
    def _reader(self) -> Reader:
        weights = self._given or _files.installed()
        if find_spec("numpy") is None or weights is None:
            raise EmbedderFailed("local", _MISSING, _REMEDY)
        from quoth.embedders._reader import Reader

        try:
            return Reader(weights)
        except _files.Unusable as error:
            raise EmbedderFailed("local", str(error), _REMEDY) from error


EMBEDDER = Local
