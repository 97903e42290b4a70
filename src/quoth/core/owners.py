"""Name who owns an entry: everybody (`global`) or one agent (`agent:<name>`), in one spelling (MMC-10)."""

from __future__ import annotations

import re
import unicodedata

from quoth.core.errors import InvalidArgument
from quoth.core.ledger.values import GLOBAL

_PREFIX = "agent:"
_NAME = re.compile(r"[^\W_](?:[\w.@/ -]*[\w.@/-])?")
_LONGEST = 64


def owner(given: str, argument: str = "agent") -> str:
    """Return the owner that a text names; a bare name is an agent's, with or without `agent:`.

    Raises:
        InvalidArgument: it is of another kind, or no name.
    """
    said = unicodedata.normalize("NFC", given.strip())
    if said.lower() == GLOBAL:
        return GLOBAL
    name = said[len(_PREFIX) :].strip() if said.lower().startswith(_PREFIX) else said
    if not _is_name(name):
        raise InvalidArgument(
            argument, f"`{GLOBAL}` or `{_PREFIX}<name>`, with a name of at most {_LONGEST} letters and digits"
        )
    return f"{_PREFIX}{name}"


def _is_name(name: str) -> bool:
    """Tell whether a text is a name; vowel signs and accents belong to the letter before them."""
    letters = "".join(each for each in name if not unicodedata.category(each).startswith("M"))
    return len(name) <= _LONGEST and letters[:1] == name[:1] and _NAME.fullmatch(letters) is not None
