"""Read what OpenViking's `recall` is asked for, or say everything that is wrong with it (OV-5 to OV-7)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

TYPES = ("events", "entities", "preferences", "experiences")
"""The types of memory that are recalled, in the order of every answer."""

QUOTAS: Mapping[str, int] = {"events": 10, "entities": 10, "preferences": 3, "experiences": 0}
PENALTIES: Mapping[str, float] = {"events": 0.1, "entities": 0.1, "preferences": 0.02, "experiences": 0.02}
MAX_CHARS = 6_500
MIN_SCORE = 0.1
PEER_SCOPES = ("all", "actor")

_LARGEST = 1_000_000  # of a quota or a number of characters: more is never meant
_DIGITS = 12


class Violation(NamedTuple):
    """One thing that is wrong: where, in a sentence, and a stable word for it. `place` is a path in the request."""

    place: tuple[str, ...]
    message: str
    type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is asked for, complete: quotas and penalties name every type."""

    query: str
    quotas: Mapping[str, int]
    max_chars: int
    min_score: float
    is_actor_only: bool
    penalties: Mapping[str, float]
    is_rendered: bool


def read(given: Mapping[str, object]) -> Request | Sequence[Violation]:
    """Return the request that arguments make, with the defaults of what is absent, or all violations."""
    reading = _Reading(given)
    request = Request(
        query=reading.query(),
        quotas={**QUOTAS, **reading.quotas()},
        max_chars=min(max(0, reading.integer(("max_chars",), given.get("max_chars", MAX_CHARS))), _LARGEST),
        min_score=reading.number(("min_score",), given.get("min_score", MIN_SCORE)),
        is_actor_only=reading.choice("peer_scope", PEER_SCOPES) == "actor",
        penalties={**PENALTIES, **reading.penalties()},
        is_rendered=reading.flag("render"),
    )
    reading.unknown(("query", "quotas", "max_chars", "min_score", "peer_scope", "other_peer_penalty", "render"))
    return tuple(reading.violations) or request


class _Reading:
    """Takes values out of what was given; what can't be taken is a violation, and its stand-in is never used."""

    def __init__(self, given: Mapping[str, object]) -> None:
        self.given = given
        self.violations: list[Violation] = []

    def query(self) -> str:
        match self.given.get("query", Ellipsis):
            case str() as query if query.strip():
                return query
            case str():
                self._refuse(("query",), "The query must not be blank.", "value_error")
            case value if value is Ellipsis:
                self._refuse(("query",), "The query is required.", "missing")
            case _:
                self._refuse(("query",), "The query must be a string.", "string_type")
        return ""

    def quotas(self) -> Mapping[str, int]:
        by_type = self._by_type("quotas", self.given.get("quotas", {}))
        read = ((name, self.integer(("quotas", name), value)) for name, value in by_type)
        return {name: min(max(0, quota), _LARGEST) for name, quota in read}

    def penalties(self) -> Mapping[str, float]:
        given = self.given.get("other_peer_penalty")
        if given is None:
            return {}
        place = ("other_peer_penalty",)
        if not isinstance(given, Mapping):
            return dict.fromkeys(TYPES, _clamped(self.number(place, given)))
        by_type = self._by_type(*place, given)
        return {name: _clamped(self.number((*place, name), value)) for name, value in by_type}

    def integer(self, place: tuple[str, ...], value: object) -> int:
        """Return an integer, also one that is written as text or with zeros behind the point."""
        match value:
            case bool():
                self._refuse(place, "The value must be an integer.", "int_type")
            case int():
                return value
            case float() if value.is_integer():
                return int(value)
            case float():
                self._refuse(place, "The value must be an integer, without a fraction.", "int_from_float")
            case str() if _is_integer(value.strip()):
                return int(value)
            case str():
                self._refuse(place, "The text is no integer.", "int_parsing")
            case _:
                self._refuse(place, "The value must be an integer.", "int_type")
        return 0

    def number(self, place: tuple[str, ...], value: object) -> float:
        match value:
            case bool():
                self._refuse(place, "The value must be a number.", "float_type")
            case int() | float() | str():
                return self._finite(place, value)
            case _:
                self._refuse(place, "The value must be a number.", "float_type")
        return 0.0

    def choice(self, name: str, choices: Sequence[str]) -> str:
        value = self.given.get(name, choices[0])
        if isinstance(value, str) and value in choices:
            return value
        self._refuse((name,), f"The value must be {' or '.join(map(repr, choices))}.", "literal_error")
        return choices[0]

    def flag(self, name: str) -> bool:
        value = self.given.get(name, True)
        if not isinstance(value, bool):
            self._refuse((name,), "The value must be true or false.", "bool_type")
        return value is True

    def unknown(self, known: Sequence[str]) -> None:
        for name in self.given:
            if name not in known:
                self._refuse((name,), f"There is no such parameter; known are {', '.join(known)}.", "extra_forbidden")

    def _by_type(self, name: str, value: object) -> Iterator[tuple[str, object]]:
        if not isinstance(value, Mapping):
            self._refuse((name,), "The value must be an object.", "dict_type")
            return
        for key, each in value.items():
            if key in TYPES:
                yield key, each
            else:
                message = f"There is no such type of memory here; allowed are {', '.join(TYPES)}."
                self._refuse((name, str(key)), message, "extra_forbidden")

    def _finite(self, place: tuple[str, ...], value: float | str) -> float:
        try:
            number = float(value)
        except (ValueError, OverflowError):
            self._refuse(place, "The text is no number.", "float_parsing")
            return 0.0
        if not math.isfinite(number):
            self._refuse(place, "The value must be a finite number.", "finite_number")
        return number

    def _refuse(self, place: tuple[str, ...], message: str, type_: str) -> None:
        self.violations.append(Violation(place, message, type_))


def _is_integer(text: str) -> bool:
    return text.isascii() and text.removeprefix("-").isdigit() and len(text) <= _DIGITS


def _clamped(penalty: float) -> float:
    return min(max(0.0, penalty), 1.0)
