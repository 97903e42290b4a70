"""What one message of an export is made of."""

from __future__ import annotations

from dataclasses import dataclass

from quoth.core.model import Kind, Role


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a message. `id` is what stands behind the program's name; `tool` is whom a call or result belongs to.

    `unknown` names something that we do not know, to be counted.
    """

    id: str
    role: Role
    kind: Kind
    text: str
    tool: str = ""
    own: bool = False
    unknown: str = ""
