"""Write canonical JSON and read it back with types: no value of the ledger is taken on trust."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TypeVar, cast

from quoth.core.model import Json

E = TypeVar("E", bound=StrEnum)
T = TypeVar("T")


def write(fields: Mapping[str, Json]) -> bytes:
    """Write an object: names sorted, no spaces, UTF-8, without the names whose value is None.

    Raises:
        ValueError: a number is not finite, or a text holds half a surrogate pair.
    """
    present = {name: value for name, value in fields.items() if value is not None}
    text = json.dumps(present, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8")


class Reader:
    """Gives the fields of an object by name and type, and raises ValueError for what is not there or not that."""

    def __init__(self, source: bytes | Json) -> None:
        found = json.loads(source) if isinstance(source, bytes) else source
        if not isinstance(found, dict):
            raise ValueError("not an object")
        self._fields = cast("Mapping[str, Json]", found)

    def text(self, name: str) -> str:
        return _expect(name, self._fields.get(name), str)

    def whole(self, name: str) -> int:
        value = _expect(name, self._fields.get(name), int)
        if isinstance(value, bool):
            raise ValueError(f"{name} is no whole number")
        return value

    def real(self, name: str) -> float:
        value = self._fields.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(f"{name} is no number")
        return float(value)

    def flag(self, name: str) -> bool:
        return _expect(name, self._fields.get(name, False), bool)

    def word(self, name: str, words: type[E]) -> E:
        return words(self.text(name))

    def binary(self, name: str) -> bytes:
        return bytes.fromhex(self.text(name))

    def texts(self, name: str) -> tuple[str, ...]:
        return tuple(_expect(name, value, str) for value in self.array(name))

    def array(self, name: str) -> tuple[Json, ...]:
        return tuple(_expect(name, self._fields.get(name, []), list))

    def inner(self, name: str) -> Mapping[str, Json]:
        found = self._fields.get(name, {})
        return cast("Mapping[str, Json]", _expect(name, found, dict))

    def maybe(self, name: str, read: Callable[[str], T]) -> T | None:
        """Read a field that may be absent."""
        return read(name) if self._fields.get(name) is not None else None


def _expect(name: str, value: Json, kind: type[T]) -> T:
    if not isinstance(value, kind):
        raise ValueError(f"{name} is no {kind.__name__}")
    return value
