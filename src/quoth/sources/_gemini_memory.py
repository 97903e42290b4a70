"""Remember what a chat of Gemini CLI said, so that a history written once more adds only what is new."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from itertools import islice

from quoth.core.model import Json

_MOST = 4_000  # messages and calls; far more than a context that is written anew holds


@dataclass(slots=True)
class Memory:
    """`said` has a digest of the words for each message (or of the message for each call), `times` how many messages
    said the same words, or used a call id."""

    said: dict[str, str] = field(default_factory=dict)
    times: dict[str, int] = field(default_factory=dict)

    def knows(self, what: str) -> bool:
        return _short(what) in self.said

    def note(self, message: str, words: str) -> None:
        """Remember the words of a message; writing it again as it is changes nothing."""
        key, digest = _short(message), _short(words)
        if self.said.get(key) != digest:
            self.said[key] = digest
            self.times[digest] = self.times.get(digest, 0) + 1
            _forget(self.said)
            _forget(self.times)

    def has_said(self, words: str, times: int) -> bool:
        return self.times.get(_short(words), 0) >= times

    def call(self, call: str, message: str) -> str:
        """Name a call: some model providers count their calls anew, so another message's is another call."""
        self.note(f"call {call}", f"{call} of {message}")
        key = _short(f"times {call}")
        if self.said.get(key) != _short(message):
            self.said[key] = _short(message)
            self.times[key] = self.times.get(key, 0) + 1
        return self.named(call)

    def named(self, call: str) -> str:
        """Return the name of the last call with an id."""
        count = self.times.get(_short(f"times {call}"), 1)
        return call if count == 1 else f"{call}#{count}"

    def state(self) -> Json:
        return {"said": dict(self.said), "times": dict(self.times)}


@dataclass(slots=True)
class History:
    """A list of messages that was written as a whole, compared with what is remembered, in order."""

    memory: Memory
    counted: Counter[str] = field(default_factory=Counter)

    def repeats(self, message: str, words: str) -> bool:
        """Tell whether a message was said before: by its id, or by its words under another."""
        self.counted[words] += 1
        return self.memory.knows(message) or self.memory.has_said(words, self.counted[words])


def memory(state: Json) -> Memory:
    known = state if isinstance(state, dict) else {}
    said, times = known.get("said"), known.get("times")
    return Memory(
        {key: value for key, value in said.items() if isinstance(value, str)} if isinstance(said, dict) else {},
        {key: value for key, value in times.items() if isinstance(value, int)} if isinstance(times, dict) else {},
    )


def _short(what: str) -> str:
    return hashlib.sha256(what.encode("utf-8", "replace")).hexdigest()[:10]


def _forget(remembered: dict[str, str] | dict[str, int]) -> None:
    for key in list(islice(remembered, max(0, len(remembered) - _MOST))):
        del remembered[key]
