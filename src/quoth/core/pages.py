"""Opaque cursors: where a listing goes on, sealed to the question it belongs to."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

from quoth.core.errors import InvalidArgument
from quoth.core.model import Json


@dataclass(frozen=True, slots=True)
class Page:
    """How many items to give and how many to leave out; `question` is a hash of everything else that was asked."""

    limit: int
    offset: int
    question: str

    def next(self, given: int) -> str | None:
        """Return the cursor of the following page, or None when this one was not full."""
        if given < self.limit:
            return None
        return base64.urlsafe_b64encode(f"{self.question}:{self.offset + given}".encode()).decode().rstrip("=")


def page(asked: Mapping[str, Json], *, limit: int, most: int, cursor: str | None) -> Page:
    """Check `limit` and `cursor` of a listing.

    Raises:
        InvalidArgument: the limit is out of range, or the cursor belongs to another question.
    """
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= most:
        raise InvalidArgument("limit", f"an integer from 1 to {most}")
    question = hashlib.sha256(json.dumps(dict(asked), sort_keys=True).encode()).hexdigest()[:12]
    return Page(limit, _offset(cursor, question) if cursor else 0, question)


def _offset(cursor: str, question: str) -> int:
    try:
        said, _, offset = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode().partition(":")
    except ValueError:
        said, offset = "", ""
    if said != question or not offset.isdecimal():
        raise InvalidArgument("cursor", "the `next` of an answer to the same question")
    return int(offset)
