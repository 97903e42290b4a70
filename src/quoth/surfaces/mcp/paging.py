"""Give long lists of the protocol in pages. A cursor is opaque to the client and says how many items came before."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import TYPE_CHECKING

from quoth.surfaces.mcp.protocol import InvalidParams

if TYPE_CHECKING:
    from quoth.core.model import Json

PAGE = 100


def page(name: str, items: Sequence[Json], cursor: Json) -> dict[str, Json]:
    """Return one page under `name`, with `nextCursor` when more follow; no cursor, or an empty one, is the first page.

    Raises:
        InvalidParams: no answer of ours had that cursor.
    """
    start = _start(cursor) if cursor else 0
    if start is None or (cursor and start >= len(items)):
        raise InvalidParams("`cursor` must be the `nextCursor` of an earlier answer")
    part: dict[str, Json] = {name: items[start : start + PAGE]}
    if start + PAGE < len(items):
        part["nextCursor"] = base64.urlsafe_b64encode(b"after %d" % (start + PAGE)).decode()
    return part


def _start(cursor: Json) -> int | None:
    try:
        text = base64.b64decode(str(cursor), altchars=b"-_", validate=True).decode()
    except ValueError:
        return None
    number = text.removeprefix("after ")
    return int(number) if number.isascii() and number.isdigit() and len(number) < 9 else None
